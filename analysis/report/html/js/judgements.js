// What the judge was asked about this turn, and what it said.

const JUDGEMENT = ["Question", "About", "Label", "Reason", "Quote", "Judge, prompt", "Cost, reply", "Correct"];

/** So many are shown at once where none decides. */
const FEW = 8;

function judgementsSection(body, evidence) {
  if (!body.verdicts.length) return null;
  const deciding = decidingKeys(body);
  const part = (rows) => table("plain stack judgements", JUDGEMENT, rows.map((row) => judgement(body, evidence, row)));
  const first = body.verdicts.filter((row) => deciding.has(row.key));
  const rest = body.verdicts.filter((row) => !deciding.has(row.key));
  const agreement = page.agreement ? ` Agreement with people: ${page.agreement}.` : "";
  const more = `${count(rest.length)} ${first.length ? "more " : ""}${rest.length === 1 ? "judgement" : "judgements"}`;
  return section("judgements", "Judgements", note(`Each question is asked once and its reply stored.${agreement}`),
    h("div", { class: "panel flush wide" },
      first.length ? part(first) : null,
      rest.length ? h("details", { class: "rest", open: !first.length && rest.length <= FEW }, h("summary", null, more), part(rest)) : null));
}

/** Keys of the verdicts that causes and findings rest on. */
function decidingKeys(body) {
  const keys = new Set(body.turn.causes.map((cause) => cause.found_verdict));
  for (const row of [...body.turn.causes, ...body.findings]) {
    for (const item of row.evidence) if (item.startsWith("verdict ")) keys.add(split(item, " ")[1]);
  }
  return keys;
}

function judgement(body, evidence, row) {
  const unjudged = row.status === "unjudged";
  const label = labelOf(row);
  const why = [unjudged && worded(row.unjudged_reason), row.reason].filter(Boolean).join(": ");
  const quotes = (row.quotes || []).map((quote) => aside("“", said(quote), "”"));
  const cells = [
    row.question,
    [row.turn_id === null ? "conversation, this turn" : said(row.subject), nodesOf(evidence, row)],
    [tag(label, toneOfVerdict(row, label)), flagsOf(row)],
    said(why || "–"),
    quotes.length ? quotes : "–",
    [said(row.judge), h("br"), h("code", { dir: "auto" }, row.prompt_version)],
    [money(row.cost_usd), aside(row.from_store ? "from store" : "asked")],
    RIGHT[row.question] ? button("Disagree", () => correctVerdict(body, row), "quiet") : null,
  ];
  return { cells, "data-verdict": row.key, tabindex: -1 };
}

/** What is odd about the texts behind a verdict, each sign with its meaning. */
function flagsOf(row) {
  const flags = (row.flags || []).map((flag) =>
    [" ", h("span", { class: "tag t-warn", title: page.flags[flag] }, worded(flag))]);
  const hidden = row.hidden_characters || 0;
  return [flags, hidden ? aside(counted(hidden, "invisible character")) : null];
}

/** Whether a text of the turn addresses its judge, or hides words from readers. */
function suspectNote(body) {
  const flags = [...new Set(body.verdicts.flatMap((row) => row.flags || []))].sort();
  if (!flags.length) return null;
  const told = flags.map((flag) => page.flags[flag] || worded(flag)).join(" ");
  return h("p", { class: "became suspect" },
    tag("suspect text", "t-warn"), " ", note(`Read the verdicts of this turn with care. ${told}`));
}

function nodesOf(evidence, row) {
  if (row.rest) return null;
  const ids = [row.chunk_id, ...(row.evidence_ids || [])].filter(Boolean);
  const nodes = ids.flatMap((id) => evidence.nodes(id)).filter((node) => !node.startsWith("found"));
  return nodes.length ? note(` ${[...new Set(nodes)].join(", ")}`) : null;
}

function labelOf(row) {
  if (row.status === "unjudged") return "unjudged";
  if (row.question === "routing") return routingWrongs(row).join("; ") || "ok";
  if (row.question === "statements") {
    const all = row.detail.statements;
    return `${all.filter((one) => one.label === "supported").length} of ${all.length} supported`;
  }
  if (row.grade !== null) return `grade ${row.grade}`;
  return row.label ? worded(row.label) : row.score === null ? "–" : score(row.score);
}

function toneOfVerdict(row, label) {
  if (row.status === "unjudged") return "";
  if (row.question === "routing") return label === "ok" ? "t-good" : "t-bad";
  if (row.grade !== null) return row.grade >= 2 ? "t-good" : "";
  return row.label ? `t-${row.label}` : "";
}

function routingWrongs(row) {
  const turn = row.detail && row.detail.turns[0];
  if (!turn) return [];
  return [
    turn.agent_ok === false && "wrong agent",
    ...turn.collections.filter((one) => one.ok === false).map((one) => `${one.collection} not ok`),
    ...turn.calls
      .filter((one) => one.tool_ok === false || one.args_ok === false)
      .map((one) => `call ${one.position} not ok`),
    ...turn.missing.map((one) => `${one.name} missing`),
    turn.refined_faithful === false && "refined query drifted",
  ].filter(Boolean);
}
