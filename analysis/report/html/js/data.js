// Data, packed. In a page of one file it stands in islands of JSON; else in scripts beside the
// page, each of which hands its parts over. The list is unpacked at once, the body of a turn
// when it is opened.

const page = JSON.parse(byId("data").textContent);

/** Parts that were handed over, and what waits for others: name → text, name → function. */
const handed = new Map();
const awaited = new Map();

globalThis.stagefaultPart = (name, text) => {
  handed.set(name, text);
  if (awaited.has(name)) awaited.get(name)();
};

/** The packed text of a part; one that is not there yet is fetched from a file of its own. */
async function partOf(name, file) {
  const island = byId(name);
  if (island) return JSON.parse(island.textContent);
  if (!handed.has(name)) await loaded(name, file);
  const text = handed.get(name);
  handed.delete(name); // what it holds is kept unpacked
  return text;
}

function loaded(name, file) {
  return new Promise((done, failed) => {
    awaited.set(name, done);
    const error = () => failed(new Error(`${file} is missing beside this page`));
    document.head.append(h("script", { src: page.parts + file, error }));
  });
}

async function unpacked(name, file) {
  const text = atob(await partOf(name, file));
  const bytes = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place += 1) bytes[place] = text.charCodeAt(place);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

/** The turns of the page, column by column, newest first. A row is a place in the columns. */
class Index {
  constructor(columns, places) {
    this.columns = columns;
    this.places = places;
    this.length = columns.turn.length;
    this.codes = new Map(columns.conversation.values.map((name, code) => [name, code]));
    this.rows = columns.conversation.values.map(() => []);
    columns.conversation.codes.forEach((code, row) => this.rows[code].push(row));
  }

  coded(name, row) {
    const column = this.columns[name];
    return column.values[column.codes[row]];
  }

  id(row) {
    return `${this.coded("conversation", row)}/${this.columns.turn[row]}`;
  }

  /** Number of the shard that holds the body, -1 where the page had no room for it. */
  shard(row) {
    return this.places.values[this.places.codes[row]];
  }

  /** Values that a turn carries of a dimension; null for what the trace does not tell. */
  carried(by, row) {
    if (by === "day") return [day(this.columns.time[row])];
    const column = this.columns.by[by];
    return column.sets[column.codes[row]].map((number) => column.names[number]);
  }

  /** Names of a dimension, those of most turns first; days in order. */
  names(by) {
    const counts = new Map();
    for (let row = 0; row < this.length; row += 1) {
      for (const name of this.carried(by, row)) counts.set(name, (counts.get(name) || 0) + 1);
    }
    const byName = (a, b) => (String(a[0]) < String(b[0]) ? -1 : 1);
    const byCount = (a, b) => b[1] - a[1] || byName(a, b);
    return [...counts].sort(by === "day" ? byName : byCount).map(([name]) => name);
  }

  /** Rows of a conversation in the order of its turns. */
  conversation(name) {
    const rows = this.codes.has(name) ? this.rows[this.codes.get(name)] : [];
    return [...rows].sort((a, b) => this.columns.turn[a] - this.columns.turn[b]);
  }

  /** Row of a turn, null when the page does not list it. */
  find(conversation, turn) {
    const row = this.conversation(conversation).find((one) => this.columns.turn[one] === turn);
    return row === undefined ? null : row;
  }
}

const shards = new Map();

/** The body of a turn, null when the page had no room for it. */
async function bodyOf(index, row) {
  const shard = index.shard(row);
  if (shard < 0) return null;
  const file = `data/turns/${shard.toString(16).padStart(2, "0")}.js`;
  if (!shards.has(shard)) shards.set(shard, unpacked(`shard-${shard}`, file));
  const bodies = await shards.get(shard);
  const id = index.id(row);
  return bodies.find((body) => body.turn.turn_id === id) || null;
}
