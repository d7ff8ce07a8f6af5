/** Mending what was read: change, delete or add a fact. Python matches and ranks again; the page only sends and shows. */

import { h, replace, s } from "./dom.js";
import { icon } from "./icons.js";

/** What a form asks for, by category: the field, its label, and whether it is a list with commas or a number. */
const FIELDS = {
  numeric: [
    { name: "entity", label: "What" },
    { name: "attribute", label: "Which attribute" },
    { name: "value", label: "Value", kind: "number" },
    { name: "unit", label: "Unit", kind: "maybe" },
  ],
  relation: [
    { name: "type", label: "Relation" },
    { name: "entities", label: "Between (with commas)", kind: "list" },
  ],
  structure: [
    { name: "type", label: "Structure" },
    { name: "parts", label: "Parts (with commas)", kind: "list" },
  ],
};
const EMPTY = {
  numeric: { category: "numeric", entity: "", attribute: "value", value: "", unit: null },
  relation: { category: "relation", type: "", entities: [], direction: null },
};

/**
 * @param {import("./main.js").Page} page @param {any} problem @param {ReturnType<typeof import("./picture.js").picture>} figure
 * @param {(answer: any) => void} show what the service makes of a change
 */
export function mending(page, problem, figure, show) {
  if (!page.data.mending) return null;
  const status = h("p", { class: "mend-status", role: "status" }, page.mended ?? "Click a fact to mend it.");
  const send = async (old, fact) => {
    status.textContent = "…";
    try {
      const answer = await (page.data.mending === "here" ? toService : toParent)(problem, old, fact);
      page.mended = `Kept as correction ${answer.correction.id}${answer.correction.who ? ` by ${answer.correction.who}` : ""}.`;
      show(answer);
    } catch (error) {
      status.textContent = error.message;
      status.setAttribute("role", "alert");
    }
  };
  const adding = h("div", { class: "mend-add" });
  const add = (box) => {
    const place = box && figure.current() > 0 ? { image: figure.current() } : {};
    const begun = { ...(box ? { box } : {}), ...place };
    const choose = (category) => replace(adding, factForm({ ...EMPTY[category], ...begun }, null, send, close, choose));
    const close = () => replace(adding, addButton);
    choose("numeric");
  };
  const draw = () => {
    status.textContent = "Draw a box around it on the figure; Esc adds it without a place.";
    if (!drawBox(figure.element, add)) add(null);
  };
  const addButton = h("button", { type: "button", class: "button", on: { click: draw } }, icon("plus"), "Add a fact");
  replace(adding, addButton);
  return {
    tools: h("div", { class: "mend-tools" }, adding, status),
    /** Put a form in the place of a fact's row. @param {HTMLElement} row @param {any} fact */
    open(row, fact) {
      const before = [...row.childNodes];
      replace(row, factForm(fact, fact, send, () => replace(row, ...before)));
      row.querySelector("input")?.focus();
    },
  };
}

/** A form for a fact: `old` is null for a new one, which may also be of another category. */
function factForm(fact, old, send, close, choose) {
  const inputs = FIELDS[fact.category].map(({ name, label, kind }) => {
    const value = kind === "list" ? (fact[name] ?? []).join(", ") : (fact[name] ?? "");
    const input = h("input", { name, value, autocomplete: "off", inputmode: kind === "number" ? "decimal" : null });
    return h("label", {}, h("span", {}, label), input);
  });
  const category = choose
    ? h(
        "select",
        { "aria-label": "Kind of fact", on: { change: (event) => choose(event.target.value) } },
        Object.keys(EMPTY).map((name) => h("option", { value: name, selected: name === fact.category }, name)),
      )
    : null;
  const values = () => Object.fromEntries(inputs.map((label) => [label.lastChild.name, label.lastChild.value.trim()]));
  const save = () => send(old, stated(fact, values()));
  const button = (words, action) => h("button", { type: "button", class: "button", on: { click: action } }, words);
  // No form element: in the service's page this stands in a frame that may send none.
  return h(
    "div",
    { class: "mend-form", role: "group", "aria-label": "A fact", on: { keydown: (event) => event.key === "Enter" && event.target.matches("input") && save() } },
    category,
    inputs,
    h(
      "div",
      { class: "mend-buttons" },
      button(old ? "Save" : "Add", save),
      old ? button("Delete", () => send(old, null)) : null,
      button("Cancel", close),
    ),
  );
}

