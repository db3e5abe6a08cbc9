// What the judge was asked about this turn, and what it said.

const RIGHT = {
  relevance: ["0", "1", "2", "3"],
  probe: ["0", "1", "2", "3"],
  support: ["full", "partial", "none", "contradicted"],
  answer: ["answered", "partly", "abstained", "clarifying", "policy_refusal"],
  routing: ["ok", "not_ok"],
  outcome: ["passed", "routing", "retrieval", "generation", "undetermined"],
};

function judgementsSection(body, evidence) {
  if (!body.verdicts.length) return null;
  const deciding = new Set();
  for (const row of [...body.turn.causes, ...body.findings]) {
    for (const item of row.evidence) if (item.startsWith("verdict ")) deciding.add(item.slice(8));
    if (row.found_verdict) deciding.add(row.found_verdict);
  }
  const heads = ["Question", "About", "Label", "Reason", "Quote", "Judge", "Prompt", "Cost", "Reply", ""];
  const part = (rows) => table({ class: "plain judgements" }, heads, rows.map((row) => judgement(body, evidence, row)));
  const first = body.verdicts.filter((row) => deciding.has(row.key));
  const rest = body.verdicts.filter((row) => !deciding.has(row.key));
  const agreement = page.agreement ? ` Agreement with people: ${page.agreement}.` : "";
  return h("section", { "aria-labelledby": "judgements-title" },
    h("header", { class: "head" }, h("h2", { id: "judgements-title" }, "Judgements"), h("p", { class: "note" }, `Each question is asked once and its reply stored.${agreement}`)),
    h("div", { class: "panel flush wide" },
      first.length ? part(first) : null,
      rest.length ? h("details", { open: !first.length, class: "rest" }, h("summary", null, first.length ? `${counted(rest.length, "judgement")} more` : counted(rest.length, "judgement")), part(rest)) : null));
}

function judgement(body, evidence, row) {
  const label = labelOf(row);
  const about = row.evidence_ids || row.chunk_id ? said(row.subject) : row.turn_id === null ? "conversation, this turn" : row.subject;
  const choices = RIGHT[row.question];
  const disagree = choices ? h("button", { type: "button", class: "quiet", click: () => correct({ question: row.question, turn_id: body.turn.turn_id, subject: row.subject, judge_label: ownLabel(row), key: row.key }, choices) }, "Disagree") : null;
  const cells = [
    row.question,
    [about, nodesOf(evidence, row)],
    tag(label, labelTone(row, label)),
    said(row.status === "unjudged" ? `${worded(row.unjudged_reason)}${row.reason ? `: ${row.reason}` : ""}` : row.reason || "–"),
    (row.quotes || []).length ? row.quotes.map((quote) => h("p", { class: "note", dir: "auto" }, `“${quote}”`)) : "–",
    said(row.judge),
    h("code", null, said(row.prompt_version)),
    h("span", { class: "num" }, money(row.cost_usd)),
    row.from_store ? "from store" : "asked",
    disagree,
  ];
  return h("tr", { "data-verdict": row.key, tabindex: -1 }, cells.map((cell, place) => h(place ? "td" : "th", { scope: place ? null : "row" }, cell)));
}

function nodesOf(evidence, row) {
  const nodes = row.rest ? [] : [...new Set([row.chunk_id, ...(row.evidence_ids || [])].filter(Boolean).flatMap((id) => evidence.nodes(id)))].filter((node) => !node.startsWith("found"));
  return nodes.length ? h("span", { class: "note" }, ` (${nodes.join(", ")})`) : null;
}

/** The judge's label in the words of a correction. */
function ownLabel(row) {
  if (row.status === "unjudged") return null;
  if (row.question === "routing") return routingWrongs(row).length ? "not_ok" : "ok";
  return row.grade !== null ? String(row.grade) : row.label;
}

function labelOf(row) {
  if (row.status === "unjudged") return "unjudged";
  if (row.question === "routing") return routingWrongs(row).join("; ") || "ok";
  if (row.question === "statements") {
    const all = row.detail.statements;
    return `${all.filter((one) => one.label === "supported").length} of ${all.length} supported`;
  }
  if (row.grade !== null) return `grade ${row.grade}`;
  return row.label ? worded(row.label) : row.score !== null ? score(row.score) : "–";
}

function routingWrongs(row) {
  const turn = row.detail && row.detail.turns[0];
  if (!turn) return [];
  return [
    turn.agent_ok === false && "wrong agent",
    ...turn.collections.filter((one) => one.ok === false).map((one) => `${one.collection} not ok`),
    ...turn.calls.filter((one) => one.tool_ok === false || one.args_ok === false).map((one) => `call ${one.position} not ok`),
    ...turn.missing.map((one) => `${one.name} missing`),
    turn.refined_faithful === false && "refined query drifted",
  ].filter(Boolean);
}

function labelTone(row, label) {
  if (row.status === "unjudged") return "";
  if (row.question === "routing") return label === "ok" ? "t-good" : "t-bad";
  if (row.grade !== null) return row.grade >= 2 ? "t-good" : "";
  return row.label ? `t-${row.label}` : "";
}

function goToVerdict(from, key) {
  const row = from.closest("#turn").querySelector(`tr[data-verdict="${CSS.escape(key)}"]`);
  if (!row) return;
  const folded = row.closest("details");
  if (folded) folded.open = true;
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "center" });
}
