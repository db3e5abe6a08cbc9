// The list of turns: of any length, with a few dozen rows in the page.

const ROW = 36;
const NARROW_ROW = 54;
const narrow = matchMedia("(max-width: 760px)");
const SEEN = 14;
const AROUND = 6;
const MOST_CHOICES = 500;
const OUTCOMES = [
  ["failed", "failing turns"],
  ["not_judged", "not judged"],
  ["passed", "passed"],
  ["all", "all turns"],
];
const HEADS = {
  time: "Time (UTC)",
  marks: "Stages",
  root: "Root",
  agent: "Agent",
  question: "Question",
  language: "Lang.",
  id: "Turn",
};

class TurnList {
  /** Make the list; `go` changes the route. */
  constructor(index, go) {
    this.index = index;
    this.go = go;
    this.rows = [];
    this.drawn = new Map();
    this.count = h("span", { class: "list-count", "aria-live": "polite" });
    this.search = h("input", {
      type: "search",
      placeholder: "Search question, root, turn",
      "aria-label": "Search the turns",
      input: () => this.typed(),
    });
    this.outcome = select("Outcome", OUTCOMES, (value) => go({ outcome: value === "failed" ? null : value }));
    this.kind = select("Root", this.roots(), (value) => go({ kind: value || null }));
    this.segment = select("Segment", [], (value) => go({ seg: value === "*" ? null : value.slice(1) }));
    this.chips = h("div", { class: "chips" });
    this.heads = h("div", { class: "v-row v-head", role: "row", "aria-rowindex": 1 },
      Object.entries(HEADS).map(([name, text]) =>
        h("span", { role: "columnheader", class: `v-${name}`, "data-sort": name },
          button(text, () => this.sort(name)))));
    this.space = h("div", { class: "v-space" });
    narrow.addEventListener("change", () => this.lay());
    this.body = h("div", { class: "v-body", role: "rowgroup", scroll: () => this.draw() }, this.space);
    this.table = h("div", { role: "table", "aria-label": "Turns" },
      h("div", { role: "rowgroup" }, this.heads), this.body);
    this.node = h("div", { class: "panel flush" },
      h("div", { class: "list-tools" }, this.search, this.outcome, this.kind, this.segment, this.count,
        button("Copy as JSON", () => this.copy(), "list-copy")),
      this.chips, this.table);
  }

  /** Stages and kinds that occur, with their turns, as choices. */
  roots() {
    const column = this.index.columns.root;
    const turns = new Map();
    for (const code of column.codes) {
      const root = column.values[code];
      if (root === null) continue;
      for (const name of [root, root.split(".")[0]]) turns.set(name, (turns.get(name) || 0) + 1);
    }
    const stageFirst = (a, b) => a[0].includes(".") - b[0].includes(".") || b[1] - a[1];
    const choices = [...STAGES, "undetermined"].flatMap((stage) =>
      [...turns].filter(([name]) => isOf(name, stage)).sort(stageFirst));
    return [["", "any root"], ...choices.map(([name, number]) => [name, `${name} (${count(number)})`])];
  }

  sort(name) {
    const now = this.route.sort || "-time";
    const first = name === "time" ? "-time" : name;
    const other = first.startsWith("-") ? name : `-${name}`;
    this.go({ sort: now === first ? other : first });
  }

  /** Height of a line: on a narrow screen the root stands below the question. */
  get height() {
    return narrow.matches ? NARROW_ROW : ROW;
  }

  /** Show what a route lets through; `links` is the route as it was asked for. */
  show(route, links) {
    this.route = route;
    this.links = links;
    this.rows = listed(this.index, route);
    if (document.activeElement !== this.search) this.search.value = route.q || "";
    this.outcome.value = route.outcome || "failed";
    this.kind.value = route.kind || "";
    this.chips.replaceChildren(...filtersOf(route).map(([text, change]) =>
      button([said(text), " ×"], () => this.go(change), "chip", { "aria-label": `Remove the filter ${text}` })));
    this.showSegments(route);
    this.showCount(route);
    this.showSort(route.sort || "-time");
    this.table.setAttribute("aria-rowcount", this.rows.length + 1);
    this.lay();
  }

  /** Lay the lines anew, from the first one. */
  lay() {
    this.space.style.height = `${Math.max(this.rows.length, 1) * this.height}px`;
    this.body.style.height = `${Math.min(this.rows.length || 2, SEEN) * this.height}px`;
    this.body.scrollTop = 0;
    for (const row of this.drawn.values()) row.remove();
    this.drawn.clear();
    this.draw();
  }

  showSegments(route) {
    this.segment.hidden = !route.by;
    if (!route.by) return;
    if (this.segment.dataset.by !== route.by) {
      this.segment.dataset.by = route.by;
      this.segment.setAttribute("aria-label", route.by);
      const names = this.index.names(route.by).slice(0, MOST_CHOICES);
      const choices = names.map((name) => [`=${name === null ? "" : name}`, segmentName(name)]);
      this.segment.replaceChildren(...options([["*", `any ${route.by}`], ...choices]));
    }
    this.segment.value = route.seg === null ? "*" : `=${route.seg}`;
  }

