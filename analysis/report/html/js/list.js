// The list of turns: filtered, sorted, and of any length with a few dozen rows in the page.

const ROW = 36;
const AROUND = 6;
const OUTCOMES = [["failed", "failing turns"], ["not_judged", "not judged"], ["passed", "passed"], ["all", "all turns"]];
const SORTS = { time: "Time (UTC)", marks: "Stages", root: "Root", agent: "Agent", question: "Question", language: "Lang.", id: "Turn" };

/** Rows that a route lets through, in its order. */
function listed(index, route) {
  const rows = [];
  const fits = fitting(index, route);
  for (let row = 0; row < index.length; row += 1) if (fits(row)) rows.push(row);
  return sorted(index, rows, route.sort || "-time");
}

function fitting(index, route) {
  const tests = [];
  const outcome = route.outcome || "failed";
  if (outcome !== "all") tests.push(codeTest(index.columns.outcome, (value) => value === outcome));
  if (route.kind) tests.push(codeTest(index.columns.root, (root) => root !== null && (root === route.kind || root.startsWith(`${route.kind}.`))));
  if (route.seg !== null && route.by) tests.push(segmentTest(index, route.by, route.seg || null));
  const asked = (route.q || "").trim().toLowerCase();
  if (asked) tests.push((row) => haystack(index, row).includes(asked));
  return (row) => tests.every((test) => test(row));
}

function codeTest(column, holds) {
  const fits = column.values.map(holds);
  return (row) => fits[column.codes[row]];
}

function segmentTest(index, by, name) {
  if (by === "day") return (row) => day(index.columns.time[row]) === name;
  const column = index.columns.by[by];
  if (!column) return () => true;
  const number = column.names.indexOf(name);
  const fits = column.sets.map((set) => set.includes(number));
  return (row) => fits[column.codes[row]];
}

const haystacks = [];

function haystack(index, row) {
  if (haystacks[row] === undefined) {
    const columns = index.columns;
    haystacks[row] = [columns.question[row], columns.sentence[row], index.coded("root", row), index.coded("reason", row), index.id(row)]
      .filter(Boolean).join("\n").toLowerCase();
  }
  return haystacks[row];
}

function sorted(index, rows, sort) {
  const down = sort.startsWith("-");
  const name = sort.replace(/^-/, "");
  const key = sortKey(index, name);
  if (!key) return rows;
  const keys = new Map(rows.map((row) => [row, key(row)]));
  const order = (a, b) => {
    const one = keys.get(a);
    const other = keys.get(b);
    if (one === other) return a - b;
    if (one === null || one === "") return 1;
    if (other === null || other === "") return -1;
    return (one < other) === down ? 1 : -1;
  };
  return rows.sort(order);
}

function sortKey(index, name) {
  switch (name) {
    case "time": return (row) => index.columns.time[row];
    case "marks": return (row) => index.coded("marks", row);
    case "root": return (row) => index.coded("root", row);
    case "question": return (row) => (index.columns.question[row] || "").toLowerCase();
    case "id": return (row) => index.id(row);
    case "agent":
    case "language": return (row) => index.carried(name, row)[0];
    default: return null;
  }
}

/** The list as it stands in the page. */
class TurnList {
  constructor(index, go) {
    this.index = index;
    this.go = go;
    this.rows = [];
    this.drawn = new Map();
    this.count = h("span", { class: "list-count", "aria-live": "polite" });
    this.search = h("input", { type: "search", placeholder: "Search question, root, turn", "aria-label": "Search the turns", input: () => this.typed() });
    this.outcome = select("Outcome", OUTCOMES, (value) => this.go({ outcome: value === "failed" ? null : value }));
    this.kind = select("Root", this.kinds(), (value) => this.go({ kind: value || null }));
    this.segment = select("Segment", [], (value) => this.go({ seg: value === "*" ? null : value.slice(1) }));
    this.chips = h("div", { class: "chips" });
    this.heads = h("div", { class: "v-row v-head", role: "row", "aria-rowindex": 1 }, Object.entries(SORTS).map(([name, text]) => this.head(name, text)));
    this.space = h("div", { class: "v-space" });
    this.body = h("div", { class: "v-body", role: "rowgroup", scroll: () => this.draw() }, this.space);
    this.table = h("div", { role: "table", "aria-label": "Turns" }, h("div", { role: "rowgroup" }, this.heads), this.body);
    this.node = h("div", { class: "panel flush" },
      h("div", { class: "list-tools" }, this.search, this.outcome, this.kind, this.segment, this.count,
        h("button", { type: "button", class: "list-copy", click: () => this.copy() }, "Copy as JSON")),
      this.chips, this.table);
  }

