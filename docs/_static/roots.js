// Chromium draws a root only in a font for mathematics. Without one it leaves out the sign, and √x would read as x: there
// the sign is written as a letter, with a line over what is under the root.
for (const root of document.querySelectorAll("msqrt")) {
  const under = root.firstElementChild;
  const drawn = under.getBoundingClientRect().left - root.getBoundingClientRect().left > 1;
  if (drawn) continue;
  const make = name => document.createElementNS(root.namespaceURI, name);
  const sign = Object.assign(make("mo"), { textContent: "√" });
  const line = make("mrow");
  line.classList.add("under-root");
  line.append(...root.childNodes);
  const whole = make("mrow");
  whole.append(sign, line);
  root.replaceWith(whole);
}
