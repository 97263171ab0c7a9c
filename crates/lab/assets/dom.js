// Elements, HTML and SVG, made by function calls.

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline",
  "polygon", "text", "tspan", "title", "defs", "marker", "use", "linearGradient", "radialGradient",
  "stop", "clipPath", "pattern", "filter", "feDropShadow"]);

/**
 * Makes an element. Attributes that start with "on" are listeners, `class` and `style`
 * strings are set as they are, `true` sets an empty attribute, nothing sets none.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | number | null | undefined | false | any[])} children
 * @returns {any}
 */
export function h(tag, attributes = {}, ...children) {
  const element = SVG_TAGS.has(tag)
    ? document.createElementNS(SVG, tag)
    : document.createElement(tag);
  // What can be clicked on a board can be reached and pressed with the keyboard.
  if (attributes.onclick && SVG_TAGS.has(tag)) {
    attributes = { tabindex: 0, role: "button", "aria-label": attributes["data-move"] ?? attributes["data-square"] ?? attributes["data-place"], onkeydown: press, ...attributes };
  }
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  put(element, ...children);
  return element;
}

/** Enter and the space bar click. */
function press(event) {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.stopPropagation();
  event.currentTarget.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}

/** What tells an element of a board or list from its neighbours, however often it is drawn. */
const NAMES = ["data-action", "data-move", "data-square", "data-point", "data-place", "data-slot", "id"];

/** Draws anew, and puts the focus back on what had it; on `box` if that is gone. */
export function keepFocus(box, draw) {
  const focused = box.contains(document.activeElement) ? document.activeElement : null;
  const name = focused && NAMES.find((name) => focused.hasAttribute(name));
  const selector = name && `[${name}="${CSS.escape(focused.getAttribute(name))}"]`;
  draw();
  if (!focused || focused.isConnected) return;
  (selector ? box.querySelector(selector) : null)?.focus({ preventScroll: true });
  if (!box.contains(document.activeElement)) box.focus({ preventScroll: true });
}

/** Appends children; lists are taken apart, empty ones left out. */
export function put(parent, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : String(child));
  }
  return parent;
}

/** Replaces all children. */
export function fill(parent, ...children) {
  parent.replaceChildren();
  return put(parent, ...children);
}

/** Tells the reader something for a moment. */
export function toast(text) {
  const note = h("div", { class: "toast" }, text);
  const box = document.getElementById("toasts");
  box?.append(note);
  setTimeout(() => note.remove(), 4500);
}

/** A share as percent. @param {number} share */
export const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;

/** A count with thin gaps. @param {number} count */
export const grouped = (count) => Math.round(count).toLocaleString("en-US").replaceAll(",", "\u202f");

/** A text, cut where it is too long. */
export const short = (text, most = 26) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** The chance to win that a value from -1 to 1 stands for. @param {number} value */
export const chance = (value) => (value + 1) / 2;

/** Calls `work` when nobody has called this for `wait` milliseconds. */
export function debounce(work, wait) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), wait);
  };
}
