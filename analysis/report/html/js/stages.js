// What each stage did and was judged to have done: the chain, the reasons, the calls, the
// findings, the metrics.

/** The judge's answer about the routing of this turn, null when it was not decided. */
function routingOf(body) {
  const verdict = body.verdicts.find((row) => row.question === "routing" && row.detail);
  return verdict ? verdict.detail.turns[0] || null : null;
}

const ARROW = () => h("span", { class: "arrow", "aria-hidden": "true" }, "→");

function chain(body) {
  const did = { routing: routed(body), retrieval: retrieved(body), generation: generated(body) };
  const cards = STAGES.map((stage) => {
    const mark = body.marks[stage];
    const faults = body.findings.filter((row) => row.stage === stage);
    return h("li", { class: `stage-card c-${mark}` },
      h("h3", null, stage, tag(mark === "fine" ? "no fault" : worded(mark), `r-${mark}`)),
      h("p", { class: "note", dir: "auto" }, did[stage]),
      faults.slice(0, 3).map((row) => h("p", { class: "fault" }, h("b", { title: meaning(row.kind) }, row.kind), " ", said(row.explanation), row.role === mark ? null : h("span", { class: "note" }, ` (${row.role})`))),
      faults.length > 3 ? h("p", { class: "note" }, `and ${faults.length - 3} more below`) : null);
  });
  return h("ol", { class: "chain" }, cards.flatMap((card, place) => (place ? [h("li", { class: "arrow-item", "aria-hidden": "true" }, ARROW()), card] : [card])));
}

function routed(body) {
  const turn = body.turn;
  if (turn.agents === null) return "not routed";
  const where = [...new Set([...turn.collections, ...turn.tools])].join(", ");
  return `${turn.agents.join(" → ") || "agent unknown"}${where ? `: ${where}` : ""}`;
}

function retrieved(body) {
  const told = body.retrievals.map((row) => `${row.collection || "a search"} (${row.status === "ok" || row.status === "empty" ? counted(row.n_chunks || 0, "chunk") : worded(row.status)})`);
  const calls = body.tool_calls.filter((row) => !row.is_retrieval).map((row) => `${row.name} (${row.status})`);
  return [...told, ...calls].join(", ") || "nothing was searched or called";
}

function generated(body) {
  const turn = body.turn;
  const told = [turn.reply && worded(turn.reply), turn.answer_flag && `flag ${turn.answer_flag}`, turn.answer_source !== "generated" && turn.answer_source, turn.finish_reason && turn.finish_reason !== "stop" && turn.finish_reason];
  return told.filter(Boolean).join(", ") || "no answer was generated";
}

// Why: each element of the question, what became of it, and what decides

function whySection(body, evidence) {
  const turn = body.turn;
  const title = turn.outcome === "failed" ? `Why ${turn.root_stage}` : "What was asked";
  const rows = turn.elements.map((element, place) => whyRow(body, evidence, `E${place + 1}`, element, turn.causes.filter((cause) => cause.element === place)));
  rows.push(...turn.causes.filter((cause) => cause.element === null).map((cause) => whyRow(body, evidence, "–", null, [cause])));
  if (!rows.length) return null;
  return h("section", { "aria-labelledby": "why-title" },
    h("header", { class: "head" }, h("h2", { id: "why-title" }, title), h("p", { class: "note" }, "Rules over stored verdicts; no model names the culprit.")),
    h("div", { class: "panel flush wide" }, table({ class: "plain why" }, ["Id", "Element of the question", "Answered in", "Symptom", "Cause", "What shows it", "What decides"], rows)));
}

function whyRow(body, evidence, id, element, causes) {
  const answered = element ? element.paragraphs.map((number) => `P${number}`).join(", ") : causes.flatMap((cause) => cause.paragraphs).map((number) => `P${number}`).join(", ");
  const status = element && element.status !== "answered" ? h("p", { class: "note" }, worded(element.status)) : null;
  const lines = (make) => (causes.length ? causes.map((cause) => h("div", null, make(cause))) : "–");
  return [
    id,
    element ? said(element.text) : h("span", { class: "note" }, "a claim that answers no element"),
    [answered || "–", status],
    causes.length ? lines((cause) => tag(cause.symptom, `t-${cause.symptom}`)) : element && element.status === "answered" ? tag("none", "t-good") : "–",
    lines((cause) => (cause.stage ? [h("b", null, cause.stage), ` ${cause.kind}`] : [h("b", null, "undetermined"), ` ${cause.missing || ""}`])),
    causes.length ? lines((cause) => references(evidence, cause.evidence, 5)) : shown(element),
    lines((cause) => decides(cause)),
  ];
}

