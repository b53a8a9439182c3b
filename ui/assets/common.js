// What the scripts of our own pages share. Words become text nodes or attributes, never markup.
function node(name, given = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((each) => each !== null && each !== undefined && each !== ""));
  return made;
}

function button(text, does, more = {}) {
  return node("button", { type: "button", class: "am-plain", onclick: does, ...more }, text);
}

function part(name) { return element.querySelector(`.${name}`); }

// Do something: posted as JSON to this very server; a problem is said in the notice and thrown.
async function act(deed, body = {}) {
  let answer;
  try {
    const reply = await fetch(`/do/${deed}`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
    answer = await reply.json();
  } catch {
    answer = { problem: "archive-mem does not answer; is it still running?" };
  }
  if (answer.problem) { tell(answer.problem); throw new Error(answer.problem); }
  return answer;
}

let telling = 0;
function tell(problem) {
  const place = document.getElementById("am-notice");
  if (!place) return;
  const line = node("p", { class: "am-problem", role: "alert" }, node("b", {}, "That did not work: "), problem);
  (place.querySelector(".prose") || place).replaceChildren(line);
  clearTimeout(telling);
  telling = setTimeout(() => line.remove(), 12000);
}

async function look(name, asked = {}) {
  const got = await server[name](asked);
  if (got?.problem) { tell(got.problem); throw new Error(got.problem); }
  return got;
}

function bytes(count) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let at = 0;
  while (count >= 1000 && at < units.length - 1) { count /= 1000; at++; }
  return `${count >= 100 || at === 0 ? Math.round(count) : count.toFixed(1)} ${units[at]}`;
}

function progressBar(done, total, text) {
  const share = total ? Math.min(1, done / total) : 0;
  return node("div", { class: "am-progress", role: "progressbar", "aria-label": text,
    "aria-valuenow": Math.round(100 * share), "aria-valuemin": 0, "aria-valuemax": 100 },
  node("span", { class: "am-bar-track" }, node("span", { style: `width:${(100 * share).toFixed(1)}%` })));
}

// Ask again and again while this page is open and seen; `ask` says false to stop.
function poll(ask, milliseconds) {
  let going = true;
  async function step() {
    if (!going || !element.isConnected) return;
    let more = true;
    if (!document.hidden) { try { more = await ask(); } catch { more = true; } }
    if (more !== false) setTimeout(step, milliseconds); else going = false;
  }
  step();
  return () => { going = false; };
}
