// What each stage did, and what was wrong with it: the chain, the reasons, the calls, the
// findings, the metrics.

/** The judge's answer about the routing of this turn, null when it was not decided. */
function routingOf(body) {
  const verdict = body.verdicts.find((row) => row.question === "routing" && row.detail);
  return verdict ? verdict.detail.turns[0] || null : null;
}

// The chain: R → S → G

function chain(body) {
  const did = { routing: routed(body), retrieval: retrieved(body), generation: generated(body) };
  const arrow = () => h("li", { class: "arrow-item", "aria-hidden": "true" }, "→");
  const cards = STAGES.map((stage) => stageCard(body, stage, did[stage]));
  return h("ol", { class: "chain" }, cards[0], arrow(), cards[1], arrow(), cards[2]);
}

function stageCard(body, stage, did) {
  const mark = body.marks[stage];
  const faults = body.findings.filter((row) => row.stage === stage);
  return h("li", { class: `stage-card c-${mark}` },
    h("h3", null, stage, tag(mark === "fine" ? "no fault" : worded(mark), `r-${mark}`)),
    aside(did),
    faults.slice(0, 3).map((row) => h("p", { class: "fault" },
      h("b", { title: meaning(row.kind) }, row.kind), " ", said(row.explanation),
      row.role === mark ? null : note(` (${row.role})`))),
    faults.length > 3 ? aside(`and ${faults.length - 3} more below`) : null);
}

function routed(body) {
  const { agents, collections, tools } = body.turn;
  if (agents === null) return "not routed";
  const where = [...new Set([...(collections || []), ...(tools || [])])].join(", ");
  return [agents.join(" → ") || "agent unknown", where].filter(Boolean).join(": ");
}

function retrieved(body) {
  const came = (row) => ["ok", "empty"].includes(row.status);
  const told = (row) => (came(row) ? counted(row.n_chunks || 0, "chunk") : worded(row.status));
  const searched = body.retrievals.map((row) => `${row.collection || "a search"} (${told(row)})`);
  const called = body.tool_calls.filter((row) => !row.is_retrieval).map((row) => `${row.name} (${row.status})`);
  return [...searched, ...called].join(", ") || "nothing was searched or called";
}

function generated(body) {
  const turn = body.turn;
  const told = [
    turn.reply && worded(turn.reply),
    turn.answer_flag && `flag ${turn.answer_flag}`,
    turn.answer_source !== "generated" && (turn.answer_source === "unknown" ? "origin not told" : turn.answer_source),
    turn.finish_reason !== "stop" && turn.finish_reason,
  ];
  return told.filter(Boolean).join(", ") || (turn.answer_source ? "answered" : "no answer was generated");
}

// Why: each element of the question, what became of it, and what decides

const WHY = ["Id", "Element of the question", "Answered in", "Symptom", "Cause", "What shows it", "What decides"];

function whySection(body, evidence) {
  const { turn } = body;
  const rows = turn.elements.map((element, place) =>
    whyRow(evidence, `E${place + 1}`, element, turn.causes.filter((cause) => cause.element === place)));
  for (const cause of turn.causes) if (cause.element === null) rows.push(whyRow(evidence, "–", null, [cause]));
  if (!rows.length) return null;
  const title = turn.outcome === "failed" ? `Why ${turn.root_stage}` : "What was asked";
  return section("why", title, note("Rules over stored verdicts; no model names the culprit."),
    h("div", { class: "panel flush wide" }, table("plain stack why", WHY, rows)));
}

function whyRow(evidence, id, element, causes) {
  const numbers = element ? element.paragraphs : causes.flatMap((cause) => cause.paragraphs);
  const each = (make, otherwise) => (causes.length ? causes.map((cause) => h("div", null, make(cause))) : otherwise);
  const answered = element && element.status === "answered";
  return [
    id,
    element ? said(element.text) : note("a claim that answers no element"),
    [
      numbers.map((number) => `P${number}`).join(", ") || "–",
      element && !answered ? aside(worded(element.status)) : null,
    ],
    each((cause) => tag(cause.symptom, `t-${cause.symptom}`), answered ? tag("none", "t-good") : "–"),
    each((cause) => [
      h("b", null, cause.stage || "undetermined"), " ", h("code", null, breakable(cause.kind || cause.missing || ""))], "–"),
    each((cause) => references(evidence, cause.evidence, 5), standing(element)),
    each(decides, "–"),
  ];
}

