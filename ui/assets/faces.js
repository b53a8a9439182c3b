// Items with the number of faces hidden in them; one opened has a canvas to draw a box on.
const LISTS = [["all", "All"], ["none", "Where none was found"], ["some", "With faces"]];
let only = "none", opened = null;

async function drawFaces(first = 0) {
  const got = await look("faces", { first, only });
  const tabs = node("div", { class: "am-tabs", role: "group", "aria-label": "Which items" }, LISTS.map(([key, text]) =>
    button(text, () => { only = key; drawFaces(); }, { "aria-pressed": String(only === key) })));
  const tiles = got.items.map((each) => node("button", {
    type: "button", class: "am-tile", "data-id": each.id,
    "aria-label": `${each.video ? "Video" : "Picture"}, ${faceCount(each.faces)}`,
    onclick: () => openItem(each.id, each.video),
  }, node("img", { src: `/thumb/${each.id}`, alt: "", loading: "lazy" }), node("span", {}, each.faces ? `${each.faces}` : "–")));
  const end = first + got.items.length;
  const pager = node("p", { class: "am-quiet" }, `${got.total ? got.first + 1 : 0} to ${end} of ${got.total} `,
    first > 0 ? button("Newer", () => drawFaces(Math.max(0, first - 60))) : null,
    end < got.total ? button("Older", () => drawFaces(end)) : null);
  part("am-faces").replaceChildren(tabs, node("div", { class: "am-tiles" }, tiles), pager, node("div", { class: "am-easel" }));
}

function faceCount(count) {
  return count === 0 ? "no face found" : count === 1 ? "1 face hidden" : `${count} faces hidden`;
}

async function openItem(id, video) {
  opened = { id, video, box: null, got: await look("boxes", { id }) };
  const easel = part("am-easel");
  const said = node("p", { role: "status", class: "am-quiet" });
  const canvas = node("canvas", { tabindex: "0", role: "img", class: "am-draw",
    "aria-label": "The picture. Drag to draw a box; or arrows move a box, Shift with arrows sizes it, Enter hides what is in it." });
  const hide = button("Hide what is in the box", () => hideBox(said), { class: "am-strong", disabled: true });
  const forget = button("Forget this item", () => forgetItem(id, forget));
  easel.replaceChildren(
    video ? node("p", {}, "In a video no box can be drawn. If a face can be seen in it, forget it.") : canvas,
    node("div", { class: "am-row" }, video ? null : hide, node("a", { href: `/item?id=${id}` }, "Open it"), forget, said));
  said.textContent = faceCount(opened.got.faces);
  if (!video) await prepare(canvas, hide);
  (video ? forget : canvas).focus();
  easel.scrollIntoView({ block: "nearest", behavior: "smooth" });
}

async function prepare(canvas, hide) {
  const picture = new Image();
  picture.src = `/media/${opened.id}?${Date.now()}`;
  await picture.decode();
  Object.assign(opened, { canvas, hide, picture });
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  paintBox();
  let from = null;
  const at = (event) => {
    const edge = canvas.getBoundingClientRect();
    const inside = (value) => Math.min(1, Math.max(0, value));
    return [inside((event.clientX - edge.left) / edge.width), inside((event.clientY - edge.top) / edge.height)];
  };
  canvas.onpointerdown = (event) => { from = at(event); canvas.setPointerCapture(event.pointerId); };
  canvas.onpointermove = (event) => {
    if (!from) return;
    const [x, y] = at(event);
    setBox([Math.min(x, from[0]), Math.min(y, from[1]), Math.abs(x - from[0]), Math.abs(y - from[1])]);
  };
  canvas.onpointerup = () => { from = null; };
  canvas.onkeydown = (event) => boxKey(event);
}

function boxKey(event) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (event.key === "Enter" && opened.box) { event.preventDefault(); opened.hide.click(); return; }
  if (!step) return;
  event.preventDefault();
  const [x, y, w, h] = opened.box || [.4, .4, .2, .2];
  const by = .01;
  const next = !opened.box ? [x, y, w, h]
    : event.shiftKey ? [x, y, Math.max(.01, w + step[0] * by), Math.max(.01, h + step[1] * by)]
      : [x + step[0] * by, y + step[1] * by, w, h];
  next[0] = Math.min(1 - next[2], Math.max(0, next[0]));
  next[1] = Math.min(1 - next[3], Math.max(0, next[1]));
  setBox(next);
}

function setBox(box) {
  opened.box = box;
  opened.hide.disabled = box[2] < .005 || box[3] < .005;
  paintBox();
}

function paintBox() {
  const { canvas, picture, got, box } = opened;
  const pen = canvas.getContext("2d"), wide = canvas.width, high = canvas.height;
  pen.drawImage(picture, 0, 0);
  const line = (each, colour, width) => {
    pen.lineWidth = width;
    pen.strokeStyle = colour;
    pen.strokeRect(each[0] * wide, each[1] * high, each[2] * wide, each[3] * high);
  };
  const fine = Math.max(2, wide / 500);
  for (const each of got.boxes) line(each, each[4] ? "#f59e0b" : "#14b8a6", fine);
  if (box) { line(box, "#fff", fine * 2.4); line(box, "#4338ca", fine * 1.4); }
}

async function hideBox(said) {
  if (!opened.box) return;
  said.textContent = "Hiding…";
  opened.hide.disabled = true;
  try {
    const done = await act("hide-face", { id: opened.id, box: opened.box });
    await openItem(opened.id, opened.video);
    part("am-easel").querySelector("[role=status]").textContent = `Done: ${faceCount(done.faces)}.`;
  } catch (error) {
    said.textContent = "Not hidden.";
    opened.hide.disabled = false;
  }
}

async function forgetItem(id, from) {
  if (from.dataset.sure !== "yes") {
    from.dataset.sure = "yes";
    from.textContent = "Really forget it? The original stays where it is.";
    return;
  }
  await act("forget", { id });
  part("am-easel").replaceChildren();
  watchJob();
}
