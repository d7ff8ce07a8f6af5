"use strict";
// Tables sort at a click on a head; rows that belong together (Δ under its row) stay together.
for (const head of document.querySelectorAll("th")) {
  head.tabIndex = 0;
  head.addEventListener("click", () => sort(head));
  head.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(head); });
}

function sort(head) {
  const table = head.closest("table"), place = head.cellIndex, body = table.tBodies[0];
  const down = head.getAttribute("aria-sort") !== "descending";
  for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const groups = [];
  for (const row of [...body.rows]) {
    if (row.dataset.with && groups.length) groups[groups.length - 1].push(row); else groups.push([row]);
  }
  const value = (group) => group[0].cells[place].dataset.v ?? group[0].cells[place].textContent;
  groups.sort((one, other) => {
    const a = value(one), b = value(other), x = Number(a), y = Number(b);
    if (a === "–" || b === "–") return (a === "–") - (b === "–");
    const order = Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y;
    return down ? -order : order;
  });
  for (const group of groups) body.append(...group);
}

// Curves: drawn from their numbers, and the nearest point of every line is told where the pointer is.
const SVG = "http://www.w3.org/2000/svg", HIGH = 340, LEFT = 44, TOP = 26, BELOW = 44;
const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#8c6d31", "#777"];
const DASHES = ["none", "6 4", "2 3"]; // beyond eight lines, colours come again with dashes

function make(name, attributes, parent, text) {
  const one = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  if (text !== undefined) one.textContent = text;
  parent.append(one);
  return one;
}

function round_ticks(low, high) {
  const rough = (high - low || 1) / 6, size = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].find((n) => n * size >= rough) * size;
  const ticks = [];
  for (let n = Math.ceil(low / step); n * step <= high; n++) ticks.push(Number((n * step).toPrecision(6)));
  return ticks;
}

function draw(place) {
  place.querySelector("svg")?.remove();
  const WIDE = Math.max(place.clientWidth, 280), data = JSON.parse(place.querySelector("script").textContent), names = Object.keys(data.lines);
  const xs = names.flatMap((name) => data.lines[name][0]), ys = names.flatMap((name) => [...data.lines[name][2], ...data.lines[name][3]]);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const pad = (y1 - y0 || 1) * 0.06;
  const across = (x) => LEFT + (WIDE - LEFT - 12) * (x - x0) / (x1 - x0 || 1);
  const up = (y) => TOP + (HIGH - BELOW - TOP) * (1 - (y - y0 + pad) / (y1 - y0 + 2 * pad));
  const svg = make("svg", {viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": `${data.y} by ${data.x}`}, place);
  for (const y of round_ticks(y0, y1)) {
    make("line", {x1: LEFT, x2: WIDE - 12, y1: up(y), y2: up(y), class: "grid"}, svg);
    make("text", {x: LEFT - 8, y: up(y) + 4, "text-anchor": "end"}, svg, y);
  }
  make("text", {x: 0, y: 12}, svg, data.y);
  for (const x of new Set(xs)) make("text", {x: across(x), y: HIGH - BELOW + 18, "text-anchor": "middle"}, svg, x);
  make("text", {x: (LEFT + WIDE) / 2, y: HIGH - 6, "text-anchor": "middle"}, svg, data.x);
  names.forEach((name, place) => {
    const [x, y, low, high] = data.lines[name], colour = COLOURS[place % COLOURS.length];
    const edge = [...x.map((v, n) => `${across(v)},${up(high[n])}`), ...x.map((v, n) => `${across(v)},${up(low[n])}`).reverse()];
    make("polygon", {points: edge.join(" "), fill: colour, opacity: 0.12}, svg);
    make("polyline", {points: x.map((v, n) => `${across(v)},${up(y[n])}`).join(" "), fill: "none", stroke: colour, "stroke-width": 2, "stroke-dasharray": DASHES[Math.floor(place / COLOURS.length) % DASHES.length]}, svg);
  });
  const rule = make("line", {y1: TOP, y2: HIGH - BELOW, class: "rule", visibility: "hidden"}, svg);
  const legend = place.querySelector(".legend");
  const show = (x) => {
    legend.replaceChildren(...names.map((name, place) => {
      const line = data.lines[name], near = line[0].reduce((best, v, n) => Math.abs(v - x) < Math.abs(line[0][best] - x) ? n : best, 0);
      const item = document.createElement("li"), said = x === null ? "" : `  ${line[1][near].toFixed(2)}`;
      item.style.setProperty("--colour", COLOURS[place % COLOURS.length]);
      item.dataset.dash = Math.floor(place / COLOURS.length) % DASHES.length;
      item.textContent = name + said;
      return item;
    }));
  };
  show(null);
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect(), at = (event.clientX - box.left) * WIDE / box.width;
    const x = [...new Set(xs)].reduce((best, v) => Math.abs(across(v) - at) < Math.abs(across(best) - at) ? v : best);
    rule.setAttribute("x1", across(x)); rule.setAttribute("x2", across(x)); rule.setAttribute("visibility", "visible");
    show(x);
  });
  svg.addEventListener("pointerleave", () => { rule.setAttribute("visibility", "hidden"); show(null); });
}
const drawAll = () => { for (const place of document.querySelectorAll(".curves")) draw(place); };
drawAll();
addEventListener("resize", drawAll);
