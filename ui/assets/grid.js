// A virtual grid. Days are packed into lines; only what is near the window is in the document.
// Words reach the document as textContent or attributes, never as markup.
const scroller = element.querySelector(".am-scroll");
const canvas = element.querySelector(".am-canvas");
const rail = element.querySelector(".am-rail");
const status = element.querySelector(".am-count");
const HEAD = 30, MONTH = 46, AHEAD = 240, CHUNK = 60;
const cells = new Map();
const asked = new Set();
const shown = new Map();
const KEPT = "am-choice";
let plan = { total: 0, days: [] };
let choice = kept() || {};
let turn = 0;
let parts = [], side = 180, columns = 5, gap = 10, height = 0, frame = 0;

function kept() {
  try { return JSON.parse(sessionStorage.getItem(KEPT)); } catch { return null; }
}

function layout() {
  const width = canvas.clientWidth;
  const wanted = width < 480 ? 104 : width < 900 ? 150 : 186;
  gap = width < 480 ? 6 : 10;
  columns = Math.max(3, Math.floor((width + gap) / (wanted + gap)));
  side = Math.floor((width - gap * (columns - 1)) / columns);
  parts = [];
  let y = 0, heading = null, line = null;
  const months = new Set(plan.days.map((each) => each[3]));
  const sparse = plan.total < 2 * columns * months.size;
  const close = () => { if (line) { y += line.height; line = null; } };
  for (const [first, count, year, title, day, full, where] of plan.days) {
    const under = sparse && year ? String(year) : title;
    if (under !== heading) {
      close();
      heading = under;
      parts.push({ kind: "month", y, h: MONTH, text: under, year });
      y += MONTH;
    }
    const fits = line && line.used + count <= columns;
    if (!fits) { close(); line = { used: 0, height: 0 }; }
    const across = Math.min(count, columns), rows = Math.ceil(count / columns);
    const x = line.used * (side + gap);
    parts.push({ kind: "day", y, x, w: across * (side + gap) - gap, h: HEAD, text: side < 130 ? day.slice(4) : day, full, where, year });
    for (let n = 0; n < count; n++) {
      const left = x + (n % columns) * (side + gap);
      const top = y + HEAD + Math.floor(n / columns) * (side + gap);
      parts.push({ kind: "cell", y: top, x: left, w: side, h: side, at: first + n });
    }
    line.used += across;
    line.height = Math.max(line.height, HEAD + rows * (side + gap) + 10);
  }
  close();
  height = y;
  canvas.style.height = `${height}px`;
  shown.forEach((node) => node.remove());
  shown.clear();
}

function firstPart(y) {
  let low = 0, high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (parts[middle].y + 2 * side + HEAD < y) low = middle + 1; else high = middle;
  }
  return low;
}

function draw() {
  frame = 0;
  const top = scroller.scrollTop - AHEAD, bottom = scroller.scrollTop + scroller.clientHeight + AHEAD;
  const keep = new Set();
  for (let n = firstPart(top); n < parts.length && parts[n].y < bottom; n++) {
    if (parts[n].y + parts[n].h < top) continue;
    keep.add(n);
    if (!shown.has(n)) shown.set(n, canvas.appendChild(make(parts[n])));
  }
  for (const [n, node] of shown) if (!keep.has(n)) { node.remove(); shown.delete(n); }
  markYear();
  fetchMissing(keep);
}

function make(part) {
  const node = document.createElement(part.kind === "cell" ? "div" : "h3");
  node.className = `am-${part.kind}`;
  node.style.transform = `translate(${part.x || 0}px, ${part.y}px)`;
  if (part.kind === "month") { node.textContent = part.text; return node; }
  node.style.width = `${part.w}px`;
  if (part.kind === "day") {
    const day = document.createElement("b");
    day.textContent = part.text;
    node.append(day, part.where ? ` ${part.where}` : "");
    node.title = [part.full, part.where].filter(Boolean).join(" · ");
    return node;
  }
  node.style.height = `${part.h}px`;
  node.setAttribute("role", "listitem");
  node.dataset.at = part.at;
  if (cells.has(part.at)) fill(node, cells.get(part.at));
  return node;
}

function fill(node, cell) {
  const link = document.createElement("a");
  link.href = `/item?id=${encodeURIComponent(cell.id)}`;
  link.title = [cell.clock, cell.says].filter(Boolean).join(" · ");
  const picture = document.createElement("img");
  picture.src = `/thumb/${encodeURIComponent(cell.id)}`;
  picture.alt = cell.stack > 1 ? `${cell.says} (${cell.stack} of one moment)` : cell.says;
  picture.decoding = "async";
  picture.draggable = false;
  link.append(picture);
  if (cell.stack > 1) link.append(badge("am-stack", `⧉ ${cell.stack}`));
  if (cell.plays) link.append(badge("am-plays", `▶ ${cell.plays}`));
  const dots = badge("am-dots", "");
  if (cell.noted) dots.append(badge("am-dot am-dot-noted", ""));
  if (cell.reads) dots.append(badge("am-dot am-dot-reads", ""));
  link.append(dots);
  node.replaceChildren(link);
}

