/** Elements from names, properties and children. Text only ever becomes a text node, so no text can become markup. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false | Child[]} Child */

/**
 * @param {string} tag
 * @param {Record<string, any>} [properties] `class`, `on` (listeners), `style` (CSS properties), `data`; the rest are attributes;
 *   null, undefined and false leave an attribute out
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(tag, properties = {}, ...children) {
  return /** @type {HTMLElement} */ (filled(document.createElement(tag), properties, children));
}

/**
 * The same for SVG.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function s(tag, properties = {}, ...children) {
  return /** @type {SVGElement} */ (filled(document.createElementNS(SVG, tag), properties, children));
}

function filled(element, { on = {}, style = {}, data = {}, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const [name, value] of Object.entries(style)) element.style.setProperty(name, String(value));
  for (const [name, value] of Object.entries(data))
    if (value !== null && value !== undefined) element.dataset[name] = String(value);
  for (const [name, listener] of Object.entries(on)) element.addEventListener(name, listener);
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child instanceof Node) element.appendChild(child);
    else if (child !== null && child !== undefined && child !== false)
      element.appendChild(document.createTextNode(String(child)));
  }
}

/** Put `children` in the place of whatever `element` holds. @param {Element} element @param {...Child} children */
export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/**
 * The address of a picture if it is one that the page may show: inside the page, or a file beside it.
 * @param {string | null | undefined} source
 */
export function pictureAddress(source) {
  if (!source) return null;
  if (/^data:image\/(png|jpeg|gif|webp|bmp|avif);base64,/.test(source)) return source;
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(source) ? null : source;
}
