// Choose a folder (typed, with completion), see what would happen, then follow it.
const WORDS = {
  none: "", running: "Reading…", paused: "Paused. What is done is kept.",
  done: "Done.", failed: "It ended early.",
};
let folderBox, listBox, plannedBox, namesBox, watching = false, wait = 0;

function drawChooser() {
  listBox = node("datalist", { id: "am-folders" });
  folderBox = node("input", { type: "text", class: "am-words", list: "am-folders", spellcheck: "false",
    autocomplete: "off", placeholder: "/home/me/Pictures", "aria-label": "Folder on this machine",
    oninput: () => { clearTimeout(wait); wait = setTimeout(complete, 120); }, onfocus: complete });
  namesBox = node("textarea", { rows: 3, "aria-label": "Names and places to hide, one a line",
    placeholder: "person\tfull name\tshort name|nickname\nrestaurant\tits name" });
  plannedBox = node("div", { role: "status", class: "am-planned" });
  const form = node("form", { class: "am-search", onsubmit: (event) => { event.preventDefault(); plan(); } },
    folderBox, listBox, node("button", { class: "am-strong" }, "What would happen?"));
  const names = node("details", {}, node("summary", {}, "Names and places to hide from the start (you know them best)"), namesBox,
    node("p", { class: "am-quiet" }, "One a line: kind, name and other spellings, parted by tabs; or just a name."));
  part("am-choose").replaceChildren(form, names, plannedBox);
}

async function complete() {
  const { folders } = await look("complete", { typed: folderBox.value });
  listBox.replaceChildren(...folders.map((each) => node("option", { value: each })));
}

function about(seconds) {
  if (seconds < 90) return "about a minute";
  if (seconds < 5400) return `about ${Math.round(seconds / 60)} minutes`;
  if (seconds < 172800) return `about ${Math.round(seconds / 3600)} hours`;
  return `about ${Math.round(seconds / 86400)} days`;
}

async function plan() {
  plannedBox.replaceChildren("Looking…");
  let got;
  try { got = await look("estimate", { folder: folderBox.value }); } catch { plannedBox.replaceChildren(); return; }
  const none = got.photos + got.videos === 0;
  const left = Object.entries(got.left).map(([why, count]) => `${count} ${why}`).join(", ");
  plannedBox.replaceChildren(
    node("p", {}, node("b", {}, `${got.photos.toLocaleString()} photos and ${got.videos.toLocaleString()} videos`),
      `, ${bytes(got.bytes)}. Reading them takes ${about(got.seconds)}; you may close this page, and pause.`),
    left ? node("p", { class: "am-quiet" }, `Left alone: ${left}.`) : "",
    none ? "" : button("Read them", () => begin(got.folder), { class: "am-strong" }));
}

async function begin(folder) {
  await act("ingest", { folder, names: namesBox.value });
  namesBox.value = "";
  plannedBox.replaceChildren();
  follow();
}

function stageRow(stage, total) {
  const ended = stage.done + stage.skipped + stage.failed;
  const more = [stage.skipped ? `${stage.skipped} skipped` : "", stage.failed ? `${stage.failed} failed` : ""].filter(Boolean).join(", ");
  return node("div", { class: "am-stagerow" }, node("span", {}, stage.says), progressBar(ended, total, stage.says),
    node("small", {}, `${stage.done.toLocaleString()} of ${total.toLocaleString()}${more ? `, ${more}` : ""}`));
}

function drawIntake(got) {
  const box = part("am-intake");
  if (got.state === "none" && !got.items) { box.replaceChildren(); return; }
  const total = Math.max(got.total, got.items);
  const buttons = got.state === "running" ? button("Pause", async () => { await act("pause"); follow(); })
    : got.state === "paused" ? button("Go on", async () => { await act("resume"); follow(); }, { class: "am-strong" }) : "";
  const failed = got.failures.length ? node("details", { class: "am-failures" },
    node("summary", {}, `${got.failures.length} could not be read`),
    node("ul", {}, got.failures.map(([id, why]) => node("li", {}, node("code", {}, id), ` ${why}`)))) : "";
  box.replaceChildren(node("h2", {}, got.state === "none" ? "In this memory" : got.folder),
    node("p", { role: "status" }, `${WORDS[got.state]} ${got.said}`), ...got.stages.map((each) => stageRow(each, total)),
    node("div", { class: "am-row" }, buttons, got.items ? node("a", { href: "/" }, "Open the time line") : ""), failed);
}

function follow() {
  if (watching) return;
  watching = true;
  poll(async () => {
    const got = await look("progress");
    drawIntake(got);
    watching = got.state === "running";
    return watching;
  }, 1200);
}

drawChooser();
follow();