function standing(element) {
  if (!element || element.in_evidence === null) return "–";
  return element.in_evidence ? "its evidence stood before the model" : "no evidence before the model";
}

function decides(cause) {
  if (!cause.stage) {
    const between = `Between ${cause.possible.join(", ") || "the stages"}. `;
    return [between, meaning(cause.missing) || worded(cause.missing || ""), cleared(cause)];
  }
  const beside = cause.beside.map((one) => `${one.stage}.${one.kind} (${one.role})`);
  return [
    said(cause.explanation || ""),
    cleared(cause),
    cause.found_chunk_id ? aside(foundText(cause)) : null,
    cause.inherited_from ? aside(`Repeats a failing claim of ${cause.inherited_from}.`) : null,
    beside.length ? aside(`Beside it: ${beside.join(", ")}`) : null,
  ];
}

function cleared(cause) {
  return cause.counter_evidence ? aside(said(cause.counter_evidence)) : null;
}

function foundText(cause) {
  const where = cause.found_collection ? ` in ${cause.found_collection}` : "";
  const searched = cause.found_searched ? "it was searched and did not return it" : "it was never searched";
  const how = cause.found_retrieved ? "retrieved, and not in the prompt" : searched;
  return `A probe found ${cause.found_chunk_id}${where}: ${how}.`;
}

/** References as the tables write them (`chunk x`, `verdict key`, `P2`), leading to what they name. */
function references(evidence, items, most) {
  if (!items.length) return "–";
  const rest = items.length - most;
  return h("span", { class: "refs" },
    items.slice(0, most).map((item) => reference(evidence, item)),
    rest > 0 ? note(`+${rest}`) : null);
}

function reference(evidence, item) {
  const [kind, name] = split(item, " ");
  if (kind === "verdict") {
    const go = (event) => goTo(event.target, `tr[data-verdict="${CSS.escape(name)}"]`, "center");
    return button(`verdict ${name.slice(0, 8)}`, go, "ref", { title: name });
  }
  const node = ["chunk", "call"].includes(kind) ? evidence.nodes(name)[0] : null;
  const target = node || (/^P\d+$/.test(item) ? item : null);
  if (!target) return said(item, "ref-plain");
  const label = node && !node.startsWith("found") ? `${node} ${name}` : name || item;
  return button(said(label), (event) => goTo(event.target, nodeSelector(target)), "ref", { title: item });
}

// Tool calls, the wrong value marked

function callsSection(body) {
  const judged = routingOf(body);
  const notes = judged ? routingNotes(judged) : [];
  if (!body.tool_calls.length && !notes.length) return null;
  const judgedCall = (call) => judged && judged.calls.find((one) => one.position === call.position);
  return section("calls", "Routing and tool calls", null,
    notes.length ? h("ul", { class: "panel told" }, notes.map((one) => h("li", null, one))) : null,
    h("div", { class: "calls" }, body.tool_calls.map((call) => callCard(call, judgedCall(call)))));
}

const wrongly = (text) => said(text, "wrong");
const rightly = (text) => [" should be ", said(text, "right")];
const because = (text) => (text ? note(` ${text}`) : null);

function routingNotes(judged) {
  const bad = (word) => [tag(word, "t-bad"), " "];
  const searched = judged.collections.filter((one) => one.ok === false);
  const lost = judged.lost_constraints;
  return [
    judged.unjudged ? `Not judged: ${worded(judged.unjudged)}` : null,
    judged.agent_ok === false ? [bad("wrong agent"), judged.fitting_agent ? rightly(judged.fitting_agent) : null] : null,
    ...searched.map((one) =>
      [bad("wrong collection"), wrongly(one.collection), one.fits ? rightly(one.fits) : null, because(one.reason)]),
    ...judged.missing.map((one) =>
      [bad("never called"), `${one.kind} `, said(one.name, "right"), because(one.reason)]),
    judged.refined_faithful === false
      ? [bad("refined query drifted"), lost.length ? ["lost ", wrongly(lost.join(", "))] : null]
      : null,
    judged.reason ? note(`The judge: ${judged.reason}`) : null,
  ].filter(Boolean);
}

