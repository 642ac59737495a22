// Texts of a page that lie on each other, that are cut off where nothing scrolls, or that lie outside the window.
() => {
  const CUTS = ["hidden", "clip"], MATH = "math", NONE = { left: 0, right: 0, top: 0, bottom: 0 };
  const told = each => `“${each.text.trim().slice(0, 40)}”`;
  const within = (a, b) => ({
    left: Math.max(a.left, b.left), right: Math.min(a.right, b.right),
    top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom),
  });
  const empty = box => box.right - box.left <= 1 || box.bottom - box.top <= 1;
  const problems = [];

  // What can be seen of a line of text without scrolling anything but the page.
  const shown = (line, element, text) => {
    let box = within(line, line); // the sides of a DOMRect are not its own and would not be copied
    for (let each = element; each && each !== document.body && !empty(box); each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.overflowX === "visible") continue;
      const room = each.getBoundingClientRect(), seen = within(box, room);
      const lost = box.right - room.right > 1 || room.left - box.left > 1;
      if (lost && CUTS.includes(style.overflowX)) problems.push(`cut off: ${told({ text })}`);
      box = seen;
    }
    return empty(box) ? NONE : box;
  };

  const lines = [];
  const walker = document.createTreeWalker(document.querySelector("[role=main]"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (!data.trim() || !parentElement.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    for (const line of range.getClientRects()) {
      if (empty(line)) continue;
      const box = shown(line, parentElement, data);
      if (box === NONE) continue;
      if (box.right > document.documentElement.clientWidth + 1 || box.left < -1) problems.push(`outside: ${told({ text: data })}`);
      lines.push({ ...box, text: data, math: parentElement.closest(MATH) });
    }
  }
  lines.sort((a, b) => a.top - b.top);
  lines.forEach((a, i) => {
    for (let j = i + 1; j < lines.length && lines[j].top < a.bottom; j++) {
      const b = lines[j], both = within(a, b);
      if (a.math && a.math === b.math) continue; // boxes of signs are higher than what is drawn of them
      // Boxes of lines of text have room above and below their letters.
      const deep = both.bottom - both.top > 0.35 * Math.min(a.bottom - a.top, b.bottom - b.top);
      if (both.right - both.left > 1 && deep) problems.push(`${told(a)} lies on ${told(b)}`);
    }
  });
  return { read: lines.length, problems };
}
