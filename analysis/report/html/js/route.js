// Routes: everything that is shown stands in the hash, so a view can be pasted.
//
//     #/?by=…&kind=…&seg=…&q=…&outcome=…&sort=…
//     #/c/<conversation>/t/<turn>?the same
//     #/c/<conversation>               its first failing turn

const FILTERS = ["by", "kind", "seg", "q", "outcome", "sort"];

function routeOf(hash) {
  const [path, query] = split(hash.replace(/^#/, ""), "?");
  const given = new URLSearchParams(query);
  const route = { conversation: null, turn: null };
  for (const name of FILTERS) route[name] = given.get(name);
  if (!route.kind) route.kind = null; // said to be any
  const parts = /^\/c\/([^/]*?)(?:\/t\/(\d+))?\/?$/.exec(path);
  if (parts) {
    route.conversation = decoded(parts[1]);
    route.turn = parts[2] === undefined ? null : Number(parts[2]);
  }
  return route;
}

function split(text, sign) {
  const place = text.indexOf(sign);
  return place < 0 ? [text, ""] : [text.slice(0, place), text.slice(place + 1)];
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    return text; // a percent sign that a person typed
  }
}

function hashOf(route) {
  const query = new URLSearchParams();
  for (const name of FILTERS) if (!isNothing(route[name])) query.set(name, route[name]);
  const asked = query.toString();
  return `#/${route.conversation === null ? "" : placeOf(route)}${asked ? `?${asked}` : ""}`;
}

function placeOf(route) {
  const conversation = `c/${encodeURIComponent(route.conversation)}`;
  return route.turn === null ? conversation : `${conversation}/t/${route.turn}`;
}

/** The route that a link of the page leads to: filters that it does not name stay on. */
function followed(link, route) {
  const own = routeOf(link);
  const named = new URLSearchParams(split(link, "?")[1]);
  if (own.conversation === null && ![...named.keys()].length) return own; // takes all away
  const kept = { ...route, conversation: own.conversation, turn: own.turn };
  for (const name of named.keys()) kept[name] = own[name];
  if (named.has("by") && !named.has("seg") && own.by !== route.by) kept.seg = null;
  if (own.kind && !named.has("outcome")) kept.outcome = null; // only a failed turn has a root
  if (own.outcome && !named.has("kind")) kept.kind = null;
  return kept;
}

const overviewOf = (route) => ({ ...route, conversation: null, turn: null });

function turnOf(route, index, row) {
  return { ...route, conversation: index.coded("conversation", row), turn: index.columns.turn[row] };
}

const filterKey = (route) => JSON.stringify(FILTERS.map((name) => route[name]));

/** What a route filters by, as `[text, change that removes it]`. */
function filtersOf(route) {
  const found = [];
  if (route.kind) found.push([route.kind, { kind: null }]);
  if (route.seg !== null && route.by) found.push([`${route.by}: ${segmentName(route.seg || null)}`, { seg: null }]);
  if (route.outcome && route.outcome !== "failed") found.push([worded(route.outcome), { outcome: null }]);
  if (route.q) found.push([`“${route.q}”`, { q: null }]);
  return found;
}

const filterText = (route) => filtersOf(route).map(([text]) => text).join(" · ");
