// The answer against its evidence: paragraphs, ranked sources, the one that was missing, and
// the grid of what supports what.

const LONG = 420;
const MOST_COLUMNS = 8;

function againstSection(body, evidence) {
  const { links, grid } = linksOf(body, evidence);
  const language = tongue(body.turn.answer_language || body.turn.language);
  const node = h("div", { class: "against" },
    h("div", { class: "answer", lang: language },
      paragraphs(body, evidence, links), supportGrid(body, evidence, grid)),
    h("div", { class: "panel flush sources" }, sources(body, evidence, links)));
  links.watch(node);
  const how = note("Point at or focus a paragraph, a source or a cell: the words that belong together light up.");
  return section("against", "Answer against evidence", how, node);
}

// The answer

function paragraphs(body, evidence, links) {
  if (!body.paragraphs.length) {
    const answer = body.turn.answer;
    return h("div", { class: "panel" }, answer ? said(answer, "pre") : aside("No answer text was captured."));
  }
  const causes = new Map(body.turn.causes.flatMap((cause) => cause.paragraphs.map((number) => [number, cause])));
  return h("div", { class: "panel flush" },
    body.paragraphs.map((row) => paragraph(body, evidence, links, row, causes.get(row.paragraph))));
}

function paragraph(body, evidence, links, row, cause) {
  const node = `P${row.paragraph}`;
  const needs = row.needs_source ? "support not judged" : row.needs_source === false ? "needs no source" : null;
  const ranges = [...citationRanges(body, row, evidence), ...links.ranges(node, row.text)];
  const kind = cause ? "para-bad" : row.support === "full" ? "para-good" : "";
  const named = { "data-node": node, tabindex: 0, role: "group", "aria-label": `Paragraph ${row.paragraph}` };
  return h("div", { class: `para ${kind}`, ...named },
    h("p", { class: "para-head" },
      h("b", null, node),
      row.kind === "prose" ? null : tag(row.kind),
      cause ? tag(cause.symptom, `t-${cause.symptom}`) : null,
      row.support || needs ? tag(row.support || needs, `t-${row.support}`) : null,
      cause && cause.stage ? note(`${cause.stage}.${cause.kind}`) : null),
    h("p", { class: "pre", dir: "auto" }, marked(row.text, ranges)));
}

/** Citations as ranges of a paragraph; the tables count characters, not UTF-16 units. */
function citationRanges(body, row, evidence) {
  const characters = Array.from(row.text);
  const units = (place) => characters.slice(0, Math.max(place, 0)).join("").length;
  return body.citations
    .filter((one) => one.paragraph === row.paragraph && one.marker && one.end > one.start)
    .map((one) => ({
      from: units(one.start - row.start),
      to: units(one.end - row.start),
      make: (text) => citation(one, text, evidence),
    }));
}

function citation(row, text, evidence) {
  const fine = row.status.startsWith("resolved");
  const node = evidence.nodes(row.chunk_id)[0];
  const title = `${worded(row.status)}${row.chunk_id ? `: ${row.chunk_id}` : ""}`;
  const kind = `cite ${fine ? "" : "cite-bad"}`;
  if (node) return button(text, (event) => goTo(event.target, nodeSelector(node)), kind, { title });
  const told = fine ? null : h("span", { class: "away" }, ` (${worded(row.status)})`);
  return h("span", { class: kind, title }, text, told);
}

// What stood before the model, and what should have

function sources(body, evidence, links) {
  const part = (kind, title, make) => {
    const items = evidence.of(kind);
    return items.length ? [h("div", { class: "source-head" }, title), items.map(make)] : [];
  };
  const parts = [
    searches(body, evidence, links),
    part("result", "tool results", (item) =>
      source(links, item, item.call.name, [tag(item.call.status, toneOf(item.call))], item.id)),
    part("earlier", "from earlier turns", (item) => {
      const { title, from_turn: turn, collection } = item.earlier;
      return source(links, item, title || item.id, [tag(`turn ${turn}`)], collection);
    }),
    part("found", "not before the model", (item) => ghost(links, item)),
  ].flat();
  return parts.length ? parts : h("p", { class: "note pad" }, "Nothing was searched or called in this turn.");
}

const toneOf = (row) => (row.status === "ok" ? "" : "t-warn");

function searches(body, evidence, links) {
  const judged = routingOf(body);
  const off = judged ? judged.collections.filter((one) => one.ok === false) : [];
  const wrong = new Set(off.map((one) => one.collection));
  return body.retrievals.flatMap((search) => {
    const own = evidence.of("chunk").filter((item) => item.chunk.retrieval_id === search.retrieval_id);
    const refined = search.refined_query !== search.query ? search.refined_query : null;
    return [
      h("div", { class: "source-head" },
        said(search.collection || "a search"),
        search.collection_inferred ? note("inferred") : null,
        wrong.has(search.collection) ? tag("wrong collection", "t-bad") : null,
        search.status === "ok" ? null : tag(worded(search.status), "t-warn"),
        search.n_chunks === null ? null : note(counted(search.n_chunks, "chunk")),
        search.query ? aside("searched “", said(search.query), "”") : null,
        refined ? aside("the refined query was “", said(refined), "”") : null,
        search.error ? h("p", { class: "bad", dir: "auto" }, search.error) : null),
      own.map((item) =>
        source(links, item, item.chunk.title || item.id, chunkNotes(item), scoreText(item.chunk))),
    ];
  });
}

