// The texts of a page that are harder to read than WCAG 2.2 (1.4.3) allows, each with its contrast. On paper only those
// backgrounds count that ask to be printed, because browsers leave out the others.
onPaper => {
  const remembered = (known, make) => key => known.has(key) ? known.get(key) : known.set(key, make(key)).get(key);
  const pixel = Object.assign(document.createElement("canvas"), { width: 1, height: 1 })
    .getContext("2d", { willReadFrequently: true });

  // Any CSS color as red, green, blue and how opaque it is.
  const color = remembered(new Map(), text => {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = text;
    pixel.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pixel.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  });
  const faded = ([red, green, blue, alpha], share) => [red, green, blue, alpha * share];
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const luminance = shade => {
    const linear = shade.slice(0, 3).map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const contrast = (a, b) => {
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
  };
  const opacity = remembered(new WeakMap(), element =>
    getComputedStyle(element).opacity * (element.parentElement ? opacity(element.parentElement) : 1));

  // What lies behind an element: the backgrounds of all that it stands in.
  const behind = remembered(new WeakMap(), element => {
    const style = getComputedStyle(element);
    if (style.backgroundImage !== "none") throw new Error(`a picture is behind ${element.outerHTML.slice(0, 80)}`);
    const below = element.parentElement ? behind(element.parentElement) : [255, 255, 255, 1];
    return onPaper && style.printColorAdjust !== "exact" ? below : over(color(style.backgroundColor), below);
  });

  // What lies behind a text in a chart: whatever is filled below its middle, in the order in which it is drawn.
  const behindInChart = (text, box) => {
    const chart = text.ownerSVGElement;
    const middle = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
    return [...chart.querySelectorAll("rect, path, circle, polygon, ellipse")]
      .filter(shape => shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)
      .filter(shape => shape.isPointInFill(middle.matrixTransform(shape.getScreenCTM().inverse())))
      .reduce((shade, shape) => {
        const style = getComputedStyle(shape);
        const fill = style.fill === "none" ? [0, 0, 0, 0] : color(style.fill);
        return over(faded(fill, style.fillOpacity * opacity(shape)), shade);
      }, behind(chart));
  };

  // A text may be drawn twice: first wider and in the color of the paper, which keeps lines away from it.
  const near = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) < 3;
  const twins = text => [...text.ownerSVGElement.querySelectorAll("text")].filter(other => other !== text
    && other.textContent === text.textContent && near(other.getBoundingClientRect(), text.getBoundingClientRect()));
  const haloOf = text => twins(text).find(other => getComputedStyle(other).stroke !== "none");
  const isHalo = text => text instanceof SVGElement && getComputedStyle(text).stroke !== "none" && twins(text).length > 0;

  const judged = (element, text, box) => {
    const style = getComputedStyle(element);
    const drawn = element instanceof SVGElement;
    const halo = drawn && haloOf(element);
    const below = drawn ? behindInChart(element, box) : behind(element);
    const back = halo ? over(color(getComputedStyle(halo).stroke), below) : below;
    const ink = drawn ? faded(color(style.fill), style.fillOpacity) : color(style.color);
    const size = parseFloat(style.fontSize) * (drawn ? element.getScreenCTM().a : 1);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const found = contrast(over(faded(ink, opacity(element)), back), back);
    return { text: text.trim().slice(0, 60), contrast: Math.round(found * 100) / 100, least: large ? 3 : 4.5 };
  };

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (node.data.trim() && box.width && box.height && !isHalo(node.parentElement)
      && node.parentElement.checkVisibility({ visibilityProperty: true })) {
      seen.push(judged(node.parentElement, node.data, box));
    }
  }
  for (const input of document.querySelectorAll("input[type=number], input[type=text], select, output")) {
    const box = input.getBoundingClientRect();
    if (box.width && !input.firstChild) seen.push(judged(input, input.value ?? "", box));
  }
  return { read: seen.length, hard: seen.filter(each => each.contrast < each.least) };
}
