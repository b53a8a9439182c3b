// A map that is drawn here: outlines of land, and a dot for each group of photos. A dot is a button
// for the mouse: it comes closer. Equal distances in degrees; nothing is fetched from elsewhere.
const atlas = element.querySelector(".am-map");
const pen = atlas.getContext("2d");
const WORLD = { x: 10, y: 25, span: 360 };
const GROUP = 26;
let outlines = [], dots = [], groups = [], look = { ...WORLD }, drag = null, touched = false;

function mapScale() { return atlas.clientWidth / look.span; }
function across(longitude) {
  let from = longitude - look.x;
  while (from > 180) from -= 360;
  while (from < -180) from += 360;
  return atlas.clientWidth / 2 + from * mapScale();
}
function down(latitude) { return atlas.clientHeight / 2 - (latitude - look.y) * mapScale(); }

function drawMap(given) {
  dots = given;
  aside.querySelector(".am-atlas").hidden = !dots.length && !choice.box;
  if (!touched && !choice.box && dots.length) look = around(dots);
  paintMap();
}

function around(points) {
  const east = points.map((each) => each[1]), north = points.map((each) => each[0]);
  const west = Math.min(...east), right = Math.max(...east), low = Math.min(...north), top = Math.max(...north);
  const span = Math.min(360, Math.max(right - west, (top - low) * 1.8, 12) * 1.35);
  return { x: (west + right) / 2, y: (low + top) / 2, span };
}

function paintMap() {
  const width = atlas.clientWidth, height = atlas.clientHeight, fine = window.devicePixelRatio || 1;
  if (!width) return;
  atlas.width = width * fine;
  atlas.height = height * fine;
  pen.setTransform(fine, 0, 0, fine, 0, 0);
  const style = getComputedStyle(atlas);
  pen.fillStyle = style.getPropertyValue("--am-land");
  for (const ring of outlines) paintRing(ring);
  groups = grouped();
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.font = "11px system-ui, sans-serif";
  for (const group of groups) paintGroup(group, style);
}

function paintRing(ring) {
  // A ring is drawn once for each turn of the world that can be in view.
  const scale = mapScale(), turn = 360 * scale;
  const base = atlas.clientWidth / 2 + (ring[0][0] - look.x) * scale;
  for (let n = -2; n <= 2; n++) {
    pen.beginPath();
    ring.forEach(([longitude, latitude], at) => {
      const x = base + (longitude - ring[0][0]) * scale + n * turn, y = down(latitude);
      if (at) pen.lineTo(x, y); else pen.moveTo(x, y);
    });
    pen.fill();
  }
}

function grouped() {
  const found = new Map();
  for (const [latitude, longitude, count] of dots) {
    const x = across(longitude), y = down(latitude);
    if (x < 0 || y < 0 || x > atlas.clientWidth || y > atlas.clientHeight) continue;
    const key = `${Math.floor(x / GROUP)}/${Math.floor(y / GROUP)}`;
    const group = found.get(key) || { x: 0, y: 0, count: 0, points: [] };
    group.x += x * count; group.y += y * count; group.count += count;
    group.points.push([latitude, longitude, count]);
    found.set(key, group);
  }
  return [...found.values()].map((each) => ({
    ...each, x: each.x / each.count, y: each.y / each.count, r: 7 + Math.min(9, 2.2 * Math.log2(each.count)),
  }));
}

function paintGroup(group, style) {
  pen.beginPath();
  pen.arc(group.x, group.y, group.r, 0, 2 * Math.PI);
  pen.fillStyle = style.getPropertyValue("--am-accent");
  pen.fill();
  pen.fillStyle = style.getPropertyValue("--am-back");
  if (group.count > 1) pen.fillText(group.count > 999 ? `${Math.floor(group.count / 1000)}k` : group.count, group.x, group.y + .5);
}

function zoom(by, x = atlas.clientWidth / 2, y = atlas.clientHeight / 2) {
  const before = mapScale(), east = (x - atlas.clientWidth / 2) / before, north = (atlas.clientHeight / 2 - y) / before;
  const span = Math.min(360, Math.max(.2, look.span * by)), left = 1 - span / look.span;
  look = bounded({ x: look.x + east * left, y: look.y + north * left, span });
  touched = true;
  paintMap();
}

function bounded(next) {
  const x = ((next.x + 180) % 360 + 360) % 360 - 180;
  return { ...next, x, y: Math.min(85, Math.max(-85, next.y)) };
}

function move(right, up) {
  look = bounded({ ...look, x: look.x + right * look.span * .2, y: look.y + up * look.span * .1 });
  touched = true;
  paintMap();
}

function onlyHere() {
  const half = look.span / 2, tall = atlas.clientHeight / mapScale() / 2;
  const wrap = (longitude) => ((longitude + 180) % 360 + 360) % 360 - 180;
  const ends = look.span >= 360 ? [-180, 180] : [wrap(look.x - half), wrap(look.x + half)];
  choice = { ...choice, box: [ends[0], Math.max(-90, look.y - tall), ends[1], Math.min(90, look.y + tall)] };
  reload();
}

function wholeWorld() {
  touched = false;
  look = { ...WORLD };
  choice = { ...choice, box: null };
  reload();
}

atlas.addEventListener("pointerdown", (event) => {
  drag = { x: event.offsetX, y: event.offsetY, from: { ...look }, moved: false };
  atlas.setPointerCapture(event.pointerId);
});
atlas.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const x = event.offsetX - drag.x, y = event.offsetY - drag.y;
  if (Math.hypot(x, y) < 4 && !drag.moved) return;
  drag.moved = touched = true;
  look = bounded({ ...look, x: drag.from.x - x / mapScale(), y: drag.from.y + y / mapScale() });
  paintMap();
});
atlas.addEventListener("pointerup", (event) => {
  const was = drag;
  drag = null;
  if (!was || was.moved) return;
  const hit = groups.find((each) => Math.hypot(each.x - event.offsetX, each.y - event.offsetY) <= each.r + 4);
  if (!hit) return;
  look = around(hit.points);
  touched = true;
  onlyHere();
});
atlas.addEventListener("pointercancel", () => { drag = null; });
atlas.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(event.deltaY > 0 ? 1.25 : .8, event.offsetX, event.offsetY);
}, { passive: false });
const MAP_KEYS = {
  ArrowLeft: () => move(-1, 0), ArrowRight: () => move(1, 0), ArrowUp: () => move(0, 1), ArrowDown: () => move(0, -1),
  "+": () => zoom(.7), "=": () => zoom(.7), "-": () => zoom(1.4), Enter: onlyHere, Escape: wholeWorld,
};
atlas.addEventListener("keydown", (event) => {
  if (!MAP_KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  MAP_KEYS[event.key]();
});
element.querySelector(".am-here").addEventListener("click", onlyHere);
element.querySelector(".am-world").addEventListener("click", wholeWorld);
element.querySelector(".am-closer").addEventListener("click", () => zoom(.6));
element.querySelector(".am-wider").addEventListener("click", () => zoom(1.6));
new ResizeObserver(paintMap).observe(atlas);

server.land({}).then((got) => {
  outlines = (got?.rings || []).map((ring) => {
    let x = 0, y = 0;
    const points = [];
    for (let n = 0; n < ring.length; n += 2) points.push([(x += ring[n]) / 10, (y += ring[n + 1]) / 10]);
    return points;
  });
  paintMap();
}).catch(() => {});
