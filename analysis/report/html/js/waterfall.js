// When each span ran. Those of a stage carry its colour; the others are folded away.

const COLOURED = new Set(["root", "downstream", "contributing"]);

function waterfallSection(body) {
  const { spans } = body;
  if (!spans.length) return null;
  const ends = spans.map((span) => (span.offset_ms || 0) + (span.duration_ms || 0));
  const whole = ends.reduce((latest, end) => Math.max(latest, end), 0.001);
  const told = (span) => span.stage || span.depth === 0 || span.status === "error";
  const list = h("div", { class: "panel waterfall folded" },
    spans.map((span) => waterfallRow(body, span, whole, told(span) ? "" : "span-other")));
  const rest = spans.filter((span) => !told(span)).length;
  const text = `${duration(whole)}; ${spans.length - rest} of ${counted(spans.length, "span")} shown. Times as recorded.`;
  return section("spans", "What ran", [note(text), rest ? unfolding(list, rest) : null], list);
}

function unfolding(list, rest) {
  const more = `Show ${counted(rest, "other span")}`;
  const act = (event) => {
    const folded = list.classList.toggle("folded");
    event.target.textContent = folded ? more : "Stages only";
    event.target.setAttribute("aria-expanded", String(!folded));
  };
  return button(more, act, "quiet", { "aria-expanded": "false" });
}

function waterfallRow(body, span, whole, kind) {
  const mark = span.stage ? body.marks[span.stage] : null;
  const open = (event) => goTo(event.target, `details[data-span="${CSS.escape(span.span_id)}"]`);
  const name = button(said(span.name || "(no name)"), open, "span-name", { title: "Show its attributes" });
  name.style.paddingInlineStart = `${Math.min(span.depth, 12) * 14}px`;
  return h("div", { class: `span-row ${kind}` },
    h("span", { class: "span-cell" }, name),
    h("span", { class: "span-stage" },
      span.stage ? tag(span.stage, COLOURED.has(mark) ? `r-${mark}` : "") : note(span.kind),
      span.status === "error" ? tag("error", "t-bad") : null),
    span.duration_ms === null ? h("span") : bar(span, whole, mark || "other"),
    h("span", { class: "num" }, duration(span.duration_ms)));
}

function bar(span, whole, kind) {
  const share = (ms) => (ms / whole) * 1000;
  const box = { x: share(span.offset_ms), width: Math.max(share(span.duration_ms), 3), y: 0, height: 10 };
  return svg("svg", { class: "span-bar", viewBox: "0 0 1000 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: `b-${kind}`, ...box }));
}

/** Everything that was recorded, behind a disclosure, built when it is opened. */
function rawSection(body) {
  if (!body.spans.length) return null;
  return h("details", { class: "panel raw" },
    h("summary", null, `Raw attributes of ${counted(body.spans.length, "span")}`),
    body.spans.map(rawSpan));
}

function rawSpan(span) {
  const about = ` ${span.kind} · ${span.span_id} · ${counted(span.attributes.length, "attribute")}`;
  const node = h("details", { "data-span": span.span_id },
    h("summary", null, said(span.name || "(no name)"), note(about)));
  node.addEventListener("toggle", () => {
    if (node.open && node.children.length === 1) node.append(recorded(span));
  });
  return node;
}

function recorded(span) {
  const facts = {
    "parent span": span.parent_span_id,
    service: span.service,
    convention: span.convention,
    status: span.status,
    "start, ns": span.start_ns,
    "end, ns": span.end_ns,
    flags: span.flags.join(", "),
  };
  const cutText = (cut) => (cut ? aside(`${counted(cut, "more character")} in spans.parquet`) : null);
  return h("dl", { class: "attributes" },
    Object.entries(facts).map(([name, text]) => [h("dt", null, name), h("dd", { dir: "auto" }, text || "–")]),
    span.attributes.map(([name, text, cut]) =>
      [h("dt", { dir: "auto" }, name), h("dd", null, h("pre", { dir: "auto" }, text), cutText(cut))]));
}
