// Which turns a route lets through, and in which order. Tests are made once per dictionary,
// not per turn: a hundred thousand turns are filtered in a few milliseconds.

function listed(index, route) {
  const tests = testsOf(index, route);
  const rows = [];
  for (let row = 0; row < index.length; row += 1) {
    if (tests.every((test) => test(row))) rows.push(row);
  }
  return inOrder(index, rows, route.sort || "-time");
}

function testsOf(index, route) {
  const columns = index.columns;
  const outcome = route.outcome || "failed";
  const tests = [];
  if (outcome !== "all") tests.push(codeTest(columns.outcome, (value) => value === outcome));
  if (route.kind) tests.push(codeTest(columns.root, (root) => isOf(root, route.kind)));
  if (route.seg !== null && route.by) tests.push(segmentTest(index, route.by, route.seg || null));
  const asked = (route.q || "").trim().toLowerCase();
  if (asked) tests.push((row) => haystack(index, row).includes(asked));
  return tests;
}

/** Whether a root is of a stage, or is exactly `stage.kind`. */
const isOf = (root, wanted) => root !== null && (root === wanted || root.startsWith(`${wanted}.`));

function codeTest(column, holds) {
  const fits = column.values.map(holds);
  return (row) => fits[column.codes[row]];
}

function segmentTest(index, by, name) {
  if (by === "day") return (row) => day(index.columns.time[row]) === name;
  const column = index.columns.by[by];
  const number = column.names.indexOf(name);
  const fits = column.sets.map((set) => set.includes(number));
  return (row) => fits[column.codes[row]];
}

const haystacks = [];

function haystack(index, row) {
  if (haystacks[row] === undefined) {
    const { question, sentence } = index.columns;
    const words = [question[row], sentence[row], index.coded("root", row), index.coded("reason", row), index.id(row)];
    haystacks[row] = words.filter(Boolean).join("\n").toLowerCase();
  }
  return haystacks[row];
}

function inOrder(index, rows, sort) {
  const down = sort.startsWith("-");
  const key = sortKey(index, sort.replace(/^-/, ""));
  if (!key) return rows;
  const keys = new Map(rows.map((row) => [row, key(row)]));
  return rows.sort((a, b) => {
    const [one, other] = [keys.get(a), keys.get(b)];
    if (one === other) return a - b;
    if (one === null || one === "") return 1; // what is not told stands last either way
    if (other === null || other === "") return -1;
    return one < other === down ? 1 : -1;
  });
}

function sortKey(index, name) {
  switch (name) {
    case "time": return (row) => index.columns.time[row];
    case "marks":
    case "root": return (row) => index.coded(name, row);
    case "question": return (row) => (index.columns.question[row] || "").toLowerCase();
    case "id": return (row) => index.id(row);
    case "agent":
    case "language": return (row) => index.carried(name, row)[0];
    default: return null;
  }
}
