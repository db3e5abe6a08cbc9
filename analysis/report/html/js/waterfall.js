// When each span ran. Those of a stage carry its colour; the others are folded away.

function waterfallSection(body) {
  const spans = body.spans;
  if (!spans.length) return null;
  const ends = spans.map((span) => (span.offset_ms || 0) + (span.duration_ms || 0));
  const whole = Math.max(...ends, 0.001);
  const told = spans.filter((span) => span.stage || span.depth === 0 || span.status === "error");
  const rows = spans.map((span) => waterfallRow(body, span, whole, !told.includes(span)));
  const list = h("div", { class: "panel waterfall folded" }, rows);
  const rest = spans.length - told.length;
  const unfolding = rest ? h("button", { type: "button", "aria-expanded": "false", click: (event) => {
    const folded = list.classList.toggle("folded");
    event.target.textContent = folded ? `Show ${counted(rest, "other span")}` : "Stages only";
    event.target.setAttribute("aria-expanded", String(!folded));
  } }, `Show ${counted(rest, "other span")}`) : null;
  return h("section", { "aria-labelledby": "spans-title" },
    h("header", { class: "head" }, h("h2", { id: "spans-title" }, "What ran"),
      h("p", { class: "note" }, `${duration(whole)}; ${told.length} of ${counted(spans.length, "span")} shown. Times as recorded.`), unfolding),
    list);
}

function waterfallRow(body, span, whole, other) {
  const mark = span.stage ? body.marks[span.stage] : null;
  const name = h("button", { type: "button", class: "span-name", title: "Show its attributes", click: (event) => openSpan(event.target, span.span_id) }, said(span.name || "(no name)"));
  name.style.paddingInlineStart = `${Math.min(span.depth, 12) * 14}px`;
  const bar = span.duration_ms === null ? null : svg("svg", { class: "span-bar", viewBox: "0 0 1000 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: mark ? `b-${mark}` : "b-other", x: (span.offset_ms / whole) * 1000, width: Math.max((span.duration_ms / whole) * 1000, 3), y: 0, height: 10, rx: 1 }));
  return h("div", { class: `span-row ${other ? "span-other" : ""}` },
    h("span", { class: "span-cell" }, name),
    h("span", { class: "span-stage" }, span.stage ? tag(span.stage, mark === "fine" || mark === "latent" ? "" : `r-${mark}`) : h("span", { class: "note" }, span.kind), span.status === "error" ? tag("error", "t-bad") : null),
    h("span", { class: "span-track" }, bar),
    h("span", { class: "num" }, duration(span.duration_ms)));
}

function openSpan(from, id) {
  const details = from.closest("#turn").querySelector(`details[data-span="${CSS.escape(id)}"]`);
  if (!details) return;
  details.closest("details.raw").open = true;
  details.open = true;
  details.querySelector("summary").focus({ preventScroll: true });
  details.scrollIntoView({ block: "nearest" });
}

/** Everything that was recorded, behind a disclosure, built when it is opened. */
function rawSection(body) {
  if (!body.spans.length) return null;
  const one = (span) => {
    const details = h("details", { "data-span": span.span_id, toggle: () => {
      if (details.open && details.children.length === 1) details.append(attributesOf(span));
    } }, h("summary", null, said(span.name || "(no name)"), h("span", { class: "note" }, ` ${span.kind} · ${span.span_id} · ${counted(span.attributes.length, "attribute")}`)));
    return details;
  };
  return h("details", { class: "panel raw" }, h("summary", null, `Raw attributes of ${counted(body.spans.length, "span")}`), body.spans.map(one));
}

function attributesOf(span) {
  const facts = [["span", span.span_id], ["parent", span.parent_span_id || "–"], ["service", span.service || "–"], ["convention", span.convention || "–"], ["status", span.status], ["start, ns", span.start_ns || "–"], ["end, ns", span.end_ns || "–"], ["flags", span.flags.join(", ") || "–"]];
  return h("dl", { class: "attributes" },
    facts.map(([name, text]) => [h("dt", { class: "note" }, name), h("dd", { dir: "auto" }, text)]),
    span.attributes.map(([name, text, cut]) => [h("dt", { dir: "auto" }, name), h("dd", null, h("pre", { dir: "auto" }, text), cut ? h("p", { class: "note" }, `${counted(cut, "more character")} in spans.parquet`) : null)]));
}
