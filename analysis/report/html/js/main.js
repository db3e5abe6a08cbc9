// The page as a whole: routes, keys, theme.

const shell = document.documentElement;

/** Read or keep a preference; a browser that stores nothing forgets it, no more. */
function preference(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(`stagefault-${name}`);
    localStorage.setItem(`stagefault-${name}`, value);
  } catch (error) {
    return null;
  }
  return value;
}

function setTheme(wanted) {
  if (wanted === "light" || wanted === "dark") shell.dataset.theme = wanted;
}

function switchTheme() {
  const dark = shell.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  setTheme(dark === "dark" ? "light" : "dark");
  preference("theme", shell.dataset.theme);
}

class App {
  constructor(index) {
    this.index = index;
    this.route = routeOf("");
    this.title = document.title;
    this.overview = byId("overview");
    this.turn = byId("turn");
    this.roots = new Roots((change) => this.go(change));
    this.list = new TurnList(index, (change, quietly) => this.go(change, quietly));
    this.story = new TurnPage(index, this.turn);
    this.scrolled = 0;
    byId("list").append(this.list.node);
  }

  /** Change the route; quietly: without a step that `back` returns to. */
  go(change, quietly) {
    const wanted = hashOf({ ...this.route, ...change });
    if (wanted === hashOf(this.route)) return;
    if (quietly) history.replaceState(null, "", wanted);
    else history.pushState(null, "", wanted);
    this.show();
  }

  /** Show what the hash says. */
  show() {
    const before = this.route;
    this.route = this.placed(routeOf(location.hash));
    const full = this.full(this.route);
    if (filterKey(this.route) !== this.shown) {
      this.shown = filterKey(this.route);
      this.list.show(full, this.route);
    }
    this.roots.show(full);
    this.roots.link(this.route);
    if (this.route.conversation === null) this.showOverview(before);
    else this.showTurn(before);
    markWide();
  }

  /** A route to a conversation leads to its first failing turn, else to its first. */
  placed(route) {
    if (route.conversation === null || route.turn !== null) return route;
    const rows = this.index.conversation(route.conversation);
    const row = rows.find((one) => this.index.coded("root", one) !== null) ?? rows[0];
    if (row === undefined) return route;
    const placed = turnOf(route, this.index, row);
    history.replaceState(null, "", hashOf(placed));
    return placed;
  }

  /** A route with its dimension filled in; one that there is not filters nothing. */
  full(route) {
    if (this.roots.cuts.has(route.by)) return route;
    return { ...route, by: this.roots.first, seg: route.by === null ? route.seg : null };
  }

  showOverview(before) {
    this.turn.hidden = true;
    this.overview.hidden = false;
    this.story.body = null;
    document.title = this.title;
    this.list.draw();
    if (before.conversation === null) return;
    const place = this.place(before);
    if (place >= 0) this.list.focus(place);
    scrollTo({ top: this.scrolled, behavior: "instant" });
  }

  showTurn(before) {
    if (!this.overview.hidden) this.scrolled = scrollY;
    this.overview.hidden = true;
    this.turn.hidden = false;
    document.title = `${this.route.conversation} / ${this.route.turn} · ${page.run_id}`;
    this.story.show(this.route, this.list.rows);
    if (before.conversation === this.route.conversation && before.turn === this.route.turn) return;
    scrollTo({ top: 0, behavior: "instant" });
    this.turn.focus({ preventScroll: true });
  }

  /** Place of a route's turn in the list, -1 when the list does not hold it. */
  place(route) {
    return this.list.rows.indexOf(this.index.find(route.conversation, route.turn));
  }

  step(by) {
    if (this.route.conversation === null) {
      const place = this.list.focused();
      this.list.focus(place < 0 ? 0 : place + by);
      byId("list").scrollIntoView({ block: "nearest" });
      return;
    }
    const place = this.place(this.route);
    const row = this.list.rows[place < 0 ? 0 : place + by];
    if (row !== undefined) this.go(turnOf(this.route, this.index, row));
  }

  up() {
    this.go(overviewOf(this.route));
  }

  /** Keys that act anywhere but in a field. */
  press(key) {
    const acts = {
      j: () => this.step(1),
      k: () => this.step(-1),
      u: () => this.up(),
      c: () => { if (this.story.body) correctOutcome(this.story.body); },
      t: switchTheme,
      "/": () => { this.up(); this.list.search.focus(); },
      "?": () => byId("keys").showModal(),
    };
    if (!Object.hasOwn(acts, key)) return false;
    acts[key]();
    return true;
  }

  listen() {
    window.addEventListener("hashchange", () => this.show());
    window.addEventListener("resize", () => { this.list.draw(); markWide(); });
    document.addEventListener("scroll", (event) => markScrolled(event.target), { capture: true, passive: true });
    document.addEventListener("toggle", markWide, true);
    document.addEventListener("keydown", (event) => this.keyed(event));
    document.addEventListener("click", (event) => this.clicked(event));
    byId("theme").addEventListener("click", switchTheme);
    byId("help").addEventListener("click", () => this.press("?"));
  }

  keyed(event) {
    const field = event.target.closest && event.target.closest("input, select, textarea");
    if (field && event.key === "Escape") field.blur();
    if (field || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (this.press(event.key)) event.preventDefault();
  }

  clicked(event) {
    const closing = event.target.closest("[data-close]");
    if (closing) closing.closest("dialog").close();
    const link = event.target.closest("a");
    const hash = link ? link.getAttribute("href") : "";
    if (hash.startsWith("#") && !hash.startsWith("#/")) {
      event.preventDefault(); // a place in the page, which is no route
      this.up();
      byId(hash.slice(1)).scrollIntoView();
    } else if (hash.startsWith("#/") && link.closest("#overview") && !link.closest("#list")) {
      this.opened(event, routeOf(hash));
    }
  }

  /** A link of the breakdown brings the list into view. */
  opened(event, wanted) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || wanted.conversation !== null) return;
    event.preventDefault();
    this.go(wanted);
    byId("turns").scrollIntoView({ block: "nearest" });
  }
}

async function start() {
  const app = new App(new Index(await unpacked("columns", "data/index.js"), await unpacked("places", "data/index.js")));
  byId("list").hidden = false;
  byId("tools").hidden = false;
  app.listen();
  app.show();
  shell.dataset.ready = "yes";
}

setTheme(preference("theme"));
if (typeof DecompressionStream === "function") {
  shell.classList.add("scripted");
  history.scrollRestoration = "manual";
  document.addEventListener("DOMContentLoaded", () => start().catch((error) => {
    shell.classList.remove("scripted"); // what the page says without a script is still there
    throw error;
  }));
}