  kinds() {
    const counts = new Map();
    const root = this.index.columns.root;
    root.codes.forEach((code) => counts.set(root.values[code], (counts.get(root.values[code]) || 0) + 1));
    counts.delete(null);
    const stages = new Map();
    for (const [kind, turns] of counts) stages.set(kind.split(".")[0], (stages.get(kind.split(".")[0]) || 0) + turns);
    const known = [...STAGES, "undetermined"].filter((stage) => stages.has(stage));
    const options = known.flatMap((stage) => [[stage, `${stage} (${count(stages.get(stage))})`],
      ...[...counts].filter(([kind]) => kind.startsWith(`${stage}.`)).map(([kind, turns]) => [kind, `${kind} (${count(turns)})`])]);
    return [["", "any root"], ...options];
  }

  head(name, text) {
    const sort = () => this.go({ sort: this.route.sort === name ? `-${name}` : (this.route.sort || "-time") === `-${name}` ? name : name === "time" ? "-time" : name });
    return h("span", { role: "columnheader", class: `v-${name}`, "data-sort": name }, h("button", { type: "button", click: sort }, text));
  }

  show(route) {
    this.route = route;
    this.rows = listed(this.index, route);
    if (document.activeElement !== this.search) this.search.value = route.q || "";
    this.outcome.value = route.outcome || "failed";
    this.kind.value = route.kind || "";
    this.fillSegments(route);
    this.fillChips(route);
    const of = (route.outcome || "failed") === "failed" ? counted(page.failing, "failing turn") : counted(page.turns, "turn");
    const missing = page.listed < page.turns ? ` (the page lists ${count(page.listed)} of ${count(page.turns)}; turns.parquet has all)` : "";
    this.count.replaceChildren("shown ", h("b", null, count(this.rows.length)), ` of ${of}${missing}`);
    const sort = route.sort || "-time";
    for (const head of this.heads.children) {
      const own = sort.replace(/^-/, "") === head.dataset.sort;
      if (own) head.setAttribute("aria-sort", sort.startsWith("-") ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
      head.firstChild.textContent = SORTS[head.dataset.sort] + (own ? (sort.startsWith("-") ? " ↓" : " ↑") : "");
    }
    this.table.setAttribute("aria-rowcount", this.rows.length + 1);
    this.space.style.height = `${Math.max(this.rows.length, 1) * ROW}px`;
    this.body.style.height = `${Math.min(Math.max(this.rows.length, 2), 14) * ROW}px`;
    this.clear();
    this.draw();
  }

  fillSegments(route) {
    const by = route.by;
    this.segment.hidden = !by;
    if (!by) return;
    if (this.segment.dataset.by !== by) {
      this.segment.dataset.by = by;
      this.segment.setAttribute("aria-label", by);
      const names = this.index.names(by).slice(0, 500);
      this.segment.replaceChildren(...options([["*", `any ${by}`], ...names.map((name) => [`=${name === null ? "" : name}`, segmentName(name)])]));
    }
    this.segment.value = route.seg === null ? "*" : `=${route.seg}`;
  }

  fillChips(route) {
    const chip = (text, change) => h("button", { type: "button", class: "chip", "aria-label": `Remove the filter ${text}`, click: () => this.go(change) }, said(text), " ×");
    const chips = [];
    if (route.kind) chips.push(chip(route.kind, { kind: null }));
    if (route.seg !== null && route.by) chips.push(chip(`${route.by}: ${segmentName(route.seg || null)}`, { seg: null }));
    if (route.outcome && route.outcome !== "failed") chips.push(chip(worded(route.outcome), { outcome: null }));
    if (route.q) chips.push(chip(`“${route.q}”`, { q: null }));
    this.chips.replaceChildren(...chips);
  }

  typed() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.go({ q: this.search.value || null }, true), 80);
  }

  clear() {
    for (const row of this.drawn.values()) row.remove();
    this.drawn.clear();
  }

  draw() {
    const first = Math.max(Math.floor(this.body.scrollTop / ROW) - AROUND, 0);
    const last = Math.min(Math.ceil((this.body.scrollTop + (this.body.clientHeight || 14 * ROW)) / ROW) + AROUND, this.rows.length);
    for (const [place, row] of this.drawn) {
      if (place < first || place >= last) {
        row.remove();
        this.drawn.delete(place);
      }
    }
    for (let place = first; place < last; place += 1) {
      if (!this.drawn.has(place)) {
        const row = this.line(place);
        this.drawn.set(place, row);
        this.body.append(row);
      }
    }
    if (!this.rows.length && !this.drawn.size) {
      const nothing = h("p", { class: "v-empty" }, "No turn fits these filters.");
      this.drawn.set(0, nothing);
      this.body.append(nothing);
    }
  }

  line(place) {
    const index = this.index;
    const row = this.rows[place];
    const cell = (name, ...content) => h("span", { role: "cell", class: `v-${name}` }, content);
    const node = h("div", { class: "v-row", role: "row", "aria-rowindex": place + 2, "data-place": place },
      cell("time", moment(index.columns.time[row])),
      cell("marks", marks(index.coded("marks", row))),
      cell("root", this.became(row)),
      cell("agent", said(segmentName(index.carried("agent", row)[0]))),
      cell("question", h("a", { href: hashOf(turnOf(this.route, index, row)), dir: "auto", title: index.columns.sentence[row] }, index.columns.question[row] || "(question not captured)")),
      cell("language", index.carried("language", row)[0] || "–"),
      cell("id", said(index.id(row))));
    node.style.top = `${place * ROW}px`;
    return node;
  }

  became(row) {
    const root = this.index.coded("root", row);
    if (root === null) return said([worded(this.index.coded("outcome", row)), this.index.coded("reason", row)].filter(Boolean).join(": "));
    return [root, this.index.columns.inherited[row] ? " ↺" : ""];
  }

  /** Put the focus on a line, and the line into view. */
  focus(place) {
    if (!this.rows.length) return;
    const wanted = Math.min(Math.max(place, 0), this.rows.length - 1);
    const top = wanted * ROW;
    if (top < this.body.scrollTop) this.body.scrollTop = top;
    else if (top + ROW > this.body.scrollTop + this.body.clientHeight) this.body.scrollTop = top + ROW - this.body.clientHeight;
    this.draw();
    this.drawn.get(wanted).querySelector("a").focus();
  }

  /** Place of the line that has the focus, -1 without any. */
  focused() {
    const row = document.activeElement && document.activeElement.closest(".v-row[data-place]");
    return row ? Number(row.dataset.place) : -1;
  }

  copy() {
    const index = this.index;
    const turns = this.rows.map((row) => ({
      turn_id: index.id(row),
      started_at: index.columns.time[row] === null ? null : new Date(index.columns.time[row]).toISOString(),
      outcome: index.coded("outcome", row),
      outcome_reason: index.coded("reason", row),
      root: index.coded("root", row),
      question: index.columns.question[row],
      sentence: index.columns.sentence[row],
    }));
    copyText(JSON.stringify({ run_id: page.run_id, filter: filterText(this.route), turns }, null, 1), `${counted(turns.length, "turn")} copied`);
  }
}

function select(label, choices, chosen) {
  return h("select", { "aria-label": label, change: (event) => chosen(event.target.value) }, options(choices));
}

const options = (choices) => choices.map(([value, text]) => h("option", { value }, text));
