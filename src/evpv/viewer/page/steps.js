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
  const several = (step.assertions ?? []).length > 1;
  const element = h(
    "div",
    { class: `claim ${step.verdict}`, data: { verdict: step.verdict, constraint: step.constraint } },
    h(
      "div",
      { class: "claim-head" },
      h("span", { class: `verdict ${step.verdict}` }, icon(step.verdict), verdictWord(step.verdict)),
      step.claim_from === "auditor" ? h("span", { class: "tag" }, "found by the auditor") : null,
      locate,
    ),
    h("p", { class: "claim-text", dir: "auto" }, withMath(step.claim)),
    several ? assertionList(step, linked, candidate, index) : null,
    !several && step.explanation ? h("p", { class: "claim-why", dir: "auto" }, withMath(step.explanation)) : null,
  );
  linked.join(element, link);
  return element;
}

/** The judge's deciding reason. */
function aside(step) {
  const [first] = reasons(step);
  return first && first !== "nothing to check"
    ? h("p", { class: "step-aside", dir: "auto" }, "judge: ", withMath(first))
    : null;
}

/** Every thing that the claim says, with what it met, why, and where. */
function assertionList(step, linked, candidate, index) {
  const items = step.assertions.map((one) => {
    const said = step.claim.slice(...one.span).trim() || one.form;
    const item = h(
      "li",
      { class: `assertion ${one.verdict}`, tabindex: "0", data: { verdict: one.verdict, constraint: one.constraint } },
      h("span", { class: `verdict ${one.verdict}` }, icon(one.verdict, verdictWord(one.verdict))),
      h(
        "span",
        { class: "assertion-words", dir: "auto" },
        h("strong", { title: one.form }, withMath(said)),
        one.explanation ? h("span", { class: "claim-why" }, " ", withMath(one.explanation)) : null,
      ),
    );
    linked.join(item, () => ({ candidate: candidate.id, step: index, constraint: one.constraint, verdict: one.verdict }));
    return item;
  });
  return h("ul", { class: "assertions", "aria-label": "What the claim says, part by part" }, items);
}

/** What the judge says of a step, the deciding reason first. @param {any} step @returns {string[]} */
export function reasons(step) {
  return step.judge ? String(step.judge).split("; ").filter(Boolean) : [];
}

/** One number for the step; how it came about is unfolded. */
function worth(step) {
  const line = (name, value, means) =>
    h("div", {}, h("dt", {}, name), h("dd", { class: "number" }, value), h("dd", { class: "muted" }, means));
  const said = reasons(step);
  return h(
    "details",
    { class: "worth" },
    h(
      "summary",
      { "aria-label": `worth ${signed(step.reward)}; why` },
      h("span", { class: `worth-reward number ${step.reward !== null && step.reward < 0 ? "below" : ""}` }, signed(step.reward)),
      rewardBar(step.base_reward, step.reward),
    ),
    h(
      "dl",
      { class: "worth-lines" },
      line("judge", signed(step.base_reward), "what the judge alone gives the step, from −1 to 1"),
      step.support !== null && step.support !== undefined
        ? line("support", fixed(step.support), "how far what was read supports its claim")
        : null,
      step.reliability !== null && step.reliability !== undefined
        ? line("premises", fixed(step.reliability), "how far the premises hold that it rests on")
        : null,
      step.gate !== null ? line("gate", fixed(step.gate), "how far the step is trusted for that") : null,
    ),
    step.uses?.length ? h("p", {}, `Builds on step ${step.uses.map((used) => used + 1).join(", ")}.`) : null,
    said.length > 1 ? h("ul", { class: "worth-reasons", dir: "auto" }, said.map((one) => h("li", {}, withMath(one)))) : null,
  );
}
