/** Claim, constraint and box light up together, whichever of them is pointed at. */

/**
 * @typedef {object} Link
 * @property {number | null} constraint its place
 * @property {string} [candidate] @property {number} [step] the step that claims, if one was pointed at
 * @property {string | null} [verdict]
 */

export function links() {
  /** @type {Set<(link: Link | null) => void>} */
  const listeners = new Set();
  /** Those of the steps, which are drawn anew whenever the settings or the open candidate change. @type {typeof listeners} */
  const brief = new Set();
  let resting = /** @type {Link | null} */ (null);
  const light = (link) => [...listeners, ...brief].forEach((listener) => listener(link));
  return {
    /** @param {(link: Link | null) => void} listener @returns {() => void} stops it */
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Listen until `renew`. @param {(link: Link | null) => void} listener */
    listenBriefly: (listener) => brief.add(listener),
    renew: () => brief.clear(),
    light,
    /** What stays lit while nothing is pointed at. @param {Link | null} link */
    keep(link) {
      resting = link;
    },
    /** Light the link while the pointer or the focus is on the element. @param {Element} element @param {() => Link} link */
    join(element, link) {
      const on = () => light(link());
      const off = () => light(resting);
      element.addEventListener("pointerenter", on);
      element.addEventListener("pointerleave", off);
      element.addEventListener("focusin", on);
      element.addEventListener("focusout", off);
    },
  };
}
