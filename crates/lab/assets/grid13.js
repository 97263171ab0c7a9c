// The 13x13 grid of hand classes, painted with the mouse.

import { h } from "./dom.js";

const RANKS = "AKQJT98765432";

/** The hand class of a cell: suited above the diagonal, offsuit below. */
export function classAt(row, column) {
  if (row === column) return RANKS[row] + RANKS[row];
  return row < column ? `${RANKS[row]}${RANKS[column]}s` : `${RANKS[column]}${RANKS[row]}o`;
}

/**
 * Creates a grid; calls `changed` after painting.
 * @param {() => void} changed
 */
export function grid13(changed) {
  /** @type {Map<string, number>} */
  const weights = new Map();
  const cells = new Map();
  const element = h("div", { class: "grid13", role: "grid", "aria-label": "Range of hands" });
  let painting = null;
  let brush = 1;
  const paint = (name) => {
    const cell = cells.get(name);
    const weight = weights.get(name) ?? 0;
    cell.style.setProperty("--w", String(weight));
    cell.toggleAttribute("data-on", weight > 0.45);
    cell.title = `${name}: ${weight}`;
  };
  const set = (name, weight) => {
    if (weight > 0) weights.set(name, weight); else weights.delete(name);
    paint(name);
  };
  for (let row = 0; row < 13; row++) {
    for (let column = 0; column < 13; column++) {
      const name = classAt(row, column);
      const kind = row === column ? "pair" : row < column ? "suited" : "off";
      const cell = h("div", { class: kind, "data-class": name, tabindex: -1 }, name);
      cells.set(name, cell);
      element.append(cell);
    }
  }
  const under = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".grid13 [data-class]");
  element.addEventListener("pointerdown", (event) => {
    const cell = under(event);
    if (!cell) return;
    event.preventDefault();
    painting = (weights.get(cell.dataset.class) ?? 0) === brush ? 0 : brush;
    set(cell.dataset.class, painting);
    changed();
  });
  element.addEventListener("pointermove", (event) => {
    if (painting === null || !event.buttons) return;
    const cell = under(event);
    if (!cell || (weights.get(cell.dataset.class) ?? 0) === painting) return;
    set(cell.dataset.class, painting);
    changed();
  });
  return {
    element,
    setBrush(weight) { brush = weight; },
    /** @param {Record<string, number>} classes */
    load(classes) {
      weights.clear();
      for (const [name, weight] of Object.entries(classes)) weights.set(name, weight);
      for (const name of cells.keys()) paint(name);
    },
    /** The range as text. */
    text: () => [...weights].map(([name, weight]) => (weight === 1 ? name : `${name}:${weight}`)).join(", "),
  };
}
