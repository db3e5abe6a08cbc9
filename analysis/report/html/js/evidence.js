// The answer against its evidence: paragraphs, ranked chunks, the one that was missing, and
// the grid of what supports what.

const LONG = 420;

/** Everything that may support the answer, with a short label each. */
class Evidence {
  constructor(body) {
    this.body = body;
    this.items = [];
    this.labels = new Map();
    body.chunks.forEach((chunk, place) => this.add({ label: `C${place + 1}`, kind: "chunk", id: chunk.chunk_id, chunk }));
    let results = 0;
    for (const call of body.tool_calls) {
      if (!call.is_retrieval) this.add({ label: `T${(results += 1)}`, kind: "result", id: call.call_id, call });
    }
    body.earlier.forEach((one, place) => this.add({ label: `H${place + 1}`, kind: "earlier", id: one.evidence_id, earlier: one }));
    const known = new Map(body.found.map((one) => [one.chunk_id, one]));
    for (const cause of body.turn.causes) {
      if (!cause.found_chunk_id) continue;
      const already = this.items.find((one) => one.kind === "found" && one.id === cause.found_chunk_id);
      if (already) already.causes.push(cause);
      else if (!cause.found_retrieved) this.add({ label: "–", kind: "found", id: cause.found_chunk_id, node: `found-${this.items.length}`, causes: [cause], chunk: known.get(cause.found_chunk_id) || null });
    }
  }

  add(item) {
    this.items.push({ node: item.label, ...item });
    if (!this.labels.has(item.id)) this.labels.set(item.id, []);
    this.labels.get(item.id).push(this.items[this.items.length - 1].node);
  }

  /** Nodes that show a piece of evidence; a chunk may have been retrieved twice. */
  nodes(id) {
    return this.labels.get(id) || [];
  }

  of(kind) {
    return this.items.filter((item) => item.kind === kind);
  }
}

function linksOf(body, evidence) {
  const links = new Links();
  const grid = new Map();
  for (const verdict of body.verdicts) {
    if (verdict.question === "support" && verdict.paragraph !== null) {
      const detail = verdict.detail || {};
      const nodes = (verdict.evidence_ids || []).flatMap((id) => evidence.nodes(id));
      const quotes = [{ node: `P${verdict.paragraph}`, text: detail.quote_paragraph }, ...nodes.map((node) => ({ node, text: detail.quote_evidence }))];
      const number = links.add([`P${verdict.paragraph}`, ...nodes], verdict.label || "unjudged", quotes);
      const column = verdict.rest ? "rest" : (verdict.evidence_ids || []).length === 1 ? verdict.evidence_ids[0] : "together";
      grid.set(`${verdict.paragraph} ${column}`, { verdict, number });
    }
    if (verdict.question === "statements" && verdict.detail) {
      for (const one of verdict.detail.statements) {
        const holders = one.quote ? evidence.items.filter((item) => found(textOf(item) || "", one.quote)) : [];
        links.add([`P${one.paragraph}`, ...holders.map((item) => item.node)], one.label, [{ node: `P${one.paragraph}`, text: one.text }, ...holders.map((item) => ({ node: item.node, text: one.quote }))]);
      }
    }
  }
  for (const citation of body.citations) {
    if (citation.chunk_id && citation.paragraph) links.add([`P${citation.paragraph}`, ...evidence.nodes(citation.chunk_id)], "cited");
  }
  for (const item of evidence.of("found")) {
    for (const cause of item.causes) links.add([...cause.paragraphs.map((number) => `P${number}`), item.node], "found", [{ node: item.node, text: cause.found_quote }]);
  }
  return { links, grid };
}

function textOf(item) {
  if (item.kind === "chunk") return item.chunk.text;
  if (item.kind === "result") return item.call.result || item.call.error;
  if (item.kind === "earlier") return item.earlier.text;
  return item.chunk && item.chunk.text ? item.chunk.text : item.causes[0].found_quote;
}

function evidenceSection(body, evidence) {
  const { links, grid } = linksOf(body, evidence);
  const left = h("div", { class: "answer" }, paragraphs(body, evidence, links), supportGrid(body, evidence, grid), statements(body));
  const right = h("div", { class: "panel flush sources" }, sources(body, evidence, links));
  const node = h("div", { class: "against" }, left, right);
  links.watch(node);
  return h("section", { "aria-labelledby": "against-title" },
    h("header", { class: "head" }, h("h2", { id: "against-title" }, "Answer against evidence"),
      h("p", { class: "note" }, "Point at or focus a paragraph, a source or a cell to see the words that belong together.")),
    node);
}

// The answer

