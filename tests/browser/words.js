// What a reader who hears the page would miss; the roles and names are those that Chromium tells a screen reader.
() => {
  const problems = [];
  const every = (selector, what, wrong) => {
    for (const each of document.querySelectorAll(selector)) {
      if (wrong(each)) problems.push(`${what}: ${each.outerHTML.slice(0, 120)}`);
    }
  };
  // What is not displayed, such as a link for phones on a wide screen, is not read out.
  const nameless = each => each.checkVisibility() && (!each.computedName || !each.computedName.trim());
  const told = each => (each.querySelector(":scope > desc")?.textContent ?? each.ariaLabel ?? "").trim();
  const ids = [...document.querySelectorAll("[id]")].map(each => each.id);
  const unknown = text => (text ?? "").split(/\s+/).filter(id => id && !ids.includes(id)).length > 0;

  every("input, select, textarea, button, a, summary", "without a name", nameless);
  every("svg[role=img]", "a chart without a title", nameless);
  every("svg[role=img]", "a chart that is not told in words", each => !told(each));
  every("svg:not([role=img]):not([aria-hidden=true]):not(svg svg)", "a drawing that is neither told nor hidden", () => true);
  every("th:not([scope])", "a heading of a table without scope", () => true);
  every("table", "a table without a name", nameless);
  every("[tabindex='0']", "a stop of the keyboard without a name", each => nameless(each) || each.computedRole === "generic");
  every("nav, [role=region], section", "a landmark without a name", nameless);
  every("a[href]", "a link out of the page", each => !each.getAttribute("href").startsWith("#"));
  every("a[href^='#']", "a link to nothing", each => unknown(each.getAttribute("href").slice(1)));
  every("[aria-labelledby]", "a label that is not there", each => unknown(each.getAttribute("aria-labelledby")));
  every("[aria-describedby]", "a description that is not there", each => unknown(each.getAttribute("aria-describedby")));
  every("label[for], output[for]", "for what is not there", each => unknown(each.getAttribute("for")));
  every("[id]", "an id that is there twice", each => ids.filter(id => id === each.id).length > 1);
  every("[style]", "a style that the policy forbids", () => true);

  const levels = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map(each => Number(each.tagName[1]));
  levels.forEach((level, i) => {
    if (level > (levels[i - 1] ?? 0) + 1) problems.push(`heading ${i + 1} skips a level: ${levels}`);
  });
  if (levels.filter(level => level === 1).length !== 1) problems.push(`not one first heading: ${levels}`);
  if (!document.documentElement.lang) problems.push("no language");
  return problems;
}
