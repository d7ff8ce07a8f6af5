/** The figure, with the places where facts were read; it can be brought nearer and moved about. */

import { h, pictureAddress, replace, s } from "./dom.js";
import { icon } from "./icons.js";
import { describe, fixed, verdictWord } from "./words.js";

const NEAREST = 12;
const MARGIN_PX = 4;

/** @param {any} problem @param {ReturnType<typeof import("./links.js").links>} linked */
export function picture(problem, linked) {
  const images = (problem.images ?? []).filter((image) => pictureAddress(image.src));
  if (images.length === 0)
    return {
      element: h(
        "figure",
        { class: "picture panel none" },
        icon("eye"),
        h(
          "p",
          { class: "muted" },
          problem.image ? "The figure is not with this page: its file was not found." : "This problem has no figure.",
        ),
      ),
      keys: {},
      current: () => 0,
      dispose() {},
    };
  const caption = h("figcaption", { class: "picture-caption", "aria-live": "polite" });
  const shown = images.map((image, index) => canvas(problem, image, index, linked));
  let current = 0;
  const holder = h("div", {}, shown[0].element);
  const turn = (index) => {
    current = index;
    replace(holder, shown[index].element);
  };
  const stop = linked.listen((link) => {
    const constraint =
      link === null || link.constraint === null || link.constraint === undefined
        ? null
        : problem.constraints[link.constraint];
    if (constraint && placeOf(constraint, images.length) !== current) turn(placeOf(constraint, images.length));
    replace(caption, captionWords(constraint, link));
    shown[current].spot(constraint?.box ?? null, link);
  });
  replace(caption, captionWords(null, null));
  const act = (name) => () => shown[current][name]();
  const tool = (name, label, action) =>
    h(
      "button",
      { type: "button", class: "quiet", "aria-label": label, title: label, on: { click: action } },
      icon(name),
    );
  const tools = h(
    "div",
    { class: "picture-tools" },
    images.length > 1
      ? h(
          "button",
          { type: "button", class: "quiet wide", on: { click: () => turn((current + 1) % images.length) } },
          `next of ${images.length}`,
        )
      : null,
    tool("plus", "Nearer (+)", act("nearer")),
    tool("minus", "Farther (−)", act("farther")),
    tool("fit", "All of it (0)", act("fit")),
  );
  return {
    element: h("figure", { class: "picture panel" }, holder, h("div", { class: "picture-foot" }, caption, tools)),
    /** Which of the images is shown. */
    current: () => current,
    keys: { "+": act("nearer"), "=": act("nearer"), "-": act("farther"), 0: act("fit") },
    dispose: () => {
      stop();
      shown.forEach((one) => one.dispose());
    },
  };
}

function placeOf(constraint, count) {
  return Number.isInteger(constraint.image) && constraint.image >= 0 && constraint.image < count ? constraint.image : 0;
}

function captionWords(constraint, link) {
  if (constraint) {
    const { about, says } = describe(constraint);
    return [
      h("strong", { dir: "auto" }, about),
      ` ${says}`,
      h(
        "span",
        { class: "muted" },
        ` · read with confidence ${fixed(constraint.confidence ?? 1)}${constraint.box ? "" : ", place not known"}`,
      ),
    ];
  }
  if (link?.verdict) return h("span", { class: "muted" }, `${verdictWord(link.verdict)}: no single fact decided.`);
  return h("span", { class: "muted" }, "Point at a claim or a fact to see where it was read.");
}

/** The colour that a figure stands on, by its corner: around a dark figure the page is dark too. White where it cannot be told. */
function groundOf(picture) {
  try {
    const corner = document.createElement("canvas").getContext("2d");
    corner.drawImage(picture, 0, 0);
    const [red, green, blue, opacity] = corner.getImageData(0, 0, 1, 1).data;
    return opacity === 255 ? `rgb(${red} ${green} ${blue})` : "#fff";
  } catch {
    return "#fff"; // a picture on disk that only may be shown
  }
}

