/** A step: what it says, what it says it sees, what the figure says to that, and what it is worth. */

import { rewardBar } from "./charts.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { withMath } from "./math.js";
import { faultWords, fixed, signed, verdictWord } from "./words.js";

/** @param {import("./main.js").Page} page @param {any} candidate @param {any} step @param {number} index @param {any} linked @param {Node | (Node|string)[]} [text] instead of its text */
export function stepItem(page, candidate, step, index, linked, text = withMath(step.text)) {
  const link = () => ({ candidate: candidate.id, step: index, constraint: step.constraint, verdict: step.verdict });
  const item = h(
    "li",
    { class: "step", data: { step: index + 1, fault: step.fault ?? null, verdict: step.verdict ?? null } },
    h("span", { class: "step-number number", "aria-hidden": "true" }, index + 1),
    h(
      "div",
      { class: "step-words" },
      step.fault ? faultChip(candidate, step) : null,
      h("p", { class: "step-text", dir: "auto" }, text),
      step.claim !== null && step.verdict ? claim(page, candidate, step, index, linked, link) : null,
      aside(step),
    ),
    worth(step),
  );
  linked.listenBriefly((lit) => item.classList.toggle("lit", concerns(lit, candidate, step, index)));
  return item;
}

/** Whether what is lit is this step, or the constraint that decided it. */
function concerns(lit, candidate, step, index) {
  if (lit === null) return false;
  if (lit.step !== undefined) return lit.candidate === candidate.id && lit.step === index;
  return lit.constraint !== null && lit.constraint === step.constraint && step.verdict !== null;
}

function faultChip(candidate, step) {
  return h(
    "span",
    { class: `chip fault ${step.fault}` },
    icon(step.fault === "premise" ? "eye" : "reasoning"),
    faultWords(step.fault, candidate, step),
  );
}

function claim(page, candidate, step, index, linked, link) {
  const pin = () => {
    page.go({ candidate: candidate.id, step: page.state.step === index + 1 ? null : index + 1 }, { quiet: true });
    // In one column the figure is out of sight.
    if (page.state.step !== null && matchMedia("(max-width: 1080px)").matches)
      document.querySelector(".picture")?.scrollIntoView({ block: "start" });
  };
  const seen = step.constraint !== null && step.constraint !== undefined;
  const locate = h(
    "button",
    {
      type: "button",
      class: "quiet locate",
      data: { key: `claim ${candidate.id} ${index}` },
      "aria-label": `Step ${index + 1}: ${seen ? "show where the figure says so" : "point at this claim"}`,
      title: seen ? "Show where the figure says so" : "Point at this claim",
      on: { click: pin },
    },
    icon("box"),
  );
  const element = h(
    "div",
    { class: `claim ${step.verdict}`, data: { verdict: step.verdict, constraint: step.constraint } },
    h(
      "div",
      { class: "claim-head" },
      h("span", { class: `verdict ${step.verdict}` }, icon(step.verdict), verdictWord(step.verdict)),
      step.claim_from === "auditor" ? h("span", { class: "tag" }, "found by the auditor") : null,
      h("span", { class: "muted number" }, `support ${fixed(step.support)}`),
      locate,
    ),
    h("p", { class: "claim-text", dir: "auto" }, withMath(step.claim)),
    step.explanation ? h("p", { class: "claim-why", dir: "auto" }, withMath(step.explanation)) : null,
  );
  linked.join(element, link);
  return element;
}

/** What the step builds on, and what the judge says. */
function aside(step) {
  const parts = [];
  if (step.uses?.length) parts.push(`builds on step ${step.uses.map((used) => used + 1).join(", ")}`);
  if (step.judge) parts.push(["judge: ", withMath(String(step.judge))]);
  return parts.length
    ? h(
        "p",
        { class: "step-aside", dir: "auto" },
        parts.map((part, index) => [index ? " · " : null, part]),
      )
    : null;
}

function worth(step) {
  const number = (name, value, title) =>
    h(
      "span",
      { class: "worth-number", title },
      h("span", { class: "muted" }, name),
      h("span", { class: "number" }, value),
    );
  return h(
    "div",
    { class: "worth" },
    h(
      "div",
      { class: `worth-reward number ${step.reward !== null && step.reward < 0 ? "below" : ""}` },
      signed(step.reward),
    ),
    rewardBar(step.base_reward, step.reward),
    h(
      "div",
      { class: "worth-numbers" },
      number("judge", signed(step.base_reward), "what the judge alone gives the step"),
      step.gate === null
        ? step.reliability !== null && step.reliability !== undefined
          ? number("premises", fixed(step.reliability), "how far the premises hold that it builds on")
          : null
        : number("gate", fixed(step.gate), "how far the step is trusted"),
    ),
  );
}
