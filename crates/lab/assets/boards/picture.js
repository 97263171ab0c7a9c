// Games with pictures, such as those in files: boards of any shape, counters and piles of cards.

import { fill, h } from "../dom.js";
import { colour, textBoard } from "./index.js";

/** The distance of two cells. */
const SIZE = 60;
/** The corners of a hexagon around its centre. */
const HEXAGON = [[0, -1 / Math.sqrt(3)], [0.5, -0.5 / Math.sqrt(3)], [0.5, 0.5 / Math.sqrt(3)], [0, 1 / Math.sqrt(3)], [-0.5, 0.5 / Math.sqrt(3)], [-0.5, -0.5 / Math.sqrt(3)]];

/** The cells in the name of an action, such as "a1", "a1-b2" or "king a1". */
function cellsOf(name) {
  const found = /^(?:.+ )?([a-z]+\d+)(?:[-x]([a-z]+\d+))?$/.exec(name ?? "");
  return found ? found.slice(1).filter(Boolean) : [];
}

export function pictureBoard(box, act) {
  /** The cell that is picked up. */
  let from = null;
  const board = {
    update(scene) {
      const { picture } = scene.board;
      if (!picture) { textBoard(box).update(scene); return; }
      fill(box, picture.cells.length ? drawing(scene, picture) : null, h("div", { class: "piles" }, counters(picture), piles(picture)));
    },
  };

  function drawing(scene, { cells, labels, lines, caption }) {
    const moves = scene.legal.map(({ action, name }) => {
      const [one, other] = cellsOf(name);
      return { action, name, from: other ? one : null, to: other ?? one };
    });
    if (!moves.some((move) => move.from === from)) from = null;
    const last = cellsOf(scene.log.at(-1)?.name);
    const at = (value) => Math.round(value * SIZE * 10) / 10;
    const [left, right] = [Math.min, Math.max].map((of) => at(of(...cells.map(({ x }) => x))));
    const [top, bottom] = [Math.min, Math.max].map((of) => at(of(...cells.map(({ y }) => y))));
    const high = Math.min(top, ...labels.map(({ y }) => at(y)));
    const low = Math.max(bottom, ...labels.map(({ y }) => at(y)));
    const svg = h("svg", { viewBox: `${left - 56} ${high - 38} ${right - left + 94} ${low - high + 94}`, class: "board picture", role: "group", "aria-label": caption });
    for (const [one, other] of lines) {
      svg.append(h("line", { x1: at(cells[one].x), y1: at(cells[one].y), x2: at(cells[other].x), y2: at(cells[other].y), class: "rule" }));
    }
    const choose = (name) => {
      const move = moves.find((one) => one.from === from && one.to === name);
      if (move) { from = null; act(move.action); return; }
      from = from !== name && moves.some((one) => one.from === name) ? name : null;
      board.update(scene);
    };
    for (const cell of [...cells].sort((one, other) => layer(one) - layer(other))) {
      const target = moves.some((move) => move.from === from && move.to === cell.name);
      const live = target || moves.some((move) => move.from === cell.name);
      const [x, y] = [at(cell.x), at(cell.y)];
      const shade = `${cell.is_dark ? "dark" : "light"}${last.includes(cell.name) ? " last" : ""}${from === cell.name && from ? " picked" : ""}`;
      svg.append(h("g", { class: `square${live ? " live" : ""}`, "data-square": cell.name || null, onclick: live ? () => choose(cell.name) : null },
        cell.name ? h("title", {}, cell.name) : null, shape(cell, x, y, shade), piece(cell, x, y),
        cell.count === null ? null : h("text", { x, y: y + 6, class: "seeds" }, cell.count),
        target && !isEdge(cell) ? h("circle", { cx: x, cy: y, r: cell.piece ? 26 : 9, class: cell.piece ? "ringdot" : "dot" }) : null));
    }
    for (const { text, x, y } of labels) svg.append(h("text", { x: at(x), y: at(y) + 8, class: "coord owner" }, text));
    for (const { name, x, y } of cells.filter((cell) => cell.shape === "square")) {
      const [, letters, number] = /^([a-z]*)(\d*)$/.exec(name) ?? [];
      if (at(y) === bottom) svg.append(h("text", { x: at(x), y: bottom + 48, class: "coord" }, letters));
      if (at(x) === left) svg.append(h("text", { x: left - 43, y: at(y) + 4, class: "coord" }, number));
    }
    return svg;
  }

  return board;
}

function shape({ shape: kind }, x, y, shade) {
  if (kind === "hexagon") return h("polygon", { points: HEXAGON.map(([right, down]) => `${x + right * SIZE},${y + down * SIZE}`).join(" "), class: `${shade} cell` });
  if (kind === "pit") return h("circle", { cx: x, cy: y, r: SIZE * 0.46, class: `${shade} cell` });
  if (isEdge({ shape: kind })) return edge(kind, x, y, 16, `${shade} edge`);
  if (kind === "point") return h("circle", { cx: x, cy: y, r: 8, class: `${shade} cell` });
  return h("rect", { x: x - SIZE / 2, y: y - SIZE / 2, width: SIZE, height: SIZE, class: shade });
}

const isEdge = ({ shape: kind }) => kind === "horizontal_edge" || kind === "vertical_edge";

/** Edges and points lie on top of the areas that they bound. */
const layer = (cell) => (isEdge(cell) || cell.shape === "point" ? 1 : 0);

/** A line between two points, as thick as that. */
function edge(kind, x, y, thick, style) {
  const [wide, high] = kind === "horizontal_edge" ? [SIZE - 14, thick] : [thick, SIZE - 14];
  return h("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 4, class: style });
}

function piece({ piece: on, shape: kind }, x, y) {
  if (!on) return null;
  if (isEdge({ shape: kind })) return edge(kind, x, y, 10, "bar");
  const paint = on.seat === null ? "var(--soft)" : colour(on.seat);
  return h("g", {}, h("circle", { cx: x, cy: y, r: 21, class: "disc", style: `fill:${paint}` }),
    on.letter ? h("text", { x, y: y + 6, class: "letter" }, on.letter) : null);
}

const dot = (seat) => h("i", { class: "seatdot", style: `--c:${colour(seat)}` });

function counters({ counters: all }) {
  return all.map(({ name, values }) => h("p", {}, h("span", { class: "muted" }, `${name} `),
    values.length > 1 ? values.map((value, seat) => [dot(seat), ` ${value} `]) : values[0]));
}

function piles({ piles: all }) {
  return all.map(({ name, seat, cards, face_down: hidden }) => h("p", {}, seat === null ? null : dot(seat), h("span", { class: "muted" }, ` ${name} `),
    cards.map((card) => h("span", { class: `playcard${/[hd]$/.test(card) ? " red" : ""}` }, card)),
    hidden ? h("span", { class: "playcard back" }, `${hidden}×`) : cards.length ? null : "–"));
}
