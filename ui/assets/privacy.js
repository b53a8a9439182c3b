// Proof, places, hosts, release. What runs long is started, then looked at.
const RUNS = { verify: "Looking", forget: "Forgetting", export: "Writing the release" };
let stopWatching = () => {};

function jobNode(job) {
  const counted = job.total ? `${job.what}: ${job.done} of ${job.total}` : job.what;
  return node("div", {}, node("p", { role: "status" }, `${RUNS[job.name] || job.name}… ${counted}`), progressBar(job.done, job.total, job.what));
}

function proofNode(job) {
  if (!job || job.name !== "verify") return node("p", { class: "am-quiet" }, "Not looked at since this page was started.");
  if (job.state === "failed") return node("p", { class: "am-bad" }, job.problem);
  const found = job.result;
  const lines = [...found.leaks, ...found.faces_left.map((each) => `${each} face left`)];
  if (found.index_missing) lines.push(`${found.index_missing} sessions are missing in the index: archive-mem reindex`);
  return node("div", {},
    node("p", { class: found.ok ? "am-good" : "am-bad" }, found.ok
      ? `All well: ${found.items} items, no face left, no metadata, nothing that no item accounts for.`
      : `${lines.length} findings in ${found.items} items`),
    lines.length ? node("ul", {}, lines.slice(0, 100).map((line) => node("li", {}, line))) : null);
}

function drawProof(job) {
  const runs = job?.state === "running";
  part("am-proof").replaceChildren(runs ? jobNode(job) : proofNode(job),
    button("Verify now", async () => { await act("verify"); watchJob(); }, { disabled: runs, class: "am-strong" }));
}

function drawRelease(job) {
  const box = part("am-release");
  if (!box.querySelector("form")) box.replaceChildren(releaseForm(), node("div", { class: "am-came" }));
  const came = box.querySelector(".am-came");
  if (job?.name !== "export" || job.state === "running") came.replaceChildren();
  else if (job.state === "failed") came.replaceChildren(node("p", { class: "am-bad" }, job.problem));
  else came.replaceChildren(node("p", { class: "am-good" }, `It lies in ${job.result.folder}.`,
    job.result.not_ready ? ` ${job.result.not_ready} items are not in it: they failed or are not read yet.` : "",
    job.result.withheld ? ` ${job.result.withheld} texts were withheld.` : ""));
}

function releaseForm() {
  const folder = node("input", { type: "text", placeholder: "/home/me/release", "aria-label": "Folder of the release", class: "am-words" });
  const shift = node("input", { type: "checkbox", class: "am-check", checked: true });
  const persona = node("input", { type: "checkbox", class: "am-check" });
  return node("form", { class: "am-search", onsubmit: async (event) => {
    event.preventDefault();
    await act("export", { folder: folder.value, shift: shift.checked, profile: persona.checked });
    watchJob();
  } }, folder, node("label", {}, shift, "Shift all times by one secret number of weeks"),
  node("label", {}, persona, "With the persona"), node("button", { class: "am-strong" }, "Write the release"));
}

async function drawStored() {
  const got = await look("stored");
  const rows = got.places.map((each) => node("tr", {}, node("th", { scope: "row" }, node("code", {}, each.name)),
    node("td", {}, each.holds), node("td", { class: "am-figure" }, each.files.toLocaleString()),
    node("td", { class: "am-figure" }, bytes(each.bytes)), node("td", {}, node("code", {}, each.mode))));
  const head = node("tr", {}, ["Part", "What it holds", "Files", "Size", "Mode"].map((each) => node("th", { scope: "col" }, each)));
  part("am-places").replaceChildren(node("p", {}, node("code", {}, got.root)),
    node("div", { class: "am-wide", tabindex: "0", role: "region", "aria-label": "Parts of the memory" },
      node("table", { class: "am-table" }, node("thead", {}, head), node("tbody", {}, rows))));
  const used = got.used.map((host) => `${host}${got.allowed.includes(host) ? "" : " (not allowed yet, so it is not asked)"}`);
  part("am-hosts").replaceChildren(node("p", {}, used.length
    ? `The settings name models on: ${used.join(", ")}. Questions, redacted words and blurred pictures may go there.`
    : "Nobody. All models run on this machine, and this page loads nothing from elsewhere."),
  got.allowed.length ? node("p", { class: "am-quiet" }, `Allowed hosts: ${got.allowed.join(", ")}.`) : "");
}

function watchJob() {
  stopWatching();
  stopWatching = poll(async () => {
    const { job } = await look("job");
    drawProof(job);
    drawRelease(job);
    if (job?.state === "running") return true;
    if (job?.name === "forget") {
      if (job.problem) tell(job.problem);
      drawStored();
      drawFaces();
    }
    return false;
  }, 700);
}

drawStored();
drawFaces();
watchJob();