/** The fact as the form states it: a person's word is sure, and printed unless only its name was changed. */
function stated(fact, texts) {
  const fresh = { ...fact, confidence: 1 };
  for (const { name, kind } of FIELDS[fact.category]) {
    const text = texts[name];
    if (kind === "number") fresh[name] = text === "" ? null : Number(text);
    else if (kind === "list") fresh[name] = text.split(",").map((part) => part.trim()).filter(Boolean);
    else fresh[name] = kind === "maybe" && text === "" ? null : text;
  }
  if (fresh.value !== fact.value) {
    delete fresh.reading;
    delete fresh.error;
  }
  if (fresh.entity !== fact.entity) for (const name of ["row", "column", "series"]) delete fresh[name];
  return fresh;
}

/** Let the reader draw a box on the figure; false where there is no figure. @param {(box: number[] | null) => void} done */
function drawBox(element, done) {
  const view = element.querySelector(".window");
  const overlay = view?.querySelector("svg.overlay");
  if (!overlay) return false;
  const mark = s("rect", { class: "drawn-box" });
  const listening = new AbortController();
  let from = null;
  const at = ({ clientX, clientY }) => {
    const { left, top, width, height } = overlay.getBoundingClientRect();
    const { width: across, height: down } = overlay.viewBox.baseVal;
    const within = (share, most) => Math.round(Math.max(0, Math.min(1, share)) * most);
    return [within((clientX - left) / width, across), within((clientY - top) / height, down)];
  };
  const boxTo = ([x, y]) => [Math.min(from[0], x), Math.min(from[1], y), Math.max(from[0], x), Math.max(from[1], y)];
  const end = (box) => {
    listening.abort();
    mark.remove();
    view.classList.remove("drawing");
    done(box);
  };
  const on = (target, name, act) =>
    target.addEventListener(name, act, { capture: true, signal: listening.signal });
  on(view, "pointerdown", (event) => {
    event.stopPropagation();
    event.preventDefault();
    from = at(event);
    overlay.appendChild(mark);
    view.setPointerCapture(event.pointerId);
  });
  on(view, "pointermove", (event) => {
    if (!from) return;
    const [x0, y0, x1, y1] = boxTo(at(event));
    for (const [name, value] of Object.entries({ x: x0, y: y0, width: x1 - x0, height: y1 - y0 }))
      mark.setAttribute(name, String(value));
  });
  on(view, "pointerup", (event) => from && end(boxTo(at(event))));
  on(globalThis, "keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    end(null);
  });
  view.classList.add("drawing");
  view.scrollIntoView({ block: "nearest" });
  return true;
}

async function toService(problem, old, fact) {
  const answer = await fetch("corrections", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ problem_id: problem.problem_id, old, new: fact }),
    credentials: "omit",
  });
  const said = await answer.json().catch(() => ({ message: `the editor answered ${answer.status}` }));
  if (!answer.ok) throw new Error(`${said.field ? `${said.field}: ` : ""}${said.message}`);
  return said;
}

/** In a frame of the service's own page, which may ask where this one may not. */
function toParent(problem, old, fact) {
  const { images, right, evidence, question, options, answer, image, unread, ...trace } = problem;
  return new Promise((resolve, reject) => {
    if (parent === window) reject(new Error("this page has left the service that could mend it"));
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => (data.answer ? resolve(data.answer) : reject(new Error(String(data.message))));
    parent.postMessage({ evpv: "mend", trace, old, new: fact }, "*", [port2]);
  });
}