  showCount(route) {
    const failing = (route.outcome || "failed") === "failed";
    const of = failing ? counted(page.failing, "failing turn") : counted(page.turns, "turn");
    const cut = page.listed < page.turns;
    const rest = cut ? ` (this page lists ${count(page.listed)}; turns.parquet has them all)` : "";
    this.count.replaceChildren("shown ", h("b", null, count(this.rows.length)), ` of ${of}${rest}`);
  }

  showSort(sort) {
    const down = sort.startsWith("-");
    for (const head of this.heads.children) {
      const name = head.dataset.sort;
      const own = name === sort.replace(/^-/, "");
      if (own) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
      head.firstChild.textContent = HEADS[name] + (own ? (down ? " ↓" : " ↑") : "");
    }
  }

  typed() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.go({ q: this.search.value || null }, true), 80);
  }

  /** Keep the rows that can be seen, and some around them, in the page. */
  draw() {
    const seen = this.body.clientHeight || SEEN * this.height;
    const top = this.body.scrollTop;
    const first = Math.max(Math.floor(top / this.height) - AROUND, 0);
    const last = Math.min(Math.ceil((top + seen) / this.height) + AROUND, this.rows.length);
    for (const [place, row] of this.drawn) {
      if (this.rows.length && (place < first || place >= last)) {
        row.remove();
        this.drawn.delete(place);
      }
    }
    let next = null; // rows stand in the page in the order of the list: Tab goes along it
    for (let place = last - 1; place >= first; place -= 1) {
      if (!this.drawn.has(place)) this.drawn.set(place, this.body.insertBefore(this.line(place), next));
      next = this.drawn.get(place);
    }
    if (!this.rows.length && !this.drawn.size) {
      const nothing = h("p", { class: "v-empty" }, "No turn fits these filters.");
      this.drawn.set(0, this.body.appendChild(nothing));
    }
  }

  line(place) {
    const index = this.index;
    const row = this.rows[place];
    const cell = (name, ...content) => h("span", { role: "cell", class: `v-${name}` }, content);
    const link = {
      href: hashOf(turnOf(this.links, index, row)),
      dir: "auto",
      title: index.columns.sentence[row],
    };
    const node = h("div", { class: "v-row", role: "row", "aria-rowindex": place + 2, "data-place": place },
      cell("time", moment(index.columns.time[row])),
      cell("marks", marks(index.coded("marks", row))),
      cell("root", this.became(row)),
      cell("agent", said(segmentName(index.carried("agent", row)[0]))),
      cell("question", h("a", link, index.columns.question[row] || "(question not captured)")),
      cell("language", index.carried("language", row)[0] || "–"),
      cell("id", said(index.id(row))));
    node.style.top = `${place * this.height}px`;
    return node;
  }

  became(row) {
    const root = this.index.coded("root", row);
    if (root !== null) return this.index.columns.inherited[row] ? `${root}, inherited` : root;
    const words = [worded(this.index.coded("outcome", row)), this.index.coded("reason", row)];
    return said(words.filter(Boolean).join(": "));
  }

  /** Put the focus on a line, and the line into view. */
  focus(place) {
    if (!this.rows.length) return;
    const wanted = Math.min(Math.max(place, 0), this.rows.length - 1);
    const top = wanted * this.height;
    const below = top + this.height - this.body.clientHeight;
    if (top < this.body.scrollTop) this.body.scrollTop = top;
    else if (below > this.body.scrollTop) this.body.scrollTop = below;
    this.draw();
    this.drawn.get(wanted).querySelector("a").focus({ preventScroll: true });
  }

  /** Place of the line that has the focus, -1 without any. */
  focused() {
    const row = document.activeElement && document.activeElement.closest(".v-row[data-place]");
    return row ? Number(row.dataset.place) : -1;
  }

  copy() {
    const { columns } = this.index;
    const time = (row) => (columns.time[row] === null ? null : new Date(columns.time[row]).toISOString());
    const turns = this.rows.map((row) => ({
      turn_id: this.index.id(row),
      started_at: time(row),
      outcome: this.index.coded("outcome", row),
      outcome_reason: this.index.coded("reason", row),
      root: this.index.coded("root", row),
      question: columns.question[row],
      sentence: columns.sentence[row],
    }));
    const all = { run_id: page.run_id, filter: filterText(this.route), turns };
    copyText(JSON.stringify(all, null, 1), `${counted(turns.length, "turn")} copied`);
  }
}

function select(label, choices, chosen) {
  const change = (event) => chosen(event.target.value);
  return h("select", { "aria-label": label, change }, options(choices));
}

const options = (choices) => choices.map(([value, text]) => h("option", { value }, text));
