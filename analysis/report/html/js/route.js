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
  for (const name of FILTERS) {
    if (route[name] !== null && route[name] !== undefined) query.set(name, route[name]);
  }
  const asked = query.toString();
  const path = route.conversation === null ? "#/" : `#/c/${encodeURIComponent(route.conversation)}/t/${route.turn}`;
  return asked ? `${path}?${asked}` : path;
}

const overviewOf = (route) => ({ ...route, conversation: null, turn: null });
const turnOf = (route, index, row) => ({ ...route, conversation: index.coded("conversation", row), turn: index.columns.turn[row] });

/** What a route filters by, in words. */
function filterText(route) {
  const parts = [];
  if (route.outcome && route.outcome !== "failed") parts.push(worded(route.outcome));
  if (route.kind) parts.push(route.kind);
  if (route.seg !== null && route.by) parts.push(`${route.by} ${segmentName(route.seg || null)}`);
  if (route.q) parts.push(`“${route.q}”`);
  return parts.join(" · ");
}

const segmentName = (name) => (name === null ? "(not told)" : name);
