// Data: islands of JSON in the page. The list is unpacked at once, the body of a turn when
// it is opened.

const page = JSON.parse(byId("data").textContent);

async function unpacked(id) {
  const text = atob(JSON.parse(byId(id).textContent));
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
  if (!shards.has(shard)) shards.set(shard, unpacked(`shard-${shard}`));
  const bodies = await shards.get(shard);
  const id = index.id(row);
  return bodies.find((body) => body.turn.turn_id === id) || null;
}
