// To the clipboard, and corrections that a person pastes into a file. Nothing is sent.

let fading = 0;

function toast(text) {
  byId("toast").textContent = text;
  clearTimeout(fading);
  fading = setTimeout(() => byId("toast").replaceChildren(), 2600);
}

/** Copy a text; where the browser refuses, show it selected. */
async function copyText(text, told) {
  try {
    await navigator.clipboard.writeText(text);
    toast(told);
  } catch (error) {
    byId("copy-text").value = text;
    const already = document.querySelector("dialog[open]");
    if (already) already.close();
    byId("copy").showModal();
    byId("copy-text").select();
    if (document.execCommand("copy")) toast(told);
  }
}

/** Ask what is right, and show the line that says so. */
function correct(given, choices) {
  const { judge_label: judged, key, ...about } = given;
  const chosen = byId("correction-label");
  const told = judged === null ? "nothing" : worded(judged);
  const what = `${about.question}: ${about.subject}, of ${about.turn_id}`;
  byId("correction-about").textContent = `${what}. The judge said: ${told}.`;
  chosen.replaceChildren(...options(choices.filter((one) => one !== judged).map((one) => [one, worded(one)])));
  const write = () => {
    const line = { ...about, label: chosen.value, judge_label: judged, key };
    byId("correction-line").value = JSON.stringify(line);
  };
  chosen.onchange = write;
  byId("correction-copy").onclick = () => copyText(byId("correction-line").value, "Correction copied");
  write();
  byId("correction").showModal();
}