function paragraphs(body, evidence, links) {
  if (!body.paragraphs.length) {
    return h("div", { class: "panel" }, body.turn.answer ? said(body.turn.answer, { class: "pre" }) : h("p", { class: "note" }, "No answer text was captured."));
  }
  const symptoms = new Map();
  for (const cause of body.turn.causes) for (const number of cause.paragraphs) symptoms.set(number, cause);
  return h("div", { class: "panel flush" }, body.paragraphs.map((row) => {
    const node = `P${row.paragraph}`;
    const cause = symptoms.get(row.paragraph);
    const support = row.support || (row.needs_source ? "support not judged" : row.needs_source === false ? "needs no source" : "");
    const ranges = [...citationRanges(body, row, evidence), ...quoted(row.text, links.quotes(node))];
    return h("div", { class: `para ${cause ? "para-bad" : row.support === "full" ? "para-good" : ""}`, "data-node": node, tabindex: 0, role: "group", "aria-label": `Paragraph ${row.paragraph}` },
      h("p", { class: "para-head" }, h("b", null, node), row.kind === "prose" ? null : tag(row.kind), cause ? tag(cause.symptom, `t-${cause.symptom}`) : null, support ? tag(support, `t-${row.support}`) : null,
        cause && cause.stage ? h("span", { class: "note" }, `${cause.stage}.${cause.kind}`) : null),
      h("p", { class: "pre", dir: "auto" }, marked(row.text, ranges)));
  }));
}

/** Citations as ranges of a paragraph; the tables count characters, not UTF-16 units. */
function citationRanges(body, row, evidence) {
  const characters = Array.from(row.text);
  const units = (place) => characters.slice(0, Math.max(place, 0)).join("").length;
  return body.citations
    .filter((one) => one.paragraph === row.paragraph && one.marker && one.end > one.start)
    .map((one) => ({ from: units(one.start - row.start), to: units(one.end - row.start), make: (text) => citation(one, text, evidence) }));
}

function citation(row, text, evidence) {
  const fine = row.status.startsWith("resolved");
  const node = evidence.nodes(row.chunk_id)[0];
  const title = `${worded(row.status)}${row.chunk_id ? `: ${row.chunk_id}` : ""}`;
  if (!node) return h("span", { class: `cite ${fine ? "" : "cite-bad"}`, title }, text, fine ? null : h("span", { class: "away" }, ` (${worded(row.status)})`));
  return h("button", { type: "button", class: `cite ${fine ? "" : "cite-bad"}`, title, click: (event) => goTo(event.target, node) }, text);
}

function goTo(from, node) {
  const target = from.closest("#turn").querySelector(`[data-node="${CSS.escape(node)}"]`);
  if (!target) return;
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: "nearest" });
}

// What stood before the model, and what should have

function sources(body, evidence, links) {
  const judged = routingOf(body);
  const groups = [];
  const chunks = evidence.of("chunk");
  for (const search of body.retrievals) {
    const own = chunks.filter((item) => item.chunk.retrieval_id === search.retrieval_id);
    const wrong = judged && judged.collections.find((one) => one.collection === search.collection && one.ok === false);
    groups.push(h("div", { class: "source-head" },
      h("span", null, said(search.collection || "a search"), search.collection_inferred ? " (inferred)" : ""),
      wrong ? tag("wrong collection", "t-bad") : null,
      search.status === "ok" ? null : tag(search.status, "t-warn"),
      h("span", { class: "note" }, search.n_chunks === null ? "" : counted(search.n_chunks, "chunk")),
      search.query ? h("p", { class: "note" }, "searched ", said(`“${search.query}”`)) : null,
      search.refined_query && search.refined_query !== search.query ? h("p", { class: "note" }, "refined query, not searched: ", said(`“${search.refined_query}”`)) : null,
      search.error ? h("p", { class: "bad", dir: "auto" }, search.error) : null));
    groups.push(...own.map((item) => source(item, links, chunkNotes(item.chunk), item.chunk.title || item.id, scoreText(item.chunk))));
  }
  const results = evidence.of("result");
  if (results.length) groups.push(h("div", { class: "source-head" }, "tool results"));
  groups.push(...results.map((item) => source(item, links, [tag(item.call.status, item.call.status === "ok" ? "" : "t-warn")], item.call.name, item.id)));
  const earlier = evidence.of("earlier");
  if (earlier.length) groups.push(h("div", { class: "source-head" }, "from earlier turns"));
  groups.push(...earlier.map((item) => source(item, links, [tag(`turn ${item.earlier.from_turn}`)], item.earlier.title || item.id, item.earlier.collection || "")));
  const ghosts = evidence.of("found");
  if (ghosts.length) groups.push(h("div", { class: "source-head" }, "not before the model"));
  groups.push(...ghosts.map((item) => ghost(item, links)));
  return groups.length ? groups : h("p", { class: "note pad" }, "Nothing was searched or called in this turn.");
}

