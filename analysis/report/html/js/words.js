// Numbers and names, worded as in every other report.

const STAGES = ["routing", "retrieval", "generation"];
const LETTERS = { R: "root", C: "contributing", D: "downstream", L: "latent fault", f: "no fault", n: "did not run", u: "undetermined" };
const MARKS = { root: "R", contributing: "C", downstream: "D", latent: "L", fine: "f", not_run: "n" };

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
  if (ms === null || ms === undefined) return "no time";
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? "no time" : time.toISOString().slice(0, 16).replace("T", " ");
}

const day = (ms) => (ms === null ? null : moment(ms).slice(0, 10));
const score = (value) => (value === 0 || value === 1 ? String(value) : value.toFixed(2));
const money = (usd) => (usd === null ? "unknown" : usd === 0 ? "$0" : `$${usd < 0.01 ? usd.toFixed(5) : usd.toFixed(4)}`);

/** What a word of the rules means, or nothing. */
function meaning(word) {
  return page.kinds[word] || page.reasons[word] || null;
}

/** R S G: what each stage had to do with the outcome. */
function marks(letters) {
  return h("span", { class: "marks" },
    [...letters].map((letter, place) => h("i", { class: `m-${letter}`, title: `${STAGES[place]}: ${LETTERS[letter]}`, "aria-hidden": "true" }, "RSG"[place])),
    h("span", { class: "away" }, [...letters].map((letter, place) => `${STAGES[place]} ${LETTERS[letter]}`).join(", ")));
}
