// Chess pieces in a 100x100 square.

import { h } from "../dom.js";

const BASE = "M24 88c0-7 6-10 10-12h32c4 2 10 5 10 12z";

/** Filled outlines, then lines on top. */
const SHAPES = {
  p: [["M50 18a13 13 0 0 1 8.500 22.800c5 2.200 8 6 8 10.200h-7.500c1 11 4.500 19 9 25H32c4.500-6 8-14 9-25h-7.500c0-4.200 3-8 8-10.200A13 13 0 0 1 50 18z", BASE], []],
  n: [["M33 76c0-16 17-21 17-33-6 4-12 4-15 9-3 4-9 6-12 2-3-5 1-9 3-14 3-8 8-15 14-19l1-9 9 6c17 1 27 15 27 34 0 12-4 18-5 24z", BASE],
    ["M40 30l4-2", "M26 50l3-3"]],
  b: [["M50 11a5.500 5.500 0 0 1 4 9.300C62 27 70 36 70 46c0 8-5 12-9 15l5 15H34l5-15c-4-3-9-7-9-15 0-10 8-19 16-25.700A5.500 5.500 0 0 1 50 11z", BASE],
    ["M50 31v18", "M41 40h18", "M38 62h24"]],
  r: [["M28 16h10v8h7v-8h10v8h7v-8h10v20l-7 6v26l5 8H30l5-8V42l-7-6z", BASE], ["M36 42h28", "M35 68h30"]],
  q: [["M20 30a6 6 0 1 1 5 3l9 20 4-27a6 6 0 1 1 6-1l6 26 6-26a6 6 0 1 1 6 1l4 27 9-20a6 6 0 1 1 5-3l-8 37-4 9H32l-4-9z", BASE],
    ["M30 65c13-4 27-4 40 0"]],
  k: [["M46 10h8v7h7v8h-7v8c18-5 30 3 30 16 0 10-8 15-13 27H29C24 64 16 59 16 49c0-13 12-21 30-16v-8h-7v-8h7z", BASE],
    ["M50 36v26", "M32 66c12-4 24-4 36 0"]],
};

/**
 * A piece by its FEN letter, in a square of `size` at (x, y).
 * @param {string} letter
 */
export function piece(letter, x, y, size, attributes = {}) {
  const [outlines, lines] = SHAPES[letter.toLowerCase()];
  const white = letter === letter.toUpperCase();
  const scale = size / 100;
  return h("g", { transform: `translate(${x} ${y}) scale(${scale})`, class: `piece ${white ? "white" : "black"}`, ...attributes },
    outlines.map((d) => h("path", { d })), lines.map((d) => h("path", { d, class: "mark" })));
}
