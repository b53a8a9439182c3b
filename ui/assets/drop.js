// One photo for one question: shown from the browser's own memory, sent once, forgotten after.
const input = element.querySelector("input[type=file]");
const label = element.querySelector(".am-drop");
const preview = element.querySelector(".am-drop-preview");
const hint = element.querySelector(".am-drop-hint");
const remove = element.querySelector(".am-drop-remove");
const HINT = hint.textContent;
let address = null;

function forget(said = HINT) {
  if (address) URL.revokeObjectURL(address);
  address = null;
  window.amPhoto = "";
  input.value = "";
  preview.hidden = true;
  preview.removeAttribute("src");
  remove.hidden = true;
  hint.textContent = said;
}
window.amForgetPhoto = () => forget();

async function take(file) {
  if (!file) return;
  forget("Sending…");
  try {
    const reply = await fetch("/photo", {
      method: "POST", body: file, headers: { "Content-Type": file.type || "image/unknown" },
    });
    if (!reply.ok) { forget(await reply.text()); return; }
    window.amPhoto = (await reply.json()).token;
  } catch {
    forget("The photo could not be sent.");
    return;
  }
  address = URL.createObjectURL(file);
  preview.src = address;
  preview.hidden = false;
  remove.hidden = false;
  hint.textContent = "Asked about this photo; it is deleted after the answer.";
}

input.addEventListener("change", () => take(input.files[0]));
remove.addEventListener("click", () => forget());
label.addEventListener("dragover", (event) => { event.preventDefault(); label.classList.add("am-over"); });
label.addEventListener("dragleave", () => label.classList.remove("am-over"));
label.addEventListener("drop", (event) => {
  event.preventDefault();
  label.classList.remove("am-over");
  take(event.dataTransfer.files[0]);
});