function source(links, item, name, notes, beside, kind) {
  const text = textOf(item);
  const ranges = text ? links.ranges(item.node, text) : [];
  const content = h("p", { class: "pre source-text", dir: "auto" }, text ? marked(text, ranges) : "(text not captured)");
  const named = { "data-node": item.node, tabindex: 0, role: "group", "aria-label": `Source ${item.label}` };
  return h("div", { class: `source ${kind || ""}`, ...named },
    h("span", { class: "source-label" }, item.label),
    h("div", null,
      h("p", { class: "source-name" }, h("b", { dir: "auto" }, name), notes),
      content,
      text && text.length > LONG ? foldable(content, ranges.some((range) => range.from > LONG / 2)) : null),
    h("span", { class: "source-beside note", dir: "auto" }, beside));
}

/** Fold a long text away behind a button, unless its quotes stand far below. */
function foldable(content, open) {
  const more = button("more", () => fold(!content.classList.contains("clamped")), "more");
  const fold = (folded) => {
    content.classList.toggle("clamped", folded);
    more.textContent = folded ? "more" : "less";
    more.setAttribute("aria-expanded", String(!folded));
  };
  fold(!open);
  return more;
}

function scoreText(chunk) {
  if (chunk.score === null) return "";
  return `score ${typeof chunk.score === "number" ? Number(chunk.score.toPrecision(4)) : chunk.score}`;
}

function chunkNotes(item) {
  const { chunk } = item;
  const off = chunk.grade > 0 && chunk.on_target === false;
  const moved = chunk.first_rank !== null && chunk.first_rank !== chunk.rank;
  const why = chunk.unjudged_reason ? `: ${worded(chunk.unjudged_reason)}` : "";
  return [
    chunk.grade === null
      ? tag(`not judged${why}`)
      : tag(`grade ${chunk.grade}${off ? ", wrong object" : ""}`, chunk.relevant ? "t-good" : ""),
    chunk.cited ? tag("cited") : null,
    chunk.in_context === false ? tag("not in the prompt", "t-warn") : null,
    item.causes && chunk.in_context === false ? tag("should have been there", "r-root") : null,
    moved ? note(`rank ${chunk.first_rank} → ${chunk.rank}`) : null,
  ];
}

function ghost(links, item) {
  const cause = item.causes[0];
  const later = cause.missing === "evidence_seen_only_later";
  const grade = isNothing(cause.found_grade) ? "" : `, grade ${cause.found_grade}`;
  const told = later ? "first seen after this turn" : "should have been here";
  const notes = [tag(told, "r-root"), note(`found by a probe${grade}`)];
  return source(links, item, cause.found_title || item.id, notes, cause.found_collection, "ghost");
}

// What supports what

function supportGrid(body, evidence, grid) {
  if (!grid.size) return null;
  const asked = [...grid.values()].flatMap(({ verdict }) => (verdict.rest ? [] : verdict.evidence_ids || []));
  const all = evidence.items.filter((item) => item.kind !== "found").map((item) => item.id);
  const shown = all.length <= MOST_COLUMNS ? all : all.filter((id) => asked.includes(id));
  const columns = [...new Set([...shown, ...asked])];
  const heads = columns.map((id) => h("span", { title: id }, evidence.nodes(id)[0] || said(id)));
  const rows = body.paragraphs.map(({ paragraph: number }) => [
    `P${number}`,
    ...[...columns, "together", "rest"].map((column) => gridCell(grid.get(`${number} ${column}`))),
  ]);
  return h("div", { class: "panel" },
    h("h3", null, "Support grid"),
    aside("Asked per cited pair, once for several cited together, once for the rest. A dot: not asked."),
    h("div", { class: "wide" }, table("support", ["", ...heads, "together", "rest"], rows)));
}

function gridCell(cell) {
  if (!cell) return h("span", { class: "grid-none", title: "not asked" }, "·");
  const { verdict, link } = cell;
  const label = verdict.label || "unjudged";
  const more = { "data-link": link, title: verdict.reason, "aria-label": `${verdict.subject}: ${label}` };
  return button(label, null, `grid-cell g-${label}`, more);
}

// What the answer says, statement by statement, where it does not cite

function statementsSection(body) {
  const judged = body.verdicts.filter((row) => row.question === "statements" && row.detail);
  const all = judged.flatMap((row) => row.detail.statements);
  if (!all.length) return null;
  const supported = all.filter((row) => row.label === "supported").length;
  const rows = all.map((row) => [
    `P${row.paragraph}`,
    said(row.text),
    tag(row.label, row.label === "supported" ? "t-good" : "t-bad"),
    row.quote ? note("“", said(row.quote), "”") : "–",
  ]);
  return section("statements", "Statements of the answer",
    note(`${supported} of ${all.length} supported by the evidence.`),
    h("div", { class: "panel flush wide" }, table("plain stack", ["In", "Statement", "Is", "Quote"], rows)));
}
