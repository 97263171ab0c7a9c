// Helpers for HTML and SVG elements.

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline",
  "polygon", "text", "tspan", "title", "defs", "marker", "use", "linearGradient", "radialGradient",
  "stop", "clipPath", "pattern", "filter", "feDropShadow"]);

/**
 * Creates an element. Attributes that start with "on" are event listeners, `true` sets an
 * empty attribute, and null or false sets none.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | number | null | undefined | false | any[])} children
 * @returns {any}
 */
export function h(tag, attributes = {}, ...children) {
  const element = SVG_TAGS.has(tag)
    ? document.createElementNS(SVG, tag)
    : document.createElement(tag);
  // Clickable board elements are accessible by keyboard.
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

/** Enter and space trigger a click. */
function press(event) {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.stopPropagation();
  event.currentTarget.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}

/** Attributes that identify an element across redraws. */
const NAMES = ["data-action", "data-move", "data-square", "data-point", "data-place", "data-slot", "id"];

/** Redraws and restores the focus; on `box` if the focused element is gone. */
export function keepFocus(box, draw) {
  const focused = box.contains(document.activeElement) ? document.activeElement : null;
  const name = focused && NAMES.find((name) => focused.hasAttribute(name));
  const selector = name && `[${name}="${CSS.escape(focused.getAttribute(name))}"]`;
  draw();
  if (!focused || focused.isConnected) return;
  (selector ? box.querySelector(selector) : null)?.focus({ preventScroll: true });
  if (!box.contains(document.activeElement)) box.focus({ preventScroll: true });
}

/** Appends children; flattens lists and skips empty values. */
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

/** Shows a message for a moment. */
export function toast(text) {
  const note = h("div", { class: "toast" }, text);
  const box = document.getElementById("toasts");
  box?.append(note);
  setTimeout(() => note.remove(), 4500);
}

/** Formats a fraction as percent. @param {number} share */
export const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;

/** Formats a count with thin spaces. @param {number} count */
export const grouped = (count) => Math.round(count).toLocaleString("en-US").replaceAll(",", "\u202f");

/** Truncates long text. */
export const short = (text, most = 26) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** The win probability of a value from -1 to 1. @param {number} value */
export const chance = (value) => (value + 1) / 2;

/** Calls `work` once there were no calls for `wait` milliseconds. */
export function debounce(work, wait) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), wait);
  };
}