/** One image with its boxes, in its own pixels; a transform brings it to the size of its window. */
function canvas(problem, image, index, linked) {
  let [width, height] = [image.width || 1, image.height || 1];
  const count = problem.images.length;
  const boxes = problem.constraints
    .map((constraint, number) => ({ box: constraint.box, number, mine: placeOf(constraint, count) === index }))
    .filter(({ box, mine }) => box && mine);
  const spotlight = s("rect", { class: "spot", rx: 3 });
  const marks = boxes.map(({ box, number }) => {
    const mark = s("rect", {
      class: "mark-box",
      x: box[0],
      y: box[1],
      width: Math.max(box[2] - box[0], 1),
      height: Math.max(box[3] - box[1], 1),
      data: { constraint: number },
    });
    linked.join(mark, () => ({ constraint: number }));
    return mark;
  });
  const overlay = s(
    "svg",
    { class: "overlay", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    marks,
    spotlight,
  );
  const picture = /** @type {HTMLImageElement} */ (
    h("img", {
      src: pictureAddress(image.src),
      alt: `Figure of the problem: ${problem.question.slice(0, 120)}`,
      draggable: "false",
    })
  );
  picture.addEventListener("load", () => window.style.setProperty("--ground", groundOf(picture)));
  const moving = h("div", { class: "moving" }, picture, overlay);
  const window = h(
    "div",
    {
      class: "window",
      tabindex: "0",
      role: "group",
      "aria-label": "Figure; plus and minus bring it nearer or farther",
    },
    moving,
  );
  const view = { scale: 1, x: 0, y: 0 };

  const size = () => {
    Object.assign(moving.style, { width: `${width}px`, height: `${height}px` });
    overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
    window.style.setProperty("--ratio", String(width / height));
    place();
  };
  const fitting = () => Math.min(window.clientWidth / width, window.clientHeight / height);
  const place = () => {
    const unit = fitting() * view.scale;
    const slack = (space, length) => Math.max(0, (length * unit - space) / 2);
    view.x = clamp(view.x, slack(window.clientWidth, width));
    view.y = clamp(view.y, slack(window.clientHeight, height));
    const left = (window.clientWidth - width * unit) / 2 + view.x;
    const top = (window.clientHeight - height * unit) / 2 + view.y;
    moving.style.transform = `translate(${left}px, ${top}px) scale(${unit})`;
    window.classList.toggle("near", view.scale > 1);
  };
  const zoom = (factor, x = window.clientWidth / 2, y = window.clientHeight / 2) => {
    const scale = Math.max(1, Math.min(NEAREST, view.scale * factor));
    const kept = scale / view.scale;
    view.x = (view.x - (x - window.clientWidth / 2)) * kept + (x - window.clientWidth / 2);
    view.y = (view.y - (y - window.clientHeight / 2)) * kept + (y - window.clientHeight / 2);
    view.scale = scale;
    place();
  };
  const reveal = (box) => {
    const unit = fitting() * view.scale;
    view.x = (width / 2 - (box[0] + box[2]) / 2) * unit;
    view.y = (height / 2 - (box[1] + box[3]) / 2) * unit;
    place();
  };
  dragging(window, view, place, zoom);
  picture.addEventListener("load", () => {
    if (!image.width && picture.naturalWidth) [width, height] = [picture.naturalWidth, picture.naturalHeight];
    size();
  });
  let lit = { box: null, link: null };
  const watch = new ResizeObserver(() => {
    place();
    frame(lit);
  });
  watch.observe(window);
  size();
  /** Put the frame around a box. Before the figure is in the page it has no size: then this waits for it. */
  const frame = ({ box }) => {
    const unit = fitting() * view.scale;
    if (box === null || unit === 0) return;
    if (view.scale > 1) reveal(box);
    const margin = MARGIN_PX / unit;
    const at = {
      x: box[0] - margin,
      y: box[1] - margin,
      width: Math.max(box[2] - box[0], 1) + 2 * margin,
      height: Math.max(box[3] - box[1], 1) + 2 * margin,
    };
    for (const [name, value] of Object.entries(at)) spotlight.style.setProperty(name, `${value}px`);
  };

  return {
    element: window,
    nearer: () => zoom(1.5),
    farther: () => zoom(1 / 1.5),
    fit: () => {
      Object.assign(view, { scale: 1, x: 0, y: 0 });
      place();
    },
    /** Move the light to a box, or put it out. */
    spot(box, link) {
      overlay.classList.toggle("lit", box !== null);
      spotlight.dataset.verdict = link?.verdict ?? "";
      for (const mark of marks)
        mark.classList.toggle("lit", link !== null && Number(mark.dataset.constraint) === link?.constraint);
      lit = { box, link };
      frame(lit);
    },
    dispose: () => watch.disconnect(),
  };
}

function clamp(value, most) {
  return Math.max(-most, Math.min(most, value));
}

/** Drag to move, double click and Ctrl + wheel (or a pinch on a touch pad) to bring nearer; a plain wheel scrolls the page. */
function dragging(window, view, place, zoom) {
  let from = null;
  window.addEventListener("pointerdown", (event) => {
    if (view.scale <= 1 || event.button !== 0) return;
    from = { x: event.clientX - view.x, y: event.clientY - view.y };
    window.setPointerCapture(event.pointerId);
  });
  window.addEventListener("pointermove", (event) => {
    if (!from) return;
    view.x = event.clientX - from.x;
    view.y = event.clientY - from.y;
    place();
  });
  for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, () => (from = null));
  const at = (event) => {
    const { left, top } = window.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  window.addEventListener("dblclick", (event) => zoom(view.scale > 4 ? 1 / NEAREST : 2, ...at(event)));
  window.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 200), ...at(event));
  });
}