function callCard(call, judged) {
  const result = call.error || call.result;
  const wrongTool = judged && judged.tool_ok === false;
  const foot = [
    call.agent && `called by ${call.agent}`,
    call.catalogue && `could choose from ${call.catalogue.join(", ")}`,
    judged && judged.reason,
  ].filter(Boolean);
  return h("div", { class: "panel call" },
    h("h3", null,
      said(call.name, "code"),
      tag(call.status, toneOf(call)),
      wrongTool ? [tag("wrong tool", "t-bad"), judged.fits ? rightly(judged.fits) : null] : null,
      call.truncated ? tag("cut off") : null),
    h("dl", { class: "args" }, argumentsOf(call, judged)),
    result
      ? h("details", null, h("summary", null, call.error ? "Error" : "Result"), h("pre", { dir: "auto" }, result))
      : aside("No result was captured."),
    aside(foot.map((one, place) => [place ? " · " : "", said(one)])));
}

function argumentsOf(call, judged) {
  const wrong = new Map((judged ? judged.wrong_arguments : []).map((one) => [one.argument, one]));
  const named = call.named_arguments;
  const sent = new Set((named || []).map(([name]) => name));
  const leftOut = [...wrong.values()].filter((one) => !sent.has(one.argument));
  const whole = call.arguments === null ? "not captured" : call.arguments;
  return [
    named === null
      ? [h("dt", null, "arguments"), h("dd", { dir: "auto" }, whole)]
      : named.map(([name, text]) => argument(name, text, wrong.get(name))),
    leftOut.map((one) => argument(one.argument, one.value === null ? null : one.value, one)),
  ];
}

function argument(name, text, wrong) {
  const value = text === null ? wrongly("left out") : said(text, wrong ? "wrong" : null);
  const right = wrong && wrong.expected !== null ? rightly(wrong.expected) : null;
  const known = wrong ? because(`known from ${wrong.known_from}`) : null;
  return [h("dt", { dir: "auto" }, name), h("dd", null, value, right, known)];
}

// Findings and metrics

function findingsSection(body, evidence) {
  if (!body.findings.length) return null;
  const rows = body.findings.map((row) => [
    tag(row.role, `r-${row.role}`),
    row.stage,
    h("code", { title: meaning(row.kind) }, breakable(row.kind)),
    said(row.explanation),
    references(evidence, row.evidence, 6),
  ]);
  return section("findings", "Findings", null,
    h("div", { class: "panel flush wide" }, table("plain stack", ["Role", "Stage", "Kind", "What", "Evidence"], rows)));
}

function metricsSection(body) {
  if (!body.metrics.length) return null;
  const cards = [...STAGES, "service"].map((stage) =>
    metricCard(stage, body.metrics.filter((row) => row.stage === stage)));
  return section("turn-metrics", "Metrics of this turn", note("Computed from stored verdicts."),
    h("div", { class: "metric-cards" }, cards));
}

function metricCard(stage, rows) {
  if (!rows.length) return null;
  const valued = rows.filter((row) => row.reason === null);
  const rest = rows.filter((row) => row.reason !== null);
  const undefinedOnes = () => h("details", null,
    h("summary", null, `${rest.length} without a value`), h("dl", null, rest.map(undefinedMetric)));
  return h("div", { class: "panel" },
    h("h3", null, stage),
    valued.length ? table("plain values", ["Metric", "Value", "Counts"], valued.map(metricRow)) : null,
    rest.length ? undefinedOnes() : null);
}

function metricRow(row) {
  const one = page.counts[row.metric.replace(/\d+$/, "")];
  const counts = row.unit === "share" && one ? `${Number(row.hits.toFixed(2))} of ${counted(row.total, one)}` : "";
  const values = { ms: duration, tokens: count };
  return [h("code", null, breakable(row.metric)), h("span", { class: "num" }, (values[row.unit] || score)(row.value)), counts];
}

function undefinedMetric(row) {
  const why = meaning(row.reason) || worded(row.reason);
  return [h("dt", null, h("code", null, breakable(row.metric))), h("dd", { class: "note" }, why)];
}
