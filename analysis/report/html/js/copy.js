// To the clipboard, and corrections that a person pastes into a file.

let fading = 0;

function toast(text) {
  const node = byId("toast");
  node.textContent = text;
  clearTimeout(fading);
  fading = setTimeout(() => { node.textContent = ""; }, 2600);
}

/** Copy a text; a browser that refuses gets it selected in a field instead. */
async function copyText(text, told) {
  try {
    await navigator.clipboard.writeText(text);
  } catch (error) {
    if (!copiedFromField(text)) {
      window.prompt("Copy this:", text);
      return;
    }
  }
  toast(told);
}

function copiedFromField(text) {
  const open = document.querySelector("dialog[open]") || document.body;
  const focused = document.activeElement;
  const field = h("textarea", { class: "away", "aria-hidden": "true" });
  field.value = text;
  open.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (focused) focused.focus({ preventScroll: true });
  return done;
}

/** Ask what is right, and show the line that says so. */
function correct(given, choices) {
  const { question, turn_id: turnId, subject, judge_label: judgeLabel, key } = given;
  const chosen = byId("correction-label");
  byId("correction-about").textContent = `${question}, ${subject}, of ${turnId}. The judge said: ${judgeLabel === null ? "nothing" : worded(judgeLabel)}.`;
  chosen.replaceChildren(...options(choices.filter((one) => one !== judgeLabel).map((one) => [one, worded(one)])));
  const write = () => {
    byId("correction-line").value = JSON.stringify({ question, turn_id: turnId, subject, label: chosen.value, judge_label: judgeLabel, key });
  };
  chosen.onchange = write;
  byId("correction-copy").onclick = () => copyText(byId("correction-line").value, "Correction copied");
  write();
  byId("correction").showModal();
}
