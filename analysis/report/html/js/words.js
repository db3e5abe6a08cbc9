// Numbers and names, worded as in every other report.

const STAGES = ["routing", "retrieval", "generation"];
const PARTS = {
  R: "root",
  C: "contributing",
  D: "downstream",
  L: "latent fault",
  f: "no fault",
  u: "undetermined",
};

const grouped = new Intl.NumberFormat("en-US");
const count = (number) => grouped.format(number);
const counted = (number, one) => `${count(number)} ${number === 1 ? one : `${one}s`}`;
const worded = (name) => String(name).replaceAll("_", " ");

function duration(ms) {
  if (ms === null || ms === undefined) return "–";
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  return ms >= 10 || ms === 0 ? `${ms.toFixed(0)} ms` : `${ms.toFixed(1)} ms`;
}

function moment(ms) {
  const time = new Date(ms === null ? NaN : ms);
  if (Number.isNaN(time.getTime())) return "no time";
  return time.toISOString().slice(0, 16).replace("T", " ");
}

const day = (ms) => (ms === null ? null : moment(ms).slice(0, 10));
const score = (value) => (value === 0 || value === 1 ? String(value) : value.toFixed(2));
const segmentName = (name) => (name === null ? "(not told)" : name);

function money(usd) {
  if (usd === null) return "unknown";
  return usd === 0 ? "$0" : `$${usd < 0.01 ? usd.toFixed(5) : usd.toFixed(4)}`;
}

/** A name that may go on a new line between its words, and nowhere else. */
const breakable = (name) => String(name).split(/(?<=[_.\-/])(?=\w)|(?=\[)/u).map((part, place) =>
  (place ? [h("wbr"), part] : part));

/** A language as an attribute: fonts draw the same Chinese sign differently in Japanese. */
const tongue = (language) => (/^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(language || "") ? language : null);

/** What a word of the rules means, empty for words without a sentence. */
function meaning(word) {
  return page.kinds[word] || page.reasons[word] || "";
}

/** R S G: what each stage had to do with the outcome. */
function marks(letters) {
  const all = [...letters];
  const told = all.map((letter, place) => `${STAGES[place]} ${PARTS[letter]}`);
  return h("span", { class: "marks" },
    all.map((letter, place) =>
      h("i", { class: `m-${letter}`, title: told[place], "aria-hidden": "true" }, "RSG"[place])),
    h("span", { class: "away" }, told.join(", ")));
}
