/** A grid of cards of which only those in sight are in the page, so that thousands scroll like a few. */

import { h } from "./dom.js";

const AHEAD_ROWS = 2;
const DRAW_MS = 8; // then the rest waits for the next frame, so that scrolling never stalls
const MOST_PRINTED = 600;

/**
 * @param {object} options
 * @param {(index: number) => HTMLElement} options.card the card of an item
 * @param {number} options.height of a card in pixels @param {number} options.least width of a card @param {number} options.gap
 * @param {string} options.label
 */
export function cardGrid({ card, height, least, gap, label }) {
  const element = h("div", { class: "grid", role: "list", "aria-label": label });
  /** @type {Map<number, HTMLElement>} */
  const drawn = new Map();
  let count = 0;
  let columns = 1;
  let waiting = false;

  const place = () => {
    waiting = false;
    const width = element.clientWidth;
    if (width === 0) return;
    const fitting = Math.max(1, Math.floor((width + gap) / (least + gap)));
    if (fitting !== columns || element.dataset.width !== String(width)) clear();
    columns = fitting;
    element.dataset.width = String(width);
    element.style.height = `${Math.ceil(count / columns) * (height + gap)}px`;
    const top = -element.getBoundingClientRect().top;
    const row = Math.max(0, Math.floor(top / (height + gap)));
    const below = Math.max(row, Math.ceil((top + innerHeight) / (height + gap)));
    const first = Math.max(0, row - AHEAD_ROWS) * columns;
    const last = Math.min(count, (below + AHEAD_ROWS) * columns);
    // What is in sight comes first, then what scrolling will bring.
    const order = [...between(row * columns, last), ...between(first, row * columns)];
    draw(first, last, order);
  };
  const cardWidth = () => (element.clientWidth - gap * (columns - 1)) / columns;

  const draw = (first, last, order) => {
    for (const [index, item] of drawn) {
      if ((index >= first && index < last) || item.contains(document.activeElement)) continue;
      item.remove();
      drawn.delete(index);
    }
    const until = performance.now() + DRAW_MS;
    const width = cardWidth();
    for (const index of order) {
      if (drawn.has(index)) continue;
      if (performance.now() > until) return later();
      insert(index, width);
    }
  };

  const insert = (index, width = cardWidth()) => {
    const [row, column] = [Math.floor(index / columns), index % columns];
    const item = h(
      "div",
      { role: "listitem", class: "cell", "aria-setsize": count, "aria-posinset": index + 1, data: { index } },
      card(index),
    );
    Object.assign(item.style, {
      top: `${row * (height + gap)}px`,
      insetInlineStart: `${column * (width + gap)}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
    // Cards stay in their order in the page, so that the tab key goes from one to the next.
    const follower = [...element.children].find(
      (other) => Number(/** @type {HTMLElement} */ (other).dataset.index) > index,
    );
    element.insertBefore(item, follower ?? null);
    drawn.set(index, item);
  };

  const clear = () => {
    element.replaceChildren();
    drawn.clear();
  };
  const later = () => {
    if (!waiting) requestAnimationFrame(place);
    waiting = true;
  };
  // Paper does not scroll: all cards are drawn for it, up to a number that one would print.
  const all = () => {
    for (let index = 0; index < Math.min(count, MOST_PRINTED); index += 1) if (!drawn.has(index)) insert(index);
  };
  addEventListener("beforeprint", all);
  addEventListener("scroll", later, { passive: true });
  addEventListener("resize", later);

  return {
    element,
    /** Show so many items from the start. @param {number} items */
    show(items) {
      clear();
      count = items;
      place();
    },
    /** Bring a card into sight and put the focus on its link. @param {number} index */
    focus(index) {
      const row = Math.floor(index / columns) * (height + gap);
      const [above, below] = [
        row + element.getBoundingClientRect().top - 80,
        row + height + element.getBoundingClientRect().top - innerHeight + 16,
      ];
      if (above < 0) scrollBy(0, above);
      else if (below > 0) scrollBy(0, below);
      place();
      if (!drawn.has(index) && index < count) insert(index);
      drawn.get(index)?.querySelector("a")?.focus({ preventScroll: true });
    },
    get count() {
      return count;
    },
    get columns() {
      return columns;
    },
    dispose() {
      removeEventListener("beforeprint", all);
      removeEventListener("scroll", later);
      removeEventListener("resize", later);
    },
  };
}

function* between(first, last) {
  for (let index = first; index < last; index += 1) yield index;
}
