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
    if (isNothing(value)) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  const kept = children.flat(Infinity).filter((one) => !isNothing(one));
  node.append(...kept.map((one) => (one instanceof Node ? one : shown(one))));
  return node;
}

/** A text as it is seen: a control character, which is not, leaves a mark. */
const shown = (text) => String(text).replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/gu, "\ufffd");

const isNothing = (value) => value === null || value === undefined || value === false;

/** A text out of a trace: it keeps its own direction and cannot turn its neighbours'. */
const said = (text, kind) => h("span", { dir: "auto", class: kind }, text);
const note = (...content) => h("span", { class: "note", dir: "auto" }, content);
const aside = (...content) => h("p", { class: "note", dir: "auto" }, content);
/** A word on its ground; one of the glossary, whose ground bears its name, says what it means. */
const tag = (word, kind) => h("span", { class: `tag ${kind || ""}`, title: explained(word, kind) }, word);
const explained = (word, kind) => (kind && worded(kind.slice(2)) === word ? page.words[word] : null);
const button = (text, click, kind, more) => h("button", { type: "button", class: kind, click, ...more }, text);

/** A part of a page under its own heading. */
function section(name, title, about, ...content) {
  const head = h("header", { class: "head" }, h("h2", { id: `${name}-title` }, title), about);
  return h("section", { "aria-labelledby": `${name}-title`, class: `part-${name}` }, head, content);
}

/**
 * A table with a header row. A row is a list of cells, the first of which names it, or
 * `{ cells, …attributes }`. On a narrow screen each cell stands below the name of its column.
 */
function table(kind, heads, rows) {
  const cell = (content, place) => (place
    ? h("td", { role: "cell", "data-head": typeof heads[place] === "string" ? heads[place] : null }, content)
    : h("th", { scope: "row", role: "rowheader" }, content));
  const row = (given) => {
    const { cells, ...more } = Array.isArray(given) ? { cells: given } : given;
    return h("tr", { role: "row", ...more }, cells.map(cell));
  };
  return h("table", { class: kind, role: "table" },
    h("thead", { role: "rowgroup" },
      h("tr", { role: "row" }, heads.map((head) => h("th", { scope: "col", role: "columnheader" }, head)))),
    h("tbody", { role: "rowgroup" }, rows.map(row)));
}

/** Show the part of the open turn that an address within it names, and put the focus there. */
function goTo(from, selector, block) {
  const target = from.closest("#turn").querySelector(selector);
  if (!target) return;
  for (let folded = target.closest("details"); folded; folded = folded.parentElement.closest("details")) {
    folded.open = true;
  }
  const focused = target.matches("details") ? target.firstElementChild : target;
  focused.focus({ preventScroll: true });
  target.scrollIntoView({ block: block || "nearest" });
}

const nodeSelector = (node) => `[data-node="${CSS.escape(node)}"]`;

/** Say of what scrolls sideways whether there is more to the right. */
function markWide() {
  for (const wide of document.querySelectorAll(".wide")) markScrolled(wide);
}

function markScrolled(node) {
  if (!node.classList || !node.classList.contains("wide")) return;
  node.classList.toggle("goes-on", node.scrollLeft + node.clientWidth < node.scrollWidth - 2);
}
