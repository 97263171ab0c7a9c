// Backgammon: click the point of a checker, then its destination.

import { fill, h } from "../dom.js";
import { colour } from "./index.js";

const WIDE = 44;
const BAR = 50;
const TRAY = 58;

/** The centre of a point (1 to 24 from the view of the seat), and whether it is at the top. */
function spot(point) {
  const top = point > 12;
  const at = top ? point - 13 : 12 - point;
  return { x: 22 + at * WIDE + (at >= 6 ? BAR : 0) + WIDE / 2, top };
}

/** The origins and destinations of the last turn, from the view of the bottom seat. */
function lastTurn(scene) {
  const marks = { from: new Set(), to: new Set() };
  let mover = null;
  for (const { by, name } of [...scene.log].reverse()) {
    if (by === null) { if (mover === null) continue; else break; }
    const found = /^(bar|\d+)\/(off|\d+)/.exec(name ?? "");
    if (!found || (mover !== null && by !== mover)) break;
    mover = by;
    const mine = (place) => (/\d/.test(place) && by !== scene.seat ? String(25 - Number(place)) : place);
    marks.from.add(mine(found[1]));
    marks.to.add(mine(found[2]));
  }
  return marks;
}

export function backgammon(box, act) {
  let from = null;
  const board = {
    update(scene) {
      const { board: seen } = scene;
      const moves = scene.legal.map(({ action, name }) => {
        const found = /^(bar|\d+)\/(off|\d+)/.exec(name);
        return { action, name, from: found?.[1], to: found?.[2] };
      });
      if (!moves.some((move) => move.from === from)) from = null;
      const froms = new Set(moves.map((move) => move.from).filter(Boolean));
      if (!from && froms.size === 1 && froms.has("bar")) from = "bar";
      const width = 44 + 12 * WIDE + BAR + TRAY;
      const svg = h("svg", { viewBox: `0 0 ${width} 470`, class: "board wide backgammon", role: "group", "aria-label": "backgammon" });
      const inner = 12 * WIDE + BAR;
      const last = lastTurn(scene);
      svg.append(h("rect", { x: 4, y: 4, width: width - 8, height: 462, rx: 14, class: "frame wood" }),
        h("rect", { x: 22, y: 22, width: 6 * WIDE, height: 426, class: "felt" }),
        h("rect", { x: 22 + 6 * WIDE + BAR, y: 22, width: 6 * WIDE, height: 426, class: "felt" }));
      const choose = (place) => {
        const fitting = moves.filter((move) => move.from === from && move.to === place);
        if (from && fitting.length) { from = null; act(fitting[0].action); return; }
        const mine = moves.filter((move) => move.from === place);
        const targets = new Set(mine.map((move) => move.to));
        if (from !== place && targets.size === 1) { from = null; act(mine[0].action); return; }
        from = mine.length && from !== place ? place : null;
        board.update(scene);
      };
      const live = (place) => {
        const starts = moves.some((move) => move.from === place);
        const ends = from && moves.some((move) => move.from === from && move.to === place);
        return { starts: Boolean(starts), ends: Boolean(ends) };
      };
      for (let point = 1; point <= 24; point++) {
        const { x, top } = spot(point);
        const name = String(point);
        const { starts, ends } = live(name);
        const tip = top ? 22 + 185 : 448 - 185;
        const base = top ? 22 : 448;
        const group = h("g", {
          class: `point${starts || ends ? " live" : ""}${ends ? " end" : ""}${from === name ? " picked" : ""}${last.from.has(name) || last.to.has(name) ? " last" : ""}`,
          "data-point": name, onclick: starts || ends ? () => choose(name) : null,
        }, h("path", { d: `M${x - WIDE / 2 + 1} ${base}h${WIDE - 2}L${x} ${tip}z`, class: point % 2 ? "odd" : "even" }),
          h("text", { x, y: top ? 17 : 461, class: "coord" }, point));
        const mine = seen.my_men[point - 1];
        const theirs = seen.their_men[24 - point];
        const standing = checkers(mine || theirs, mine ? scene.seat : 1 - scene.seat, x, top);
        if (last.to.has(name)) standing.findLast((drawn) => drawn.classList.contains("checker"))?.classList.add("came");
        group.append(...standing);
        if (ends) group.append(h("circle", { cx: x, cy: top ? 215 : 255, r: 8, class: "dot" }));
        if (starts && !from) group.append(h("circle", { cx: x, cy: top ? 215 : 255, r: 4, class: "hint" }));
        svg.append(group);
      }
      const middle = 22 + 6 * WIDE + BAR / 2;
      const bar = live("bar");
      svg.append(h("g", { class: bar.starts ? "live" : "", "data-point": "bar", onclick: bar.starts ? () => choose("bar") : null },
        stack(seen.my_bar, scene.seat, middle, 285, 1), stack(seen.their_bar, 1 - scene.seat, middle, 185, -1)));
      const off = live("off");
      const tray = 22 + inner + 12;
      svg.append(h("g", { class: `tray${off.ends ? " live end" : ""}`, "data-point": "off", onclick: off.ends ? () => choose("off") : null },
        h("rect", { x: tray, y: 250, width: TRAY - 10, height: 198, rx: 6 }),
        slabs(seen.my_off, scene.seat, tray + 5, 443, -1),
        off.ends ? h("circle", { cx: tray + 24, cy: 240, r: 8, class: "dot" }) : null),
      h("g", { class: "tray" }, h("rect", { x: tray, y: 22, width: TRAY - 10, height: 198, rx: 6 }),
        slabs(seen.their_off, 1 - scene.seat, tray + 5, 27, 1)));
      svg.append(dice(seen.dice, scene, middle));
      if ((scene.config?.cube ?? 1) > 1) svg.append(cube(seen, tray + 24));
      for (const { action, name } of moves.filter((move) => !move.from)) {
        const row = moves.filter((move) => !move.from).findIndex((move) => move.action === action);
        svg.append(h("g", { class: "live plate", onclick: () => act(action) },
          h("rect", { x: middle + 40 + row * 110, y: 218, width: 100, height: 34, rx: 8 }),
          h("text", { x: middle + 90 + row * 110, y: 240 }, name)));
      }
      fill(box, svg);
    },
  };
  return board;
}