function source(item, links, notes, name, beside, extra) {
  const text = textOf(item);
  const quotes = links.quotes(item.node);
  const ranges = text ? quoted(text, quotes) : [];
  const long = text && text.length > LONG;
  const content = h("p", { class: `pre source-text ${long ? "clamped" : ""}`, dir: "auto" }, text ? marked(text, ranges) : h("span", { class: "note" }, "(text not captured)"));
  const more = long ? h("button", { type: "button", class: "more", "aria-expanded": "false", click: (event) => unfold(event.target, content) }, "more") : null;
  if (long && ranges.some((range) => range.from > LONG / 2)) unfold(more, content);
  return h("div", { class: `source ${extra || ""}`, "data-node": item.node, tabindex: 0, role: "group", "aria-label": `Source ${item.label}` },
    h("span", { class: "source-label" }, item.label),
    h("div", { class: "source-body" }, h("p", { class: "source-name" }, h("b", null, said(name)), notes), content, more),
    h("span", { class: "source-beside note" }, said(beside)));
}

function unfold(button, content) {
  const folded = content.classList.toggle("clamped");
  button.textContent = folded ? "more" : "less";
  button.setAttribute("aria-expanded", String(!folded));
}

const scoreText = (chunk) => (chunk.score === null ? "" : typeof chunk.score === "number" ? `score ${Number(chunk.score.toPrecision(4))}` : `score ${chunk.score}`);

function chunkNotes(chunk) {
  const notes = [];
  if (chunk.grade === null) notes.push(tag(chunk.unjudged_reason ? `unjudged: ${worded(chunk.unjudged_reason)}` : "not judged"));
  else notes.push(tag(`grade ${chunk.grade}${chunk.grade > 0 && chunk.on_target === false ? ", wrong object" : ""}`, chunk.relevant ? "t-good" : ""));
  if (chunk.cited) notes.push(tag("cited"));
  if (chunk.in_context === false) notes.push(tag("not in the prompt", "t-warn"));
  if (chunk.first_rank !== chunk.rank) notes.push(tag(`rank ${chunk.first_rank} → ${chunk.rank}`));
  return notes;
}

function ghost(item, links) {
  const cause = item.causes[0];
  const told = cause.missing === "evidence_seen_only_later" ? "first seen after this turn" : "should have been here";
  const how = `found by a probe${cause.found_grade === null || cause.found_grade === undefined ? "" : `, grade ${cause.found_grade}`}`;
  return source(item, links, [tag(told, "r-root"), h("span", { class: "note" }, how)], cause.found_title || item.id, cause.found_collection || "", "ghost");
}

// What supports what

function supportGrid(body, evidence, grid) {
  if (!grid.size) return null;
  const ids = [...new Set(evidence.items.filter((item) => item.kind !== "found").map((item) => item.id))];
  const asked = new Set([...grid.values()].flatMap((cell) => (cell.verdict.rest ? [] : cell.verdict.evidence_ids || [])));
  const columns = ids.filter((id) => ids.length <= 8 || asked.has(id));
  for (const id of asked) if (!columns.includes(id)) columns.push(id);
  const heads = columns.map((id) => h("span", { title: id }, evidence.nodes(id)[0] || said(id)));
  const cell = (paragraph, column) => {
    const own = grid.get(`${paragraph} ${column}`);
    if (!own) return h("span", { class: "grid-none", title: "not asked" }, "·");
    const label = own.verdict.label || "unjudged";
    return h("button", { type: "button", class: `grid-cell g-${label}`, "data-link": own.number, title: own.verdict.reason, "aria-label": `${own.verdict.subject}: ${label}` }, label);
  };
  const numbers = body.paragraphs.map((row) => row.paragraph);
  return h("div", { class: "panel" },
    h("h3", null, "Support grid"),
    h("p", { class: "note" }, "Asked per cited pair, once for several cited together, once for the rest of the relevant evidence. A dot: not asked."),
    h("div", { class: "wide" }, table({ class: "support" }, ["", ...heads, "together", "rest"], numbers.map((number) => [`P${number}`, ...columns.map((id) => cell(number, id)), cell(number, "together"), cell(number, "rest")]))));
}

function statements(body) {
  const rows = body.verdicts.filter((row) => row.question === "statements" && row.detail).flatMap((row) => row.detail.statements);
  if (!rows.length) return null;
  return h("div", { class: "panel" },
    h("h3", null, "Statements"),
    h("p", { class: "note" }, `${rows.filter((row) => row.label === "supported").length} of ${rows.length} supported by the evidence.`),
    h("div", { class: "wide" }, table({ class: "plain" }, ["In", "Statement", "Is", "Quote"], rows.map((row) => [`P${row.paragraph}`, said(row.text), tag(row.label, row.label === "supported" ? "t-good" : "t-bad"), row.quote ? said(`“${row.quote}”`, { class: "note" }) : "–"]))));
}
