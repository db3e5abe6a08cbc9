// Elements. Text of a trace only ever becomes text: nothing here reads markup, and the
// names of attributes are always our own.

const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);

/** Build an element; children are nodes, texts, lists of these, or nothing. */
function h(tag, attributes, ...children) {
  return dressed(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return dressed(document.createElementNS(SVG, tag), attributes, children);
}

function dressed(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((one) => one !== null && one !== undefined && one !== false).map(asNode));
  return node;
}

const asNode = (one) => (one instanceof Node ? one : document.createTextNode(String(one)));

/** A text out of a trace: it keeps its own direction and cannot turn its neighbours'. */
const said = (text, attributes) => h("span", { dir: "auto", ...attributes }, text);

const tag = (word, kind) => h("span", { class: `tag ${kind || ""}` }, word);

/** A table with a header row; cells are what `h` takes as children. */
function table(attributes, heads, rows) {
  const cells = (row) => row.map((cell, place) => h(place === 0 ? "th" : "td", { scope: place === 0 ? "row" : null }, cell));
  return h("table", attributes,
    h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", null, rows.map((row) => (row instanceof Node ? row : h("tr", null, cells(row))))));
}
