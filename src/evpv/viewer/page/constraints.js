/** What was read from the figure: each fact with its confidence, and what the claims made of it. */

import { meter } from "./charts.js";
import { h, replace } from "./dom.js";
import { icon } from "./icons.js";
import { counted, describe, fixed } from "./words.js";

/** @param {any} problem @param {ReturnType<typeof import("./links.js").links>} linked @param {ReturnType<typeof import("./mending.js").mending>} mend null where nothing can be mended */
export function constraintList(problem, linked, mend) {
  const { constraints } = problem;
  const met = constraints.map(() => h("span", { class: "met" }));
  const rows = constraints.map((constraint, number) => row(constraint, number, met[number], linked, mend));
  linked.listen((link) => {
    rows.forEach((item, number) => {
      const lit = link !== null && link.constraint === number;
      item.classList.toggle("lit", lit);
      if (lit) showWithin(item);
    });
  });
  const unread = problem.unread ? String(problem.unread) : "Nothing was read from the figure.";
  const body = rows.length
    ? h("ol", { class: "facts-read", tabindex: "0", "aria-label": "Facts read from the figure" }, rows)
    : h("p", { class: "muted" }, unread);
  return {
    element: h(
      "section",
      { class: "panel read", "aria-label": "What was read" },
      h("h2", {}, "What was read", h("span", { class: "muted" }, ` ${counted(constraints.length, "fact")}`)),
      body,
      mend?.tools,
    ),
    /** @param {{candidates: any[]}} scored */
    update(scored) {
      const counts = tallied(scored.candidates, constraints.length);
      counts.forEach(({ supported, contradicted }, number) => {
        replace(
          met[number],
          supported
            ? h(
                "span",
                { class: "met-supported", title: `${counted(supported, "claim")} supported` },
                icon("supported", "supported claims:"),
                supported,
              )
            : null,
          contradicted
            ? h(
                "span",
                { class: "met-contradicted", title: `${counted(contradicted, "claim")} contradicted` },
                icon("contradicted", "contradicted claims:"),
                contradicted,
              )
            : null,
        );
      });
    },
  };
}

function row(constraint, number, met, linked, mend) {
  const { about, says } = describe(constraint);
  const confidence = constraint.confidence ?? 1;
  const button = h(
    "button",
    { type: "button", class: "fact", title: mend ? "Mend this fact" : null },
    h(
      "span",
      { class: "fact-words", dir: "auto" },
      h("strong", {}, about),
      " ",
      says,
      constraint.reading === "estimated" ? h("span", { class: "tag" }, "estimated") : null,
      constraint.box ? null : h("span", { class: "tag" }, "place not known"),
    ),
    met,
    h(
      "span",
      { class: "fact-confidence", title: `confidence ${fixed(confidence)}` },
      meter(confidence),
      h("span", { class: "number" }, fixed(confidence)),
    ),
  );
  const item = h("li", { data: { constraint: number } }, button);
  linked.join(item, () => ({ constraint: number }));
  if (mend) button.addEventListener("click", () => mend.open(item, constraint));
  return item;
}

/** Scroll the list, and only the list: the page must not jump while one reads. */
function showWithin(item) {
  const list = item.parentElement;
  const [top, bottom] = [item.offsetTop - list.offsetTop, item.offsetTop - list.offsetTop + item.offsetHeight];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

function tallied(candidates, count) {
  const counts = Array.from({ length: count }, () => ({ supported: 0, contradicted: 0 }));
  for (const { steps } of candidates)
    for (const { constraint, verdict } of steps)
      if (constraint !== null && counts[constraint] && verdict in counts[constraint]) counts[constraint][verdict] += 1;
  return counts;
}
