// To the clipboard.

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
