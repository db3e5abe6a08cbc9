// Routes: everything that is shown stands in the hash, so a view can be pasted.
//
//     #/?by=…&kind=…&seg=…&q=…&outcome=…&sort=…
//     #/c/<conversation>/t/<turn>?the same

const FILTERS = ["by", "kind", "seg", "q", "outcome", "sort"];

function routeOf(hash) {
  const [path, query] = split(hash.replace(/^#/, ""), "?");
  const given = new URLSearchParams(query);
  const route = { conversation: null, turn: null };
  for (const name of FILTERS) route[name] = given.get(name);
  const parts = /^\/c\/([^/]*)\/t\/(\d+)$/.exec(path);
  if (parts) {
    route.conversation = decoded(parts[1]);
    route.turn = Number(parts[2]);
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
  const turn = `#/c/${encodeURIComponent(route.conversation)}/t/${route.turn}`;
  return (route.conversation === null ? "#/" : turn) + (asked ? `?${asked}` : "");
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
