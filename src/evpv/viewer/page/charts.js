/** Small charts: a histogram, a bar in parts, a reward between −1 and 1. Each says in words what it shows. */

import { h, s } from "./dom.js";
import { fixed, signed } from "./words.js";

const BINS = 20;

/** Counts in bins of 0.05 over [0, 1]. @param {number[]} values */
export function binned(values) {
  const counts = new Array(BINS).fill(0);
  for (const value of values) counts[Math.max(0, Math.min(Math.floor(value * BINS), BINS - 1))] += 1;
  return counts;
}

/** @param {string} title @param {number[]} counts over [0, 1] @param {string} what is counted */
export function histogram(title, counts, what) {
  const highest = Math.max(1, ...counts);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const width = 100 / counts.length;
  const range = (bin) => `${fixed(bin / counts.length)} to ${fixed((bin + 1) / counts.length)}`;
  const bars = counts.map((count, bin) => {
    const height = count === 0 ? 0 : Math.max(1.5, (count / highest) * 56);
    return s(
      "rect",
      { x: bin * width + 0.4, y: 58 - height, width: width - 0.8, height, rx: 0.6 },
      s("title", {}, `${range(bin)}: ${count} ${what}`),
    );
  });
  const top = counts.indexOf(highest);
  const label = total === 0 ? `${title}: none` : `${title} of ${total} ${what}; most often ${range(top)} (${highest})`;
  return h(
    "figure",
    { class: "histogram" },
    h("figcaption", {}, title, h("span", { class: "muted" }, ` of ${total.toLocaleString("en")} ${what}`)),
    s(
      "svg",
      { viewBox: "0 0 100 58", preserveAspectRatio: "none", role: "img", "aria-label": label },
      bars,
      s("line", { x1: 0, x2: 100, y1: 58, y2: 58 }),
    ),
    h(
      "div",
      { class: "axis", "aria-hidden": "true" },
      ["0", "0.25", "0.5", "0.75", "1"].map((tick) => h("span", {}, tick)),
    ),
  );
}

/**
 * One bar in parts, with a legend that carries the words and the numbers.
 * @param {string} title @param {{name: string, word: string, count: number, symbol?: Node}[]} parts
 */
export function parted(title, parts) {
  const total = parts.reduce((sum, part) => sum + part.count, 0);
  const share = (part) => (total === 0 ? 0 : (100 * part.count) / total);
  return h(
    "figure",
    { class: "parted" },
    h("figcaption", {}, title),
    partBar(parts),
    h(
      "ul",
      { class: "legend" },
      parts.map((part) =>
        h(
          "li",
          {},
          h("span", { class: `swatch ${part.name}` }, part.symbol ?? null),
          h("span", { class: "legend-word" }, part.word),
          h("span", { class: "number" }, part.count.toLocaleString("en")),
          h("span", { class: "number muted" }, `${share(part).toFixed(share(part) < 10 ? 1 : 0)} %`),
        ),
      ),
    ),
  );
}

/** The bar alone. @param {{name: string, count: number}[]} parts */
export function partBar(parts) {
  const present = parts.filter((part) => part.count > 0);
  return h(
    "div",
    { class: "part-bar", "aria-hidden": "true" },
    present.map((part) => h("span", { class: `part ${part.name}`, style: { "flex-grow": part.count } })),
  );
}

/** A step's reward from −1 to 1 as a bar from the middle; a tick where the judge alone would put it. */
export function rewardBar(base, reward) {
  const at = (value) => 50 + 50 * Math.max(-1, Math.min(1, value));
  const label =
    reward === null ? "no reward: the judge gave no number" : `reward ${signed(reward)}, judge ${signed(base)}`;
  const from = reward === null ? 50 : Math.min(50, at(reward));
  const width = reward === null ? 0 : Math.abs(at(reward) - 50);
  return h(
    "div",
    { class: "reward-bar", role: "img", "aria-label": label },
    h("span", {
      class: `reward-fill ${reward !== null && reward < 0 ? "below" : "above"}`,
      style: { left: `${from}%`, width: `${width}%` },
    }),
    base === null ? null : h("span", { class: "reward-base", style: { left: `${at(base)}%` } }),
  );
}

/** A share from 0 to 1. @param {number} value @param {string} [kind] */
export function meter(value, kind = "") {
  return h(
    "span",
    { class: `meter ${kind}`, "aria-hidden": "true" },
    h("span", { style: { width: `${100 * Math.max(0, Math.min(1, value))}%` } }),
  );
}
