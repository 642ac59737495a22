// Pairs of texts in a chart that lie on each other, and texts of a chart that its element cuts off.
() => {
  const problems = [];
  const level = each => {
    const matrix = each.getScreenCTM();
    return matrix !== null && Math.abs(matrix.b) < 1e-6; // a slanted text has a box larger than itself
  };
  const seen = each => each.checkVisibility() && each.textContent.trim() !== "" && getComputedStyle(each).opacity !== "0";
  const told = each => `“${each.textContent.trim().slice(0, 40)}”`;
  let read = 0;
  for (const chart of document.querySelectorAll("svg")) {
    if (chart.parentElement.closest("svg") !== null || !chart.checkVisibility()) continue;
    const texts = [...chart.querySelectorAll("text")].filter(each => seen(each) && level(each));
    const boxes = texts.map(each => each.getBoundingClientRect());
    read += texts.length;
    // A text may be drawn twice, the first time as a halo.
    const twice = (i, j) => texts[i].textContent === texts[j].textContent && Math.abs(boxes[i].left - boxes[j].left) < 1;
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b, j) => {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // Boxes of lines of text have room above and below their letters.
      if (!twice(i, i + 1 + j) && across > 1 && down > 0.35 * Math.min(a.height, b.height)) {
        problems.push(`${told(texts[i])} and ${told(texts[i + 1 + j])} in ${chart.closest("section")?.id}`);
      }
    }));
  }
  return { read, problems };
}
