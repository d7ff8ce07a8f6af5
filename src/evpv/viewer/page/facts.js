/** What a run was: recipe, data, date, method and cost. */

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { plain } from "./words.js";

/** @param {import("./data.js").Run} run */
export function runFacts(run) {
  const { manifest, cost } = run;
  const method = manifest.method ?? manifest.settings?.method ?? {};
  const parts = manifest.settings ?? {};
  const facts = [
    ["Recipe", manifest.recipe],
    ["Problems", manifest.problems],
    ["Date", manifest.date],
    ["Extractor", parts.extractor?.use],
    ["Judge", parts.judge?.use && `${parts.judge.use}${parts.judge.evidence ? ", shown what was read" : ""}`],
    ["Matching", method.matching],
    ["Gate", gateWords(method)],
    ["Score", method.aggregation],
    ["Chosen by", method.select],
    ["Version", manifest.versions?.evpv && `evpv ${manifest.versions.evpv}`],
    ["Fingerprint", manifest.fingerprint],
    ...Object.entries(cost ?? {}).map(([name, value]) => [costName(name), costValue(name, value)]),
  ];
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return h(
    "details",
    { class: "facts" },
    h("summary", {}, inShort(manifest, method, cost), icon("down", "all facts of this run")),
    h(
      "dl",
      { class: "panel" },
      known.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", { dir: "auto" }, String(value)))),
    ),
  );
}

/** The facts that one asks for first, in one line. */
function inShort(manifest, method, cost) {
  const words = [
    manifest.recipe && `recipe ${manifest.recipe}`,
    manifest.problems,
    manifest.date,
    method.gate && `gate ${gateWords(method)}`,
    cost?.seconds !== undefined && `${costValue("seconds", cost.seconds)} of reading`,
    manifest.versions?.evpv && `evpv ${manifest.versions.evpv}`,
  ];
  return words.filter(Boolean).map((word) => h("span", { dir: "auto" }, String(word)));
}

/** @param {{gate?: string, threshold?: number, sharpness?: number}} method */
export function gateWords({ gate, threshold, sharpness }) {
  if (!gate) return null;
  return gate === "sigmoid" || gate === "local" ? `${gate}, τ ${plain(threshold)}, β ${plain(sharpness)}` : gate;
}

function costName(name) {
  const words = name
    .replace(/_?(seconds|s)$/, "")
    .replaceAll("_", " ")
    .trim();
  return words ? `Cost: ${words}` : "Cost: time";
}

function costValue(name, value) {
  if (!/(^|_)(seconds|s)$/.test(name)) return plain(value);
  if (value < 120) return `${value.toFixed(1)} s`;
  return value < 7200 ? `${(value / 60).toFixed(1)} min` : `${(value / 3600).toFixed(1)} h`;
}
