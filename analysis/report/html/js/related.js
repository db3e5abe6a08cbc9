// What belongs together lights up together: a paragraph, the evidence that supports or
// contradicts it, the words of both, and the cell of the grid that says so.

/** Links between nodes; each may quote words of some of them. */
class Links {
  constructor() {
    this.links = [];
  }

  /** Add a link between nodes, with quotes as `[node, text]`; its number is returned. */
  add(nodes, quotes) {
    this.links.push({ nodes, quotes: quotes.filter(([, text]) => text) });
    return this.links.length - 1;
  }

  /** Ranges of a node's text that links quote. */
  ranges(node, text) {
    return this.links.flatMap((link, number) => link.quotes
      .filter(([own]) => own === node)
      .map(([, quote]) => ({ ...found(text, quote), link: number }))
      .filter((range) => range.from !== undefined));
  }

  /** Light up, within a container, what belongs to what the pointer or the focus is on. */
  watch(container) {
    const under = (node) => (node && node.closest ? node.closest("[data-node], [data-link]") : null);
    const within = (node) => node !== null && container.contains(node);
    const enter = (event) => {
      const own = under(event.target);
      if (within(own)) this.light(container, own);
    };
    const leave = (event) => {
      if (within(under(event.relatedTarget))) return;
      const focused = event.type === "pointerout" ? under(document.activeElement) : null;
      if (within(focused)) this.light(container, focused);
      else this.dark(container);
    };
    container.addEventListener("pointerover", enter);
    container.addEventListener("focusin", enter);
    container.addEventListener("pointerout", leave);
    container.addEventListener("focusout", leave);
  }

  light(container, own) {
    const { node, link } = own.dataset;
    const fits = (one, number) => (link === undefined ? one.nodes.includes(node) : number === Number(link));
    const numbers = new Set(this.links.keys());
    this.links.forEach((one, number) => fits(one, number) || numbers.delete(number));
    const nodes = new Set([node, ...[...numbers].flatMap((number) => this.links[number].nodes)]);
    const holds = (text) => text.split(" ").some((number) => numbers.has(Number(number)));
    container.classList.add("lighting");
    const all = (selector, act) => container.querySelectorAll(selector).forEach(act);
    all("[data-node]", (one) => one.classList.toggle("lit", nodes.has(one.dataset.node)));
    all("[data-link]", (one) => one.classList.toggle("on", holds(one.dataset.link)));
    all("mark", (one) => one.classList.toggle("on", holds(one.dataset.links)));
  }

  dark(container) {
    container.classList.remove("lighting");
    for (const node of container.querySelectorAll(".lit, .on")) node.classList.remove("lit", "on");
  }
}

/**
 * A text with ranges of it marked, whatever overlaps.
 *
 * A range is `{from, to}` in UTF-16 units with the number of a `link`, or with `make`: that
 * builds an element in place of the range, which no quote cuts.
 */
function marked(text, ranges) {
  const made = ranges.filter((range) => range.make);
  const quotes = ranges.filter((range) => !range.make);
  const edges = [...new Set([0, text.length, ...ranges.flatMap((range) => [range.from, range.to])])];
  edges.sort((a, b) => a - b);
  return edges.slice(0, -1).map((from, place) => {
    const to = edges[place + 1];
    const covers = (range) => range.from <= from && to <= range.to;
    const own = made.find(covers);
    if (own) return own.from === from ? own.make(text.slice(own.from, own.to)) : null;
    const links = [...new Set(quotes.filter(covers).map((range) => range.link))];
    const piece = text.slice(from, to);
    return links.length ? h("mark", { "data-links": links.join(" ") }, piece) : piece;
  });
}

/** Where a quote stands in a text, white space aside; null when it does not. */
function found(text, quote) {
  const words = quote.split(/\s+/u).filter(Boolean);
  if (!words.length) return null;
  for (let from = text.indexOf(words[0]); from >= 0; from = text.indexOf(words[0], from + 1)) {
    const to = endOf(text, from, words);
    if (to !== null) return { from, to };
  }
  return null;
}

function endOf(text, from, words) {
  let to = from;
  for (const [place, word] of words.entries()) {
    const gap = to;
    while (place && to < text.length && /\s/u.test(text[to])) to += 1;
    if ((place && to === gap) || !text.startsWith(word, to)) return null;
    to += word.length;
  }
  return to;
}
