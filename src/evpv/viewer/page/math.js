/** Text with LaTeX between dollars or \( \) becomes text nodes and MathML; whatever cannot be set is shown as it was written. */

import temml from "temml";
import { h } from "./dom.js";

const MATH = "http://www.w3.org/1998/Math/MathML";
const LONGEST = 2000;
// An opening dollar stands before a sign, a closing one behind a sign and not before a digit: "$5 and $6" is money.
const PIECES =
  /\$\$([^$]{1,4000})\$\$|\$(?!\s)((?:\\.|[^$\\\n]){1,4000}?)(?<!\s)\$(?!\d)|\\\(([\s\S]{1,4000}?)\\\)|\\\[([\s\S]{1,4000}?)\\\]|\*\*([^*\n]+)\*\*/g;
// What MathML needs to look right. `style`, `href`, `id` and `class` are not among them: they would reach out of the formula.
const ATTRIBUTES =
  /^(display|displaystyle|scriptlevel|mathvariant|stretchy|fence|form|separator|accent|accentunder|lspace|rspace|movablelimits|largeop|symmetric|minsize|maxsize|linethickness|rowspan|columnspan|columnalign|rowspacing|columnspacing|columnlines|rowlines|width|height|depth|voffset|notation)$/;
const STYLES = ["text-align", "math-style", "math-depth", "padding", "padding-left", "padding-right"];

/**
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function withMath(text) {
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(PIECES)) {
    nodes.push(text.slice(from, found.index));
    const [whole, block, dollars, round, square, strong] = found;
    if (strong !== undefined) nodes.push(h("strong", {}, withMath(strong)));
    else nodes.push(formula(block ?? dollars ?? round ?? square, whole, block !== undefined || square !== undefined));
    from = found.index + whole.length;
  }
  nodes.push(text.slice(from));
  return nodes;
}

function formula(latex, written, displayMode) {
  if (latex.length > LONGEST) return written;
  const holder = document.createElement("span");
  try {
    temml.render(latex, holder, {
      displayMode,
      throwOnError: true,
      trust: false,
      maxExpand: 200,
      maxSize: [8, 20],
      annotate: false,
    });
  } catch {
    return h("code", { class: "unset" }, written);
  }
  return holder.firstElementChild && isTame(holder)
    ? h("span", { class: "formula", dir: "ltr" }, ...holder.childNodes)
    : h("code", { class: "unset" }, written);
}

/** Whether the formula is MathML and nothing else; attributes that it does not need are taken away. */
function isTame(holder) {
  for (const element of holder.querySelectorAll("*")) {
    if (element.namespaceURI !== MATH || /^(annotation-xml|semantics|maction)$/.test(element.localName)) return false;
    const kept = STYLES.map((name) => [name, element.style?.getPropertyValue(name)]).filter(([, value]) => value);
    for (const { name } of [...element.attributes]) if (!ATTRIBUTES.test(name)) element.removeAttribute(name);
    for (const [name, value] of kept) element.style.setProperty(name, value);
  }
  return true;
}
