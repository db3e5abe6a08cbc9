// The table of roots: the cells of the chosen dimension beside the numbers of all turns.

class Roots {
  constructor(go) {
    this.table = byId("roots");
    this.cuts = new Map([...document.querySelectorAll("#cuts .cut")].map((cut) => [cut.dataset.by, cut]));
    if (!this.table) return;
    if (byId("cuts")) byId("cuts").hidden = true;
    this.switch = byId("by");
    this.switch.hidden = !this.cuts.size;
    this.switch.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) go({ by: button.dataset.by, seg: null });
    });
    this.added = [];
  }

  /** The dimension that stands when a route names none. */
  get first() {
    return this.cuts.size ? this.cuts.keys().next().value : null;
  }

  show(route) {
    if (!this.table) return;
    const cut = this.cuts.get(route.by) || null;
    for (const button of this.switch.children) button.setAttribute("aria-pressed", String(button.dataset.by === route.by));
    if (cut !== this.cut) this.join(cut);
    this.cut = cut;
    for (const link of this.table.querySelectorAll("td.cell a, tbody th a")) {
      const own = routeOf(link.hash);
      const current = (own.seg !== null || own.kind !== null) && own.kind === route.kind && own.seg === route.seg && (own.seg === null || own.by === route.by);
      if (current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  join(cut) {
    for (const cell of this.added) cell.remove();
    this.added = [];
    byId("left-out").textContent = cut && cut.dataset.leftOut !== "0" ? `${cut.dataset.leftOut} smaller not shown` : "";
    if (!cut) return;
    const rows = cut.querySelectorAll("tr");
    this.table.querySelectorAll("tr").forEach((row, place) => {
      const cells = [...rows[place].children].slice(1).map((cell) => cell.cloneNode(true));
      row.append(...cells);
      this.added.push(...cells);
    });
  }
}
