// Everything that may support the answer, under short labels, and what links it to the
// paragraphs: verdicts with their quotes, citations, and the chunks that probes found.
//
//     C1 …   chunks, in order of search and rank      H1 …   fetched by an earlier turn
//     T1 …   results of other tools                    –     was not before the model

class Evidence {
  constructor(body) {
    this.items = [];
    this.labels = new Map();
    body.chunks.forEach((chunk, place) => this.add("chunk", `C${place + 1}`, chunk.chunk_id, { chunk }));
    const results = body.tool_calls.filter((call) => !call.is_retrieval);
    results.forEach((call, place) => this.add("result", `T${place + 1}`, call.call_id, { call }));
    body.earlier.forEach((one, place) => this.add("earlier", `H${place + 1}`, one.evidence_id, { earlier: one }));
    this.findings(body);
  }

  add(kind, node, id, more) {
    this.items.push({ kind, node, label: kind === "found" ? "–" : node, id, ...more });
    this.labels.set(id, [...this.nodes(id), node]);
  }

  /** What should have stood before the model; a chunk that was retrieved is there already. */
  findings(body) {
    const known = new Map(body.found.map((one) => [one.chunk_id, one]));
    for (const cause of body.turn.causes.filter((one) => one.found_chunk_id)) {
      const id = cause.found_chunk_id;
      const there = this.items.filter((one) => one.id === id);
      if (!there.length) this.add("found", `found-${this.items.length}`, id, { causes: [cause], chunk: known.get(id) });
      else there.forEach((one) => { one.causes = [...(one.causes || []), cause]; });
    }
  }

  /** Nodes that show a piece of evidence; a chunk may have been retrieved twice. */
  nodes(id) {
    return this.labels.get(id) || [];
  }

  of(kind) {
    return this.items.filter((item) => item.kind === kind);
  }
}

/** What the model read; of a failed call its error. */
function textOf(item) {
  if (item.kind === "chunk") return item.chunk.text;
  if (item.kind === "result") return resultOf(item.call);
  if (item.kind === "earlier") return item.earlier.text;
  return item.chunk && item.chunk.text ? item.chunk.text : item.causes[0].found_quote;
}

const resultOf = (call) => (call.status === "error" ? call.error || call.result : call.result || call.error);

/** Links between paragraphs and evidence, and the cells of the grid by `paragraph column`. */
function linksOf(body, evidence) {
  const links = new Links();
  const grid = new Map();
  for (const verdict of body.verdicts) {
    if (verdict.question === "support" && verdict.paragraph !== null) {
      grid.set(`${verdict.paragraph} ${columnOf(verdict)}`, { verdict, link: linkSupport(links, evidence, verdict) });
    } else if (verdict.question === "statements" && verdict.detail) {
      for (const one of verdict.detail.statements) linkStatement(links, evidence, one);
    } else if (verdict.question === "relevance" && verdict.detail && verdict.detail.quote) {
      for (const node of evidence.nodes(verdict.chunk_id)) links.add([node], [[node, verdict.detail.quote]]);
    }
  }
  for (const one of body.citations) {
    if (one.chunk_id && one.paragraph) links.add([`P${one.paragraph}`, ...evidence.nodes(one.chunk_id)], []);
  }
  for (const item of evidence.items.filter((one) => one.causes)) {
    for (const cause of item.causes) {
      const nodes = cause.paragraphs.map((number) => `P${number}`);
      links.add([...nodes, item.node], [[item.node, cause.found_quote]]);
    }
  }
  return { links, grid };
}

function columnOf(verdict) {
  if (verdict.rest) return "rest";
  const ids = verdict.evidence_ids || [];
  return ids.length === 1 ? ids[0] : "together";
}

function linkSupport(links, evidence, verdict) {
  const paragraph = `P${verdict.paragraph}`;
  const nodes = (verdict.evidence_ids || []).flatMap((id) => evidence.nodes(id));
  const detail = verdict.detail || {};
  const quotes = nodes.map((node) => [node, detail.quote_evidence]);
  return links.add([paragraph, ...nodes], [[paragraph, detail.quote_paragraph], ...quotes]);
}

function linkStatement(links, evidence, one) {
  const paragraph = `P${one.paragraph}`;
  const holders = one.quote ? evidence.items.filter((item) => found(textOf(item) || "", one.quote)) : [];
  const nodes = holders.map((item) => item.node);
  links.add([paragraph, ...nodes], [[paragraph, one.text], ...nodes.map((node) => [node, one.quote])]);
}