function badge(name, text) {
  const node = document.createElement("span");
  node.className = name;
  node.textContent = text;
  return node;
}

async function fetchMissing(keep) {
  const chunks = new Set();
  for (const n of keep) {
    const at = parts[n].at;
    if (at !== undefined && !cells.has(at)) chunks.add(Math.floor(at / CHUNK));
  }
  await Promise.all([...chunks].filter((chunk) => !asked.has(chunk)).map(fetchChunk));
}

async function fetchChunk(chunk) {
  asked.add(chunk);
  const mine = turn;
  try {
    const got = await server.window({ first: chunk * CHUNK, end: (chunk + 1) * CHUNK, choice });
    if (mine !== turn) return;
    if (!got?.cells) throw new Error("no cells");
    got.cells.forEach((cell, n) => cells.set(got.first + n, cell));
    for (const node of shown.values()) {
      const at = Number(node.dataset.at);
      if (node.dataset.at && !node.firstChild && cells.has(at)) fill(node, cells.get(at));
    }
  } catch {
    if (mine === turn) asked.delete(chunk);
  }
}

function drawRail() {
  const years = new Map();
  for (const part of parts) if (part.year && !years.has(part.year)) years.set(part.year, part.y);
  rail.replaceChildren(...[...years].map(([year, y]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = year;
    button.dataset.y = y;
    button.onclick = () => { scroller.scrollTop = y; };
    return button;
  }));
  rail.hidden = years.size < 2;
}

function markYear() {
  let current = null;
  for (const button of rail.children) {
    if (Number(button.dataset.y) <= scroller.scrollTop + side) current = button;
  }
  for (const button of rail.children) button.toggleAttribute("aria-current", button === current);
}

function moveTo(at) {
  const part = parts.find((each) => each.at === at);
  if (!part) return;
  const low = part.y - HEAD, high = part.y + part.h - scroller.clientHeight;
  if (scroller.scrollTop > low) scroller.scrollTop = low;
  if (scroller.scrollTop < high) scroller.scrollTop = high;
  draw();
  canvas.querySelector(`[data-at="${at}"] a`)?.focus({ preventScroll: true });
}

const STEPS = { ArrowRight: () => 1, ArrowLeft: () => -1, ArrowDown: () => columns, ArrowUp: () => -columns };
scroller.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
  const cell = document.activeElement?.closest?.("[data-at]");
  if (!cell && document.activeElement !== scroller) return;
  event.preventDefault();
  const at = cell ? Number(cell.dataset.at) + step() : visibleFirst();
  moveTo(Math.min(Math.max(at, 0), plan.total - 1));
});

function visibleFirst() {
  const part = parts.find((each) => each.kind === "cell" && each.y >= scroller.scrollTop);
  return part ? part.at : 0;
}

scroller.addEventListener("scroll", () => {
  sessionStorage.setItem("am-scroll", String(scroller.scrollTop));
  frame ||= requestAnimationFrame(draw);
}, { passive: true });

new ResizeObserver(() => {
  if (!plan.total) return;
  const share = height ? scroller.scrollTop / height : 0;
  layout();
  drawRail();
  scroller.scrollTop = share * height;
  draw();
}).observe(scroller);

function say() {
  const years = plan.days.map((day) => day[2]).filter(Boolean);
  const span = years.length ? `, ${Math.min(...years)} to ${Math.max(...years)}` : "";
  const behind = plan.items > plan.total ? ` in ${plan.total.toLocaleString()} moments` : "";
  if (plan.total) status.textContent = `${plan.items.toLocaleString()} photos and videos${behind}${span}`;
  else if (isChosen()) status.textContent = "Nothing fits all of these choices.";
  else status.innerHTML = "Nothing is in this memory yet. <a href='/start'>Choose a folder</a>";
}

// Show what was chosen; the figures beside the choices come with it.
async function reload(first = false) {
  const mine = ++turn;
  sessionStorage.setItem(KEPT, JSON.stringify(choice));
  scroller.setAttribute("aria-busy", "true");
  let got;
  try {
    got = await server.plan(choice);
    if (!got?.days) throw new Error(got?.problem || "reload the page to try again");
  } catch (error) {
    got = { total: 0, days: [], broken: `The time line cannot be read now: ${error.message || error}` };
  }
  if (mine !== turn) return;
  plan = got;
  cells.clear();
  asked.clear();
  if (plan.broken) status.textContent = plan.broken; else say();
  scroller.removeAttribute("aria-busy");
  if (plan.figures) drawFigures(plan.figures);
  layout();
  drawRail();
  scroller.scrollTop = first ? Number(sessionStorage.getItem("am-scroll") || 0) : 0;
  draw();
}
