// The page of one turn: its conversation beside it, what broke it first, then what shows it.

class TurnPage {
  constructor(index, node) {
    this.index = index;
    this.node = node;
    this.asked = 0;
  }

  /** Show a turn: what the list knows at once, the rest when its body is unpacked. */
  async show(route, rows) {
    const asked = (this.asked += 1);
    const index = this.index;
    const row = index.find(route.conversation, route.turn);
    if (row === null) {
      this.node.replaceChildren(h("h1", { class: "lede" }, "There is no such turn in this page."), h("p", { class: "sub", dir: "auto" }, `${route.conversation}, turn ${route.turn}. `, h("a", { href: hashOf(overviewOf(route)) }, "Back to the breakdown")));
      return;
    }
    const article = h("article", { class: "story" }, this.headline(row), h("p", { class: "note" }, "Unpacking …"));
    this.node.replaceChildren(this.crumbs(route, row, rows), h("div", { class: "turn-page" }, this.rail(route, row), article));
    const body = await bodyOf(index, row);
    if (asked !== this.asked) return; // the reader has gone on
    if (body === null) article.lastChild.replaceWith(this.absent(row));
    else article.replaceChildren(...this.story(row, body));
  }

  crumbs(route, row, rows) {
    const place = rows.indexOf(row);
    const link = (other, text, rel) => (other === undefined ? h("span", { class: "faint" }, text) : h("a", { href: hashOf(turnOf(route, this.index, other)), rel }, text));
    const filter = filterText(route);
    return h("nav", { class: "crumbs", "aria-label": "Where you are" },
      h("span", null, h("a", { href: hashOf(overviewOf(route)) }, "Breakdown"), filter ? [" / ", said(filter)] : null, " / ", said(route.conversation), ` / turn ${route.turn}`),
      h("span", { class: "crumbs-end" }, link(rows[place - 1], "← previous", "prev"), place < 0 ? "not in the list" : `${count(place + 1)} of ${count(rows.length)}`, link(place < 0 ? rows[0] : rows[place + 1], "next →", "next")));
  }

  rail(route, row) {
    const index = this.index;
    const rows = index.conversation(route.conversation);
    const items = rows.map((one) => {
      const root = index.coded("root", one);
      const time = index.columns.time[one];
      return h("li", null, h("a", { href: hashOf(turnOf(route, index, one)), "aria-current": one === row ? "page" : null },
        h("span", { class: "rail-head" }, `Turn ${index.columns.turn[one]}`, time === null ? "" : ` · ${moment(time).slice(11)}`, root === null ? tag(worded(index.coded("outcome", one)), index.coded("outcome", one) === "passed" ? "t-good" : "") : marks(index.coded("marks", one)), index.columns.inherited[one] ? h("span", { title: "repeats a failing claim of an earlier turn" }, "inherited") : null),
        said(index.columns.question[one] || "(question not captured)", { class: "rail-question" })));
    });
    return h("aside", { class: "rail", "aria-label": "Conversation" }, h("h2", null, `Conversation, ${counted(rows.length, "turn")}`), h("ol", null, items), h("div", { id: "turn-facts" }));
  }

  headline(row) {
    const index = this.index;
    const outcome = index.coded("outcome", row);
    const reason = index.coded("reason", row);
    const sentence = index.columns.sentence[row];
    const root = index.coded("root", row);
    const lede = h("h1", { class: "lede", dir: "auto" }, sentence || (outcome === "passed" ? "Passed." : outcome === "not_judged" ? "Not judged." : "Failed."));
    const told = outcome === "failed" ? [h("span", { class: "tag r-root" }, root.startsWith("undetermined") ? "undetermined" : "root"), " ", h("b", null, root), " ", h("span", { class: "note" }, meaning(split(root, ".")[1]) || "")] : reason ? [h("code", null, reason), " ", h("span", { class: "note" }, meaning(reason) || "")] : [];
    return h("header", null, lede, told.length ? h("p", { class: "became" }, told) : null);
  }

  absent(row) {
    const id = this.index.id(row);
    return h("div", { class: "panel" },
      h("p", null, `The details of this turn are not in this page, which has room for ${count(page.bodies)} of ${counted(page.turns, "turn")} (${count(page.failing_bodies)} of ${count(page.failing)} that failed).`),
      h("p", { class: "note" }, "In a terminal: ", h("code", { dir: "auto" }, `stagefault show ${id} --run ${page.run_id}`)));
  }

  story(row, body) {
    const evidence = new Evidence(body);
    const head = this.headline(row);
    if (body.turn.sentence) head.firstChild.textContent = body.turn.sentence;
    byId("turn-facts").replaceChildren(turnFacts(body.turn));
    return [
      head,
      body.turn.inherited_from ? h("p", { class: "became" }, tag("inherited"), " from ", said(body.turn.inherited_from)) : null,
      h("div", { class: "question" }, h("span", { class: "note" }, "Question"), h("p", { class: "pre", dir: "auto" }, body.turn.question === null ? "(not captured)" : body.turn.question)),
      chain(body),
      whySection(body, evidence),
      evidenceSection(body, evidence),
      callsSection(body),
      findingsSection(body, evidence),
      waterfallSection(body),
      metricsSection(body),
      judgementsSection(body, evidence),
      h("div", { class: "actions turn-actions" },
        h("button", { type: "button", click: () => copyText(JSON.stringify(body, null, 1), "Turn copied") }, "Copy turn as JSON"),
        h("button", { type: "button", click: () => correct({ question: "outcome", turn_id: body.turn.turn_id, subject: "turn", judge_label: body.turn.root_stage || body.turn.outcome, key: null }, RIGHT.outcome) }, "I disagree: copy a correction")),
      rawSection(body),
    ].filter(Boolean);
  }
}

function turnFacts(turn) {
  const facts = [
    ["agent", (turn.agents || []).join(" → ") || turn.agent], ["model", turn.model], ["service", turn.service], ["tenant", turn.tenant],
    ["language", [turn.language, turn.answer_language !== turn.language && turn.answer_language].filter(Boolean).join(" → answer ")],
    ["refined query", turn.refined_query],
    ["took", turn.duration_ms === null ? null : duration(turn.duration_ms)],
    ["tokens", turn.input_tokens === null ? null : `${count(turn.input_tokens)} in, ${turn.output_tokens === null ? "–" : count(turn.output_tokens)} out`],
    ["trace", (turn.trace_ids || []).join(", ")],
    ["flags", (turn.flags || []).map(worded).join(", ")],
    ["gaps", (turn.gaps || []).map(worded).join(", ")],
  ].filter(([, text]) => text);
  return h("dl", { class: "turn-facts" }, facts.map(([name, text]) => [h("dt", null, name), h("dd", { dir: "auto" }, text)]));
}
