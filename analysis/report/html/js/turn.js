// The page of one turn: its conversation beside it, what broke it first, then what shows it.

class TurnPage {
  constructor(index, node) {
    this.index = index;
    this.node = node;
    this.shows = 0;
    this.body = null; // of the turn that is shown, once it is there
  }

  /** Show a turn: what the list knows at once, the rest when its body is unpacked. */
  async show(route, rows) {
    const number = (this.shows += 1);
    this.body = null;
    const row = this.index.find(route.conversation, route.turn);
    if (row === null) {
      this.node.replaceChildren(...this.unknown(route));
      return;
    }
    const story = h("article", { class: "story" }, this.headline(row), aside("Unpacking …"));
    const facts = h("div");
    this.node.replaceChildren(this.crumbs(route, row, rows),
      h("div", { class: "turn-page" }, this.rail(route, row, facts), story));
    try {
      const body = await bodyOf(this.index, row);
      if (number !== this.shows) return; // the reader has gone on
      if (body === null) {
        story.lastChild.replaceWith(this.absent(row));
        return;
      }
      this.body = body;
      facts.append(turnFacts(body.turn));
      story.replaceChildren(...this.story(row, body).filter(Boolean));
      markWide();
    } catch (error) {
      story.lastChild.replaceWith(aside(`This turn cannot be shown: ${error.message}.`));
      throw error;
    }
  }

  unknown(route) {
    const back = h("a", { href: hashOf(overviewOf(route)) }, "Back to the breakdown");
    const what = route.turn === null ? "conversation" : "turn";
    const asked = route.turn === null ? route.conversation : `${route.conversation}, turn ${route.turn}`;
    return [
      h("h1", { class: "lede" }, `There is no such ${what} in this page.`),
      h("p", { class: "sub", dir: "auto" }, `${asked}. `, back),
    ];
  }

  crumbs(route, row, rows) {
    const place = rows.indexOf(row);
    const step = (other, text, rel) => (other === undefined
      ? h("span", { class: "faint" }, text)
      : h("a", { href: hashOf(turnOf(route, this.index, other)), rel }, text));
    const filter = filterText(route);
    return h("nav", { class: "crumbs", "aria-label": "Where you are" },
      h("span", null,
        h("a", { href: hashOf(overviewOf(route)) }, "Breakdown"),
        filter ? [" / ", said(filter)] : null, " / ", said(route.conversation), ` / turn ${route.turn}`),
      h("span", { class: "crumbs-end" },
        step(rows[place - 1], "← previous", "prev"),
        place < 0 ? "not in the list" : `${count(place + 1)} of ${count(rows.length)}`,
        step(place < 0 ? rows[0] : rows[place + 1], "next →", "next")));
  }

  rail(route, row, facts) {
    const rows = this.index.conversation(route.conversation);
    return h("aside", { class: "rail", "aria-label": "Conversation" },
      h("h2", null, `Conversation, ${counted(rows.length, "turn")}`),
      h("ol", null, rows.map((one) => this.railTurn(route, one, one === row))),
      facts);
  }

  railTurn(route, row, current) {
    const { index } = this;
    const time = index.columns.time[row];
    const outcome = index.coded("outcome", row);
    const failed = index.coded("root", row) !== null;
    const link = { href: hashOf(turnOf(route, index, row)), "aria-current": current ? "page" : null };
    return h("li", null, h("a", link,
      h("span", { class: "rail-head" },
        `Turn ${index.columns.turn[row]}${time === null ? "" : ` · ${moment(time).slice(11)}`}`,
        failed ? marks(index.coded("marks", row)) : tag(worded(outcome), `t-${outcome}`),
        index.columns.inherited[row] ? "inherited" : null),
      said(index.columns.question[row] || "(question not captured)", "rail-question")));
  }

  headline(row, sentence) {
    const { index } = this;
    const outcome = index.coded("outcome", row);
    const root = index.coded("root", row);
    const reason = index.coded("reason", row);
    const text = sentence || index.columns.sentence[row] || `${outcome[0].toUpperCase()}${worded(outcome.slice(1))}.`;
    const lede = h("h1", { class: "lede", dir: "auto" }, root === null ? text : stressed(text));
    if (root === null && !reason) return h("header", null, lede);
    const [stage, kind] = root === null ? [null, reason] : split(root, ".");
    const role = stage === "undetermined" ? stage : "root";
    return h("header", null, lede, h("p", { class: "became" },
      stage ? [tag(role, `r-${role}`), " "] : null, h("b", { dir: "auto" }, root || reason), " ", note(meaning(kind))));
  }

  absent(row) {
    const room = `${count(page.bodies)} of ${counted(page.turns, "turn")}`;
    const failing = `${count(page.failing_bodies)} of ${count(page.failing)} that failed`;
    const why = page.withheld
      ? "This page was made without the details of turns."
      : `The details of this turn are not in this page: it has room for ${room}, ${failing}.`;
    const command = `stagefault show ${this.index.id(row)} --run ${page.run_id}`;
    return h("div", { class: "panel" },
      h("p", null, why), aside("In a terminal: ", h("code", { dir: "auto" }, command)));
  }

  story(row, body) {
    const evidence = new Evidence(body);
    const { turn } = body;
    return [
      this.headline(row, turn.sentence),
      turn.inherited_from ? h("p", { class: "became" }, tag("inherited", "r-inherited"), " from ", said(turn.inherited_from)) : null,
      suspectNote(body),
      h("div", { class: "question" },
        note("Question"),
        h("p", { class: "pre", dir: "auto", lang: tongue(turn.language) }, turn.question === null ? "(not captured)" : turn.question)),
      chain(body),
      whySection(body, evidence),
      againstSection(body, evidence),
      statementsSection(body),
      callsSection(body),
      findingsSection(body, evidence),
      waterfallSection(body),
      metricsSection(body),
      judgementsSection(body, evidence),
      h("div", { class: "actions turn-actions" },
        button("Copy turn as JSON", () => copyText(JSON.stringify(body, null, 1), "Turn copied")),
        button("I disagree: copy a correction", () => correctOutcome(body))),
      rawSection(body),
    ];
  }
}

/** A sentence with its second half, the one that names what is wrong, in colour. */
function stressed(sentence) {
  const sign = ["; ", ": "].find((one) => sentence.includes(one));
  if (!sign) return sentence;
  const place = sentence.indexOf(sign) + sign.length;
  return [sentence.slice(0, place), h("span", { class: "lede-root" }, sentence.slice(place))];
}

function turnFacts(turn) {
  const languages = [turn.language, turn.answer_language === turn.language ? null : turn.answer_language];
  const tokens = (number) => (number === null ? "–" : count(number));
  const facts = {
    agent: (turn.agents || []).join(" → ") || turn.agent,
    model: turn.model,
    service: turn.service,
    tenant: turn.tenant,
    language: languages.filter(Boolean).join(", answer "),
    "refined query": turn.refined_query,
    took: turn.duration_ms === null ? null : duration(turn.duration_ms),
    tokens: turn.input_tokens === null ? null : `${tokens(turn.input_tokens)} in, ${tokens(turn.output_tokens)} out`,
    trace: (turn.trace_ids || []).join(", "),
    flags: (turn.flags || []).map(worded).join(", "),
    gaps: (turn.gaps || []).map(worded).join(", "),
  };
  return h("dl", { class: "turn-facts" },
    Object.entries(facts).filter(([, text]) => text).map(([name, text]) =>
      [h("dt", null, name), h("dd", { dir: "auto" }, text)]));
}