function shown(element) {
  if (!element || element.in_evidence === null) return "–";
  return element.in_evidence ? "its evidence stood before the model" : "no evidence before the model";
}

function decides(cause) {
  if (!cause.stage) return [`Between ${cause.possible.join(", ") || "the stages"}. `, meaning(cause.missing) || worded(cause.missing || "")];
  const parts = [said(cause.explanation || "")];
  if (cause.found_chunk_id) {
    const where = cause.found_collection ? ` in ${cause.found_collection}` : "";
    const how = cause.found_retrieved ? "retrieved, but not in the prompt" : cause.found_searched ? "searched, not returned" : "never searched";
    parts.push(h("p", { class: "note", dir: "auto" }, `A probe found ${cause.found_chunk_id}${where}: ${how}.`));
  }
  if (cause.inherited_from) parts.push(h("p", { class: "note", dir: "auto" }, `Repeats a failing claim of ${cause.inherited_from}.`));
  if (cause.beside.length) parts.push(h("p", { class: "note" }, "Beside it: ", cause.beside.map((one) => `${one.stage}.${one.kind} (${one.role})`).join(", ")));
  return parts;
}

/** References as the tables write them (`chunk x`, `verdict key`, `P2`), each leading to what it names. */
function references(evidence, items, most) {
  const shownItems = items.slice(0, most).map((item) => {
    const [kind, name] = split(item, " ");
    if (kind === "verdict") return h("button", { type: "button", class: "ref", title: name, click: (event) => goToVerdict(event.target, name) }, `verdict ${name.slice(0, 8)}`);
    const node = kind === "chunk" || kind === "call" ? evidence.nodes(name)[0] : /^P\d+$/.test(item) ? item : null;
    if (!node) return said(item, { class: "ref-plain" });
    return h("button", { type: "button", class: "ref", title: item, click: (event) => goTo(event.target, node) }, name ? [node.startsWith("found") ? "" : `${node} `, said(name)] : item);
  });
  const rest = items.length - shownItems.length;
  return h("span", { class: "refs" }, shownItems, rest > 0 ? h("span", { class: "note" }, `+${rest}`) : null);
}

// Tool calls, the wrong value marked

function callsSection(body) {
  const judged = routingOf(body);
  const missing = judged ? judged.missing : [];
  if (!body.tool_calls.length && !missing.length && !(judged && judged.reason)) return null;
  const told = judged ? routingNotes(judged) : [];
  return h("section", { "aria-labelledby": "calls-title" },
    h("header", { class: "head" }, h("h2", { id: "calls-title" }, "Routing and tool calls")),
    told.length ? h("ul", { class: "panel told" }, told) : null,
    h("div", { class: "calls" }, body.tool_calls.map((call) => callCard(call, judged && judged.calls.find((one) => one.position === call.position)))));
}

function routingNotes(judged) {
  const notes = [];
  if (judged.unjudged) notes.push(h("li", null, `Not judged: ${worded(judged.unjudged)}`));
  if (judged.agent_ok === false) notes.push(h("li", null, tag("wrong agent", "t-bad"), " ", judged.fitting_agent ? ["should be ", said(judged.fitting_agent, { class: "right" })] : null));
  for (const one of judged.collections.filter((row) => row.ok === false)) notes.push(h("li", null, tag("wrong collection", "t-bad"), " ", said(one.collection, { class: "wrong" }), one.fits ? [" should be ", said(one.fits, { class: "right" })] : null, one.reason ? h("span", { class: "note", dir: "auto" }, ` ${one.reason}`) : null));
  for (const one of judged.missing) notes.push(h("li", null, tag("never called", "t-bad"), " ", `${one.kind} `, said(one.name, { class: "right" }), one.reason ? h("span", { class: "note", dir: "auto" }, ` ${one.reason}`) : null));
  if (judged.refined_faithful === false) notes.push(h("li", null, tag("refined query drifted", "t-bad"), judged.lost_constraints.length ? [" lost ", said(judged.lost_constraints.join(", "), { class: "wrong" })] : null));
  if (judged.reason) notes.push(h("li", { class: "note", dir: "auto" }, `The judge: ${judged.reason}`));
  return notes;
}

