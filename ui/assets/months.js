// Items by month. Drawing over the bars chooses a span; by keyboard: arrows, Shift with them widens.
const monthBox = element.querySelector(".am-months");
let bars = [], from = null, to = null, brushing = false;

function between(first, last) {
  const months = [];
  let [year, month] = first.split("-").map(Number);
  for (let n = 0; n < 2400; n++) {
    const name = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`;
    months.push(name);
    if (name >= last) break;
    if (++month > 12) { month = 1; year++; }
  }
  return months;
}

// Over many years a bar is several months, so that it can still be seen and hit.
function steps(months) {
  const wide = Math.max(1, Math.ceil(months.length / Math.max(24, Math.floor(element.clientWidth / 7))));
  const found = [];
  for (let n = 0; n < months.length; n += wide) found.push(months.slice(n, n + wide));
  return found;
}

function drawMonths(rows) {
  monthBox.hidden = rows.length < 2;
  if (rows.length < 2 || brushing) return;
  const counts = new Map(rows);
  const groups = steps(between(rows[0][0], rows[rows.length - 1][0]));
  const sums = groups.map((group) => group.reduce((sum, month) => sum + (counts.get(month) || 0), 0));
  const most = Math.max(...sums);
  bars = groups.map((group, n) => bar(group, sums[n], most, n));
  const had = monthBox.contains(document.activeElement) ? Number(document.activeElement.dataset.n) : -1;
  const line = document.createElement("div");
  line.className = "am-bars";
  line.setAttribute("role", "group");
  line.setAttribute("aria-label", "Items by month: choose a span");
  line.append(...bars);
  monthBox.replaceChildren(line, monthNote());
  paintBars();
  if (had >= 0) bars[Math.min(had, bars.length - 1)]?.focus();
}

function bar(group, count, most, n) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.n = n;
  button.dataset.first = group[0];
  button.dataset.last = group[group.length - 1];
  button.tabIndex = n ? -1 : 0;
  const span = group.length > 1 ? `${group[0]} to ${group[group.length - 1]}` : group[0];
  button.title = `${span}: ${count.toLocaleString()}`;
  button.setAttribute("aria-label", button.title);
  const fill = button.appendChild(document.createElement("i"));
  fill.style.height = count ? `${Math.max(8, Math.round(100 * Math.sqrt(count / most)))}%` : "0";
  if (group[0].endsWith("-01") || (n === 0)) button.dataset.year = group[0].slice(0, 4);
  return button;
}

function monthNote() {
  const note = document.createElement("p");
  if (!choice.months) { note.textContent = `${bars[0].dataset.first} to ${bars[bars.length - 1].dataset.last}`; return note; }
  note.append(`Shown: ${choice.months[0]} to ${choice.months[1]} `);
  const all = note.appendChild(document.createElement("button"));
  all.type = "button";
  all.textContent = "All months";
  all.onclick = () => { choice = { ...choice, months: null }; reload(); };
  return note;
}

function paintBars() {
  const low = brushing ? Math.min(from, to) : -1, high = brushing ? Math.max(from, to) : -1;
  bars.forEach((each, n) => {
    const on = brushing ? n >= low && n <= high
      : !choice.months || (each.dataset.last >= choice.months[0] && each.dataset.first <= choice.months[1]);
    each.setAttribute("aria-pressed", String(Boolean(choice.months || brushing) && on));
    each.classList.toggle("am-off", !on);
  });
}

function chooseSpan(first, last) {
  const [low, high] = [Math.min(first, last), Math.max(first, last)];
  choice = { ...choice, months: [bars[low].dataset.first, bars[high].dataset.last] };
  reload();
}

monthBox.addEventListener("pointerdown", (event) => {
  const hit = event.target.closest?.("[data-n]");
  if (!hit) return;
  event.preventDefault();
  hit.focus();
  brushing = true;
  from = to = Number(hit.dataset.n);
  paintBars();
});
window.addEventListener("pointermove", (event) => {
  if (!brushing) return;
  const line = monthBox.querySelector(".am-bars").getBoundingClientRect();
  const share = (event.clientX - line.left) / Math.max(1, line.width);
  to = Math.min(bars.length - 1, Math.max(0, Math.floor(share * bars.length)));
  paintBars();
});
window.addEventListener("pointerup", () => {
  if (!brushing) return;
  brushing = false;
  chooseSpan(from, to);
});
monthBox.addEventListener("keydown", (event) => {
  const at = Number(event.target.dataset?.n);
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (Number.isNaN(at)) return;
  if (event.key === "Enter" || event.key === " ") { event.preventDefault(); from = at; chooseSpan(at, at); return; }
  if (event.key === "Escape") { choice = { ...choice, months: null }; reload(); return; }
  if (!step) return;
  event.preventDefault();
  const next = Math.min(bars.length - 1, Math.max(0, at + step));
  bars[at].tabIndex = -1;
  bars[next].tabIndex = 0;
  bars[next].focus();
  if (event.shiftKey) { if (from === null) from = at; chooseSpan(from, next); }
  else from = null;
});

words.value = choice.words || "";
stackBox.checked = choice.stacked !== false;
reload(true);
