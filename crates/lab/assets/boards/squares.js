// Games with stones on a grid: tic-tac-toe, connect four, breakthrough.

import { fill, h } from "../dom.js";
import { byName, colour } from "./index.js";

/** Parses the rows of a text board, top first: X and O are seats 0 and 1. */
export function rowsOf(text) {
  const rows = [];
  for (const line of text.split("\n")) {
    const cells = line.trim().split(/\s+/);
    if (/^\d+$/.test(cells[0])) cells.shift();
    if (cells.length && cells.every((cell) => /^[XO.]$/.test(cell))) rows.push(cells);
  }
  return rows;
}

const seatOf = (cell) => (cell === "X" ? 0 : cell === "O" ? 1 : null);
const letter = (column) => String.fromCharCode(97 + column);

/** Lines of `count` equal stones. */
function lines(rows, count) {
  const found = new Set();
  for (let row = 0; row < rows.length; row++) {
    for (let column = 0; column < rows[row].length; column++) {
      for (const [down, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
        const cells = [...Array(count).keys()].map((at) => [row + at * down, column + at * right]);
        const stones = cells.map(([y, x]) => rows[y]?.[x]);
        if (stones[0] !== "." && stones.every((stone) => stone && stone === stones[0])) {
          for (const [y, x] of cells) found.add(`${y},${x}`);
        }
      }
    }
  }
  return found;
}

export function ticTacToe(box, act) {
  return {
    update(scene) {
      const rows = rowsOf(scene.text);
      const legal = byName(scene);
      const won = lines(rows, 3);
      const svg = h("svg", { viewBox: "0 0 320 320", class: "board small", role: "group", "aria-label": "tic-tac-toe" });
      svg.append(h("rect", { x: 4, y: 4, width: 312, height: 312, rx: 18, class: "felt plain" }));
      for (const at of [1, 2]) {
        svg.append(h("line", { x1: 10 + at * 100, y1: 24, x2: 10 + at * 100, y2: 296, class: "rule" }),
          h("line", { y1: 10 + at * 100, x1: 24, y2: 10 + at * 100, x2: 296, class: "rule" }));
      }
      rows.forEach((row, y) => row.forEach((cell, x) => {
        const name = letter(x) + (rows.length - y);
        const [left, top] = [10 + x * 100, 10 + y * 100];
        const seat = seatOf(cell);
        const glow = won.has(`${y},${x}`) ? "stone won" : "stone";
        if (seat === 0) {
          svg.append(h("path", { d: `M${left + 26} ${top + 26}l48 48m0-48l-48 48`, class: `${glow} cross`, style: `stroke:${colour(0)}` }));
        } else if (seat === 1) {
          svg.append(h("circle", { cx: left + 50, cy: top + 50, r: 27, class: `${glow} ring`, style: `stroke:${colour(1)}` }));
        } else if (legal.has(name)) {
          svg.append(h("rect", {
            x: left + 8, y: top + 8, width: 84, height: 84, rx: 12, class: "target", "data-move": name,
            onclick: () => act(legal.get(name)),
          }, h("title", {}, name)));
        }
      }));
      fill(box, svg);
    },
  };
}

export function connectFour(box, act) {
  let known = -1;
  return {
    update(scene) {
      const rows = rowsOf(scene.text);
      const legal = byName(scene);
      const won = lines(rows, 4);
      const last = scene.log.at(-1);
      const size = 70;
      const svg = h("svg", { viewBox: "0 -36 510 500", class: "board", role: "group", "aria-label": "connect four" });
      svg.append(h("rect", { x: 0, y: 0, width: 510, height: 440, rx: 22, class: "frame" }));
      rows.forEach((row, y) => row.forEach((cell, x) => {
        const [cx, cy] = [45 + x * size, 45 + y * size];
        const seat = seatOf(cell);
        svg.append(h("circle", { cx, cy, r: 28, class: "hole" }));
        if (seat === null) return;
        const topmost = y === 0 || rows[y - 1][x] === ".";
        const fresh = last && last.event !== known && last.name === letter(x) && topmost;
        svg.append(h("g", { class: fresh ? "drop" : "", style: `--fall:${-(y + 1) * size}px` },
          h("circle", { cx, cy, r: 28, class: `disc${won.has(`${y},${x}`) ? " won" : ""}`, style: `fill:${colour(seat)}` }),
          h("circle", { cx, cy, r: 20, class: "inner" })));
      }));
      for (let x = 0; x < 7; x++) {
        const name = letter(x);
        svg.append(h("text", { x: 45 + x * size, y: 459, class: "label" }, name));
        if (!legal.has(name)) continue;
        svg.append(h("g", { class: "column", "data-move": name, onclick: () => act(legal.get(name)) },
          h("rect", { x: 10 + x * size, y: -34, width: size, height: 474, rx: 12 }),
          h("path", { d: `M${45 + x * size - 11} -24h22l-11 15z`, style: `fill:${colour(scene.turn ?? 0)}` }),
          h("title", {}, name)));
      }
      if (last) known = last.event;
      fill(box, svg);
    },
  };
}

export function breakthrough(box, act) {
  let from = null;
  const board = {
    update(scene) {
      const rows = rowsOf(scene.text);
      const flip = scene.seat === 1;
      const moves = scene.legal.map(({ action, name }) => {
        const found = /^([a-h]\d)[-x]([a-h]\d)/.exec(name);
        return { action, from: found?.[1], to: found?.[2] };
      });
      if (!moves.some((move) => move.from === from)) from = null;
      const last = /^([a-h]\d)[-x]([a-h]\d)/.exec(scene.log.at(-1)?.name ?? "");
      const svg = h("svg", { viewBox: "0 0 520 520", class: "board", role: "group", "aria-label": "breakthrough" });
      const pick = (square) => {
        const move = moves.find((one) => one.from === from && one.to === square);
        if (move) { from = null; act(move.action); return; }
        from = moves.some((one) => one.from === square) && from !== square ? square : null;
        board.update(scene);
      };
      rows.forEach((row, y) => row.forEach((cell, x) => {
        const square = letter(x) + (rows.length - y);
        const [left, top] = [20 + (flip ? 7 - x : x) * 60, 20 + (flip ? 7 - y : y) * 60];
        const dark = (x + y) % 2 ? "dark" : "light";
        const mark = last && (last[1] === square || last[2] === square) ? " last" : "";
        const can = moves.some((move) => move.from === square);
        const target = moves.some((move) => move.from === from && move.to === square);
        const group = h("g", {
          class: `square${can || target ? " live" : ""}`, "data-square": square,
          onclick: can || target ? () => pick(square) : null,
        }, h("rect", { x: left, y: top, width: 60, height: 60, class: `${dark}${mark}${from === square ? " picked" : ""}` }));
        const seat = seatOf(cell);
        if (seat !== null) {
          group.append(h("circle", { cx: left + 30, cy: top + 30, r: 21, class: "disc", style: `fill:${colour(seat)}` }),
            h("path", { d: `M${left + 20} ${top + (seat === (flip ? 1 : 0) ? 35 : 26)}l10 ${seat === (flip ? 1 : 0) ? -11 : 11}l10 ${seat === (flip ? 1 : 0) ? 11 : -11}`, class: "chevron" }));
        }
        if (target) group.append(h("circle", { cx: left + 30, cy: top + 30, r: seat === null ? 10 : 26, class: seat === null ? "dot" : "ringdot" }));
        svg.append(group);
      }));
      for (let at = 0; at < 8; at++) {
        const middle = 54 + at * 60;
        svg.append(h("text", { x: middle - 4, y: 515, class: "coord" }, letter(flip ? 7 - at : at)), h("text", { x: 10, y: middle, class: "coord" }, flip ? at + 1 : 8 - at));
      }
      fill(box, svg);
    },
  };
  return board;
}
