// The page as a whole: routes, keys, theme.

function preference(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(`stagefault-${name}`);
    localStorage.setItem(`stagefault-${name}`, value);
  } catch (error) {
    // a browser that stores nothing forgets the theme, no more
  }
  return null;
}

function theme(wanted) {
  if (wanted === "light" || wanted === "dark") document.documentElement.dataset.theme = wanted;
}

function turnTheme() {
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark" || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  theme(dark ? "light" : "dark");
  preference("theme", document.documentElement.dataset.theme);
}

function start(columns, places) {
  const index = new Index(columns, places);
  const overview = byId("overview");
  const turn = byId("turn");
  const title = document.title;
  let route = routeOf(location.hash);
  let left = { scroll: 0, row: null };
  let rows = [];

  const go = (change, quiet) => {
    const wanted = hashOf({ ...route, ...change });
    if (wanted === hashOf(route)) return;
    if (quiet) {
      history.replaceState(null, "", wanted);
      apply();
    } else location.hash = wanted;
  };
  const roots = new Roots(go);
  const list = new TurnList(index, go);
  const story = new TurnPage(index, turn);
  const full = () => ({ ...route, by: route.by || roots.first });
  const listKey = (one) => FILTERS.map((name) => one[name]).join("\n");
  let drawn = null;

  function apply() {
    const before = route;
    route = routeOf(location.hash);
    const shown = full();
    const key = listKey(shown);
    if (key !== drawn) {
      drawn = key;
      list.show(shown);
      rows = list.rows;
    }
    if (route.conversation === null) enterOverview(before, shown);
    else enterTurn(before, shown);
  }

  function enterOverview(before, shown) {
    roots.show(shown);
    overview.hidden = false;
    turn.hidden = true;
    document.title = title;
    list.draw();
    if (before.conversation === null) return;
    scrollTo({ top: left.scroll, behavior: "instant" });
    const row = index.find(before.conversation, before.turn);
    const place = rows.indexOf(row);
    if (place >= 0) list.focus(place);
    scrollTo({ top: left.scroll, behavior: "instant" });
  }

  function enterTurn(before, shown) {
    if (!overview.hidden) left = { scroll: scrollY };
    overview.hidden = true;
    turn.hidden = false;
    document.title = `${route.conversation} / ${route.turn} · ${page.run_id}`;
    story.show(shown, rows);
    if (before.conversation !== route.conversation || before.turn !== route.turn || turn.dataset.fresh !== "no") {
      turn.dataset.fresh = "no";
      scrollTo({ top: 0, behavior: "instant" });
      turn.focus({ preventScroll: true });
    }
  }

  function step(by) {
    if (route.conversation === null) {
      const place = list.focused();
      list.focus(place < 0 ? 0 : place + by);
      byId("list").scrollIntoView({ block: "nearest" });
      return;
    }
    const place = rows.indexOf(index.find(route.conversation, route.turn));
    const next = place < 0 ? rows[0] : rows[place + by];
    if (next !== undefined) location.hash = hashOf(turnOf(route, index, next));
  }

  const KEYS = {
    j: () => step(1),
    k: () => step(-1),
    t: turnTheme,
    u: () => route.conversation !== null && (location.hash = hashOf(overviewOf(route))),
    "/": () => {
      if (route.conversation !== null) location.hash = hashOf(overviewOf(route));
      requestAnimationFrame(() => requestAnimationFrame(() => list.search.focus()));
    },
    "?": () => byId("keys").showModal(),
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest && event.target.closest("input, select, textarea");
    if (typing && event.key === "Escape") event.target.blur();
    if (typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const act = KEYS[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a");
    if (link && link.hash && !link.hash.startsWith("#/")) {
      event.preventDefault(); // a place in the page is no route
      if (route.conversation !== null) location.hash = hashOf(overviewOf(route));
      setTimeout(() => document.querySelector(link.hash).scrollIntoView(), route.conversation === null ? 0 : 60);
    } else if (link && link.closest("#roots, .reasons, .strip, .flow, .trend, .entry-head")) setTimeout(() => byId("turns").scrollIntoView({ block: "nearest" }), 30);
    const closing = event.target.closest && event.target.closest("[data-close]");
    if (closing) closing.closest("dialog").close();
  });
  byId("theme").addEventListener("click", turnTheme);
  byId("help").addEventListener("click", KEYS["?"]);
  byId("tools").hidden = false;
  byId("list").append(list.node);
  byId("list").hidden = false;
  byId("static-turns").classList.add("replaced");
  window.addEventListener("hashchange", apply);
  window.addEventListener("resize", () => list.draw());
  history.scrollRestoration = "manual";
  apply();
  document.documentElement.dataset.ready = "yes";
}

theme(preference("theme"));
if (typeof DecompressionStream === "function") Promise.all([unpacked("columns"), unpacked("places")]).then(([columns, places]) => start(columns, places));
