// Search box and choices. A choice is { picked: { facet: [value] }, months, box, words, stacked }.
const aside = element.querySelector(".am-aside");
const facetBox = element.querySelector(".am-facets");
const form = element.querySelector(".am-search");
const words = element.querySelector(".am-words");
const clear = element.querySelector(".am-clear");
const stackBox = element.querySelector(".am-stacked");
const toggle = element.querySelector(".am-toggle");
const NAMES = { year: "Year", place: "Place", people: "People", scenario: "Scenario", media: "Media", notes: "Notes", text: "Text" };
const FEW = 6;
const opened = new Set();

function isChosen() {
  const picked = Object.values(choice.picked || {}).some((values) => values.length);
  return Boolean(picked || choice.months || choice.box || choice.words);
}

function drawFigures(figures) {
  clear.hidden = !isChosen();
  const had = document.activeElement?.dataset?.key;
  facetBox.replaceChildren(...Object.keys(NAMES).filter((name) => figures.facets[name]?.length)
    .map((name) => facetNode(name, figures.facets[name])));
  if (had) facetBox.querySelector(`[data-key="${CSS.escape(had)}"]`)?.focus();
  drawMap(figures.dots);
  drawMonths(figures.months);
}

function facetNode(name, rows) {
  const picked = new Set(choice.picked?.[name] || []);
  const node = document.createElement("fieldset");
  const legend = node.appendChild(document.createElement("legend"));
  legend.textContent = NAMES[name];
  rows.forEach(([value, text, count], n) => {
    if (n >= FEW && !opened.has(name) && !picked.has(value)) return;
    const label = node.appendChild(document.createElement("label"));
    const box = document.createElement("input");
    box.type = "checkbox";
    box.checked = picked.has(value);
    box.dataset.key = `${name}/${value}`;
    box.onchange = () => pick(name, value, box.checked);
    const said = document.createElement("span");
    said.textContent = text;
    said.title = text;
    const figure = document.createElement("small");
    figure.textContent = count.toLocaleString();
    label.append(box, said, figure);
  });
  if (rows.length > FEW) node.append(moreButton(name, rows.length));
  return node;
}

function moreButton(name, total) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.key = `more/${name}`;
  button.textContent = opened.has(name) ? "Fewer" : `All ${total}`;
  button.setAttribute("aria-expanded", String(opened.has(name)));
  button.onclick = () => {
    if (opened.has(name)) opened.delete(name); else opened.add(name);
    drawFigures(plan.figures);
  };
  return button;
}

function pick(name, value, on) {
  const values = (choice.picked?.[name] || []).filter((each) => each !== value);
  choice = { ...choice, picked: { ...choice.picked, [name]: on ? [...values, value] : values } };
  reload();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  choice = { ...choice, words: words.value.trim() };
  reload();
});
words.addEventListener("input", () => {
  if (!words.value && choice.words) { choice = { ...choice, words: "" }; reload(); }
});
stackBox.addEventListener("change", () => { choice = { ...choice, stacked: stackBox.checked }; reload(); });
clear.addEventListener("click", () => {
  choice = { stacked: choice.stacked };
  words.value = "";
  reload();
  words.focus();
});
toggle.addEventListener("click", () => {
  const open = aside.classList.toggle("am-open");
  toggle.setAttribute("aria-expanded", String(open));
  if (open) drawMap(plan.figures?.dots || []);
});