function callCard(call, judged) {
  const wrong = new Map((judged ? judged.wrong_arguments : []).map((one) => [one.argument, one]));
  const rows = call.named_arguments === null
    ? [[h("dt", null, "arguments"), h("dd", { dir: "auto" }, call.arguments === null ? "not captured" : call.arguments)]]
    : call.named_arguments.map(([name, text]) => argument(name, text, wrong.get(name)));
  const left = [...wrong.values()].filter((one) => !(call.named_arguments || []).some(([name]) => name === one.argument));
  rows.push(...left.map((one) => argument(one.argument, null, one)));
  const result = call.error || call.result;
  return h("div", { class: "panel call" },
    h("h3", null, said(call.name, { class: "code" }), tag(call.status, call.status === "ok" ? "" : "t-warn"), judged && judged.tool_ok === false ? [tag("wrong tool", "t-bad"), judged.fits ? h("span", { class: "note" }, "should be ", said(judged.fits, { class: "right" })) : null] : null, call.truncated ? tag("cut off") : null),
    h("dl", { class: "args" }, rows.flat()),
    result ? h("details", null, h("summary", null, call.error ? "Error" : "Result"), h("pre", { dir: "auto" }, result)) : h("p", { class: "note" }, "No result was captured."),
    h("p", { class: "note" }, [call.agent && `called by ${call.agent}`, call.catalogue && `could choose from ${call.catalogue.join(", ")}`, judged && judged.reason].filter(Boolean).map((one, place) => [place ? " · " : "", said(one)])));
}

function argument(name, text, wrong) {
  const value = text === null ? h("span", { class: "wrong" }, "left out") : said(text, { class: wrong ? "wrong" : null });
  const right = wrong ? [wrong.expected === null ? null : [" should be ", said(wrong.expected, { class: "right" })], h("span", { class: "note", dir: "auto" }, ` known from ${wrong.known_from}`)] : null;
  return [h("dt", { dir: "auto" }, name), h("dd", null, value, right)];
}

// Findings and metrics

function findingsSection(body, evidence) {
  if (!body.findings.length) return null;
  const rows = body.findings.map((row) => [tag(row.role, `r-${row.role}`), row.stage, h("code", { title: meaning(row.kind) }, row.kind), said(row.explanation), references(evidence, row.evidence, 6)]);
  return h("section", { "aria-labelledby": "findings-title" },
    h("header", { class: "head" }, h("h2", { id: "findings-title" }, "Findings")),
    h("div", { class: "panel flush wide" }, table({ class: "plain" }, ["Role", "Stage", "Kind", "What", "Evidence"], rows)));
}

function metricsSection(body) {
  const rows = body.metrics.map((row) => [row.stage, h("code", null, row.metric), h("span", { class: "num" }, metricValue(row)), metricBase(row)]);
  if (!rows.length) return null;
  const defined = rows.filter((row, place) => body.metrics[place].reason === null);
  const rest = rows.filter((row, place) => body.metrics[place].reason !== null);
  const heads = ["Stage", "Metric", "Value", "Counts"];
  return h("section", { "aria-labelledby": "turn-metrics-title" },
    h("header", { class: "head" }, h("h2", { id: "turn-metrics-title" }, "Metrics of this turn"), h("p", { class: "note" }, "Computed from stored verdicts.")),
    h("div", { class: "panel flush wide" }, table({ class: "plain" }, heads, defined),
      rest.length ? h("details", null, h("summary", null, `${counted(rest.length, "metric")} without a value`), table({ class: "plain" }, heads, rest)) : null));
}

function metricValue(row) {
  if (row.value === null) return "n/a";
  if (row.unit === "ms") return duration(row.value);
  return row.unit === "tokens" ? count(row.value) : score(row.value);
}

function metricBase(row) {
  if (row.reason !== null) return [h("code", null, row.reason), " ", h("span", { class: "note" }, meaning(row.reason) || "")];
  return row.unit === "share" ? `${Number(row.hits.toFixed(2))} of ${row.total}` : "";
}
