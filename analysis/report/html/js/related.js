// What belongs together lights up together: a paragraph, the evidence that supports or
// contradicts it, the words of both, and the cell of the grid that says so.

/** A set of links between nodes; each link may have words that are quoted. */
class Links {
  constructor() {
    this.links = [];
  }

  /** Add a link; its number is returned. A quote is `{node, text}`. */
  add(nodes, label, quotes) {
    this.links.push({ nodes, label, quotes: (quotes || []).filter((quote) => quote.text) });
    return this.links.length - 1;
  }

  /** Quotes of one node as `{text, link}`. */
  quotes(node) {
    return this.links.flatMap((link, number) => link.quotes.filter((quote) => quote.node === node).map((quote) => ({ text: quote.text, link: number })));
  }

  /** Light up what belongs to what the pointer or the focus is on, within a container. */
  watch(container) {
    const light = (event) => {
      const own = event.target.closest("[data-node], [data-link]");
      if (own && container.contains(own)) this.light(container, own);
    };
    const out = (event) => {
      if (event.relatedTarget && event.relatedTarget.closest && container.contains(event.relatedTarget.closest("[data-node], [data-link]"))) return;
      const focused = document.activeElement && document.activeElement.closest("[data-node], [data-link]");
      if (event.type === "pointerout" && focused && container.contains(focused)) this.light(container, focused);
      else this.dark(container);
    };
    container.addEventListener("pointerover", light);
    container.addEventListener("focusin", light);
    container.addEventListener("pointerout", out);
    container.addEventListener("focusout", out);
  }

  light(container, own) {
    const numbers = new Set();
    const nodes = new Set();
    if (own.dataset.link !== undefined) own.dataset.link.split(" ").forEach((number) => numbers.add(Number(number)));
    else {
      nodes.add(own.dataset.node);
      this.links.forEach((link, number) => link.nodes.includes(own.dataset.node) && numbers.add(number));
    }
    for (const number of numbers) this.links[number].nodes.forEach((node) => nodes.add(node));
    const holds = (text) => text.split(" ").some((number) => numbers.has(Number(number)));
    container.classList.add("lighting");
    for (const node of container.querySelectorAll("[data-node]")) node.classList.toggle("lit", nodes.has(node.dataset.node));
    for (const mark of container.querySelectorAll("mark")) mark.classList.toggle("on", holds(mark.dataset.links));
    for (const cell of container.querySelectorAll("[data-link]")) cell.classList.toggle("on", holds(cell.dataset.link));
  }

  dark(container) {
    container.classList.remove("lighting");
    for (const node of container.querySelectorAll(".lit, .on")) node.classList.remove("lit", "on");
  }
}

/**
 * A text with its quotes and other ranges marked, whatever overlaps.
 *
 * Ranges are `{from, to, link}` or `{from, to, make}` in UTF-16 units; `make` builds the
 * element of a range that no quote may cut.
 */
function marked(text, ranges) {
  const fixed = ranges.filter((range) => range.make).sort((a, b) => a.from - b.from);
  const quotes = ranges.filter((range) => range.make === undefined && range.to > range.from);
  const stops = new Set([0, text.length]);
  for (const range of ranges) stops.add(range.from).add(range.to);
  const edges = [...stops].filter((edge) => edge >= 0 && edge <= text.length).sort((a, b) => a - b);
  const parts = [];
  for (let place = 0; place + 1 < edges.length; place += 1) {
    const [from, to] = [edges[place], edges[place + 1]];
    const own = fixed.find((range) => range.from <= from && to <= range.to);
    if (own) {
      if (own.from === from) parts.push(own.make(text.slice(own.from, own.to)));
      continue;
    }
    const links = [...new Set(quotes.filter((range) => range.from <= from && to <= range.to).map((range) => range.link))];
    const piece = text.slice(from, to);
    parts.push(links.length ? h("mark", { "data-links": links.join(" ") }, piece) : piece);
  }
  return parts;
}

/** Where a quote stands in a text, white space aside; null when it does not. */
function found(text, quote) {
  const words = quote.trim().split(/\s+/u).filter(Boolean);
  if (!words.length || quote.length > 4000) return null;
  for (let from = text.indexOf(words[0]); from >= 0; from = text.indexOf(words[0], from + 1)) {
    let to = from;
    const fits = words.every((word, place) => {
      if (place) while (to < text.length && /\s/u.test(text[to])) to += 1;
      if (!text.startsWith(word, to)) return false;
      to += word.length;
      return true;
    });
    if (fits) return { from, to };
  }
  return null;
}

/** Ranges of the quotes of a node within its text. */
function quoted(text, quotes) {
  return quotes.map((quote) => ({ ...found(text, quote.text), link: quote.link })).filter((range) => range.from !== undefined);
}