function checkers(count, seat, x, top) {
  const shown = Math.min(count, 5);
  const drawn = [...Array(shown).keys()].map((at) => checker(seat, x, top ? 22 + 19 + at * 37 : 448 - 19 - at * 37));
  if (count > 5) drawn.push(h("text", { x, y: top ? 22 + 19 + 4 * 37 + 6 : 448 - 19 - 4 * 37 + 6, class: "count" }, count));
  return drawn;
}

const checker = (seat, cx, cy) => h("g", { class: "checker" }, h("circle", { cx, cy, r: 18, style: `fill:${colour(seat)}` }), h("circle", { cx, cy, r: 12, class: "inner" }));

function stack(count, seat, x, y, way) {
  if (!count) return null;
  return h("g", {}, checker(seat, x, y + way * 20), count > 1 ? h("text", { x, y: y + way * 20 + 6, class: "count" }, count) : null);
}

const slabs = (count, seat, x, y, way) => [...Array(count).keys()].map((at) => h("rect", {
  x, y: y + way * at * 12.8 - (way < 0 ? 11 : 0), width: TRAY - 20, height: 11, rx: 3, class: "slab", style: `fill:${colour(seat)}`,
}));

const PIPS = { 1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [1, 1], [-1, 1], [1, -1]], 5: [[-1, -1], [1, 1], [-1, 1], [1, -1], [0, 0]], 6: [[-1, -1], [1, 1], [-1, 1], [1, -1], [-1, 0], [1, 0]] };

/** A die. */
export function die(face, x, y, size, seat) {
  const step = size * 0.26;
  return h("g", { class: "die" }, h("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size, rx: size * 0.2, style: seat === null ? "" : `stroke:${colour(seat)}` }),
    (PIPS[face] ?? []).map(([dx, dy]) => h("circle", { cx: x + dx * step, cy: y + dy * step, r: size * 0.085 })));
}

function dice(counts, scene, middle) {
  const faces = counts.flatMap((count, at) => Array(count).fill(at + 1));
  const mine = scene.turn === scene.seat;
  const start = mine ? middle + 90 : middle - 90 - (faces.length - 1) * 46;
  return h("g", {}, faces.map((face, at) => die(face, start + at * 46, 235, 36, scene.turn)));
}

function cube(seen, x) {
  const y = seen.cube_owner === 1 ? 230 : seen.cube_owner === 2 ? 240 : 235;
  return h("g", { class: "cube" }, h("rect", { x: x - 15, y: y - 15, width: 30, height: 30, rx: 5 }), h("text", { x, y: y + 6 }, seen.cube));
}
