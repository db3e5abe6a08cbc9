// Corrections: a person disagrees with the judge, and takes a line along. Nothing is sent.
//
// The line is an annotation of the span that the judgement is about, in the shape that trace
// viewers exchange; `metadata` says which reply it corrects:
//
//     {"span_id": …, "name": "support", "annotator_kind": "HUMAN",
//      "result": {"label": "partial", "explanation": …},
//      "metadata": {"run_id", "turn_id", "subject", "judge_label", "key"}, "identifier": …}

/** Labels that a correction may give, by question. */
const RIGHT = {
  relevance: ["0", "1", "2", "3"],
  probe: ["0", "1", "2", "3"],
  support: ["full", "partial", "none", "contradicted"],
  answer: ["answered", "partly", "abstained", "clarifying", "policy_refusal"],
  routing: ["ok", "not_ok"],
  outcome: ["passed", ...STAGES, "undetermined"],
};

/** The stage whose span a question is about; an outcome is about the whole turn. */
const ABOUT = {
  routing: "routing",
  relevance: "retrieval",
  probe: "retrieval",
  support: "generation",
  answer: "generation",
};

function correctVerdict(body, row) {
  correct(body, {
    question: row.question,
    subject: row.turn_id === null ? `turn ${body.turn.turn}` : row.subject,
    judged: ownLabel(row),
    key: row.key,
  });
}

function correctOutcome(body) {
  const { root_stage: stage, outcome } = body.turn;
  correct(body, { question: "outcome", subject: "turn", judged: stage || outcome, key: null });
}

/** The judge's label in the words of a correction, null when it did not decide. */
function ownLabel(row) {
  if (row.status === "unjudged") return null;
  if (row.question === "routing") return routingWrongs(row).length ? "not_ok" : "ok";
  return row.grade === null ? row.label : String(row.grade);
}

/** Ask what is right and why, and show the line that says so. */
function correct(body, about) {
  const { question, subject, judged } = about;
  const [label, why, line] = ["label", "why", "line"].map((name) => byId(`correction-${name}`));
  const told = judged === null ? "nothing" : worded(judged);
  byId("correction-about").textContent =
    `${question}: ${subject}, of ${body.turn.turn_id}. The judge said: ${told}.`;
  const choices = RIGHT[question].filter((one) => one !== judged);
  label.replaceChildren(...options(choices.map((one) => [one, worded(one)])));
  why.value = "";
  const write = () => {
    line.value = JSON.stringify(annotation(body, about, label.value, why.value.trim()));
  };
  label.onchange = write;
  why.oninput = write;
  byId("correction-copy").onclick = () => copyText(line.value, "Correction copied");
  write();
  byId("correction").showModal();
}

function annotation(body, { question, subject, judged, key }, label, why) {
  const spans = body.spans.filter((span) => !ABOUT[question] || span.stage === ABOUT[question]);
  return {
    span_id: (spans[0] || body.spans[0] || { span_id: null }).span_id,
    name: question,
    annotator_kind: "HUMAN",
    result: { label, ...(why ? { explanation: why } : {}) },
    metadata: { run_id: page.run_id, turn_id: body.turn.turn_id, subject, judge_label: judged, key },
    identifier: `stagefault:${key || body.turn.turn_id}`,
  };
}
