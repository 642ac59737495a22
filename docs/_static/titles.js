// The highlighter of search words measures every text in a drawing that has one of them. Titles of icons, which nobody
// sees, have no size, and the error would end the highlighting of the page.
SVGTitleElement.prototype.getBBox ??= () => new DOMRect();
