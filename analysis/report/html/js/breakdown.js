// The table of roots: the cells of the chosen dimension beside the numbers of all turns.

class Roots {
  /** Take over the tables that stand in the page; `go` changes the route. */
  constructor(go) {
    this.table = byId("roots");
    this.added = [];
    this.cuts = new Map();
    for (const cut of document.querySelectorAll("#cuts .cut")) this.cuts.set(cut.dataset.by, cut);
    this.switch = byId("by");
    this.percent = byId("cut-note").textContent;
    for (const link of document.querySelectorAll("#overview a[href^='#/']")) link.dataset.view = link.getAttribute("href");
    this.switch.hidden = !this.cuts.size;
    this.switch.addEventListener("click", (event) => {
      const chosen = event.target.closest("button");
      if (chosen) go({ by: chosen.dataset.by, seg: null });
    });
  }

  /** The dimension that stands when a route names none. */
  get first() {
    return this.cuts.size ? this.cuts.keys().next().value : null;
  }

  show(route) {
    const cut = this.cuts.get(route.by) || null;
    if (cut !== this.cut) this.join(cut);
    this.cut = cut;
    for (const one of this.switch.children) {
      one.setAttribute("aria-pressed", String(one.dataset.by === route.by));
    }
    for (const link of this.table.querySelectorAll("th a, td.cell a")) {
      if (isCurrent(routeOf(link.dataset.view), route)) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  /** Let every link of the breakdown keep the filters of a route, also when it is copied. */
  link(route) {
    const overview = overviewOf(route);
    for (const link of document.querySelectorAll("#overview a[data-view]")) {
      if (!link.closest("#cuts")) link.setAttribute("href", hashOf(followed(link.dataset.view, overview)));
    }
  }

  /** Put the cells of a dimension at the end of the rows. */
  join(cut) {
    for (const cell of this.added) cell.remove();
    this.added = [];
    const leftOut = cut ? Number(cut.dataset.leftOut) : 0;
    const rest = leftOut ? `${counted(leftOut, `more ${cut.dataset.by}`)} not shown.` : "";
    byId("left-out").textContent = [cut ? cut.dataset.overlap : "", rest].filter(Boolean).join(" ");
    byId("cut-note").textContent = (cut && cut.dataset.few) || this.percent;
    if (!cut) return;
    const rows = cut.querySelectorAll("tr");
    this.table.querySelectorAll("tr").forEach((row, place) => {
      const cells = [...rows[place].children].slice(1).map((cell) => cell.cloneNode(true));
      row.append(...cells);
      this.added.push(...cells);
    });
  }
}

/** Whether a cell's own route is what the page shows. */
function isCurrent(own, route) {
  if (own.kind === null && own.seg === null) return false;
  return own.kind === route.kind && own.seg === route.seg && (own.seg === null || own.by === route.by);
}
