/** Draw a part of the page anew without losing the reader: the focus stays, what was clicked stays under the pointer, and what
 * changes places is seen to move. Elements say who they are with `data-key` (focus) and `data-moves` (movement). */

const MOVE_MS = 240;

/** @param {HTMLElement} part @param {() => void} draw */
export function steady(part, draw) {
  const focused = part.contains(document.activeElement)
    ? /** @type {HTMLElement} */ (document.activeElement).dataset.key
    : undefined;
  const find = (key) =>
    [...part.querySelectorAll("[data-key]")].find(
      (element) => /** @type {HTMLElement} */ (element).dataset.key === key,
    );
  const before = focused === undefined ? undefined : find(focused)?.getBoundingClientRect().top;
  const places = tops(part);
  draw();
  const again = focused === undefined ? null : /** @type {HTMLElement | undefined} */ (find(focused));
  if (again) {
    again.focus({ preventScroll: true });
    scrollBy(0, again.getBoundingClientRect().top - before);
  } else if (!matchMedia("(prefers-reduced-motion: reduce)").matches) slide(part, places);
}

function tops(part) {
  return new Map(
    [...part.querySelectorAll("[data-moves]")].map((element) => [
      /** @type {HTMLElement} */ (element).dataset.moves,
      element.getBoundingClientRect().top,
    ]),
  );
}

function slide(part, places) {
  for (const [name, top] of tops(part)) {
    const moved = (places.get(name) ?? top) - top;
    const element = [...part.querySelectorAll("[data-moves]")].find(
      (one) => /** @type {HTMLElement} */ (one).dataset.moves === name,
    );
    if (Math.abs(moved) > 1)
      element.animate([{ transform: `translateY(${moved}px)` }, { transform: "none" }], {
        duration: MOVE_MS,
        easing: "cubic-bezier(0.2, 0, 0, 1)",
      });
  }
}
