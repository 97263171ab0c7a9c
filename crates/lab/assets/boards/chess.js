// Chess: click or drag pieces.

import { fill, h } from "../dom.js";
import { piece } from "./pieces.js";

const SIZE = 75;
const EDGE = 18;

/** The pieces by square, from the FEN at the end of the text. */
function position(text) {
  const fen = text.trim().split("\n").at(-1).split(" ");
  const pieces = new Map();
  fen[0].split("/").forEach((row, y) => {
    let x = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) { x += Number(letter); continue; }
      pieces.set("abcdefgh"[x] + (8 - y), letter);
      x += 1;
    }
  });
  return { pieces, fen: fen.join(" ") };
}

const STEPS = { n: [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]], b: [[1, 1], [1, -1], [-1, -1], [-1, 1]], r: [[1, 0], [0, 1], [-1, 0], [0, -1]] };
const squareAt = (x, y) => (x >= 0 && x < 8 && y >= 1 && y <= 8 ? "abcdefgh"[x] + y : null);

/** The square of the king of the side to move, if it is in check. */
export function checked(pieces, white) {
  const isTheirs = (letter, kinds) => letter && (letter === letter.toLowerCase()) === white && kinds.includes(letter.toLowerCase());
  const king = [...pieces].find(([, letter]) => letter === (white ? "K" : "k"))?.[0];
  if (!king) return null;
  const [x, y] = ["abcdefgh".indexOf(king[0]), Number(king[1])];
  const meets = ([dx, dy], kinds, far) => {
    for (let at = 1; at <= far; at++) {
      const square = squareAt(x + at * dx, y + at * dy);
      const letter = square && pieces.get(square);
      if (letter || !square) return isTheirs(letter, kinds);
    }
    return false;
  };
  const up = white ? 1 : -1;
  const is = STEPS.n.some((step) => meets(step, "n", 1)) || STEPS.b.some((step) => meets(step, "bq", 8)) || STEPS.r.some((step) => meets(step, "rq", 8))
    || [...STEPS.b, ...STEPS.r].some((step) => meets(step, "k", 1)) || [[1, up], [-1, up]].some((step) => meets(step, "p", 1));
  return is ? king : null;
}

export function chess(box, act) {
  let from = null;
  let choosing = null;
  const board = {
    update(scene) {
      const { pieces, fen } = position(scene.text);
      const inCheck = checked(pieces, fen.split(" ")[1] === "w");
      const flip = scene.seat === 1;
      const moves = scene.legal.map(({ action, name }) => ({ action, from: name.slice(0, 2), to: name.slice(2, 4), promotion: name.slice(4) }));
      if (!moves.some((move) => move.from === from)) { from = null; choosing = null; }
      const last = /^([a-h][1-8])([a-h][1-8])/.exec(scene.log.at(-1)?.name ?? "");
      const full = 8 * SIZE + 2 * EDGE;
      const svg = h("svg", { viewBox: `0 0 ${full} ${full}`, class: `board chess${moves.length ? " yours" : ""}`, role: "group", "aria-label": "chess" });
      svg.append(h("rect", { x: 0, y: 0, width: full, height: full, rx: 10, class: "rim" }));
      const place = (square) => {
        const [x, y] = ["abcdefgh".indexOf(square[0]), 8 - Number(square[1])];
        return [EDGE + (flip ? 7 - x : x) * SIZE, EDGE + (flip ? 7 - y : y) * SIZE];
      };
      const go = (square) => {
        const fitting = moves.filter((move) => move.from === from && move.to === square);
        if (fitting.length === 1) { from = null; act(fitting[0].action); return true; }
        if (fitting.length > 1) { choosing = { square, fitting }; board.update(scene); return true; }
        return false;
      };
      const pick = (square) => {
        choosing = null;
        if (from && from !== square && go(square)) return;
        from = moves.some((move) => move.from === square) && from !== square ? square : null;
        board.update(scene);
      };
      for (let rank = 8; rank >= 1; rank--) {
        for (const file of "abcdefgh") {
          const square = file + rank;
          const [x, y] = place(square);
          const dark = ("abcdefgh".indexOf(file) + rank) % 2 ? "dark" : "light";
          const marks = `${last && (last[1] === square || last[2] === square) ? " last" : ""}${from === square ? " picked" : ""}${inCheck === square ? " check" : ""}`;
          const can = moves.some((move) => move.from === square);
          const target = from && moves.some((move) => move.from === from && move.to === square);
          svg.append(h("rect", {
            x, y, width: SIZE, height: SIZE, class: `cell ${dark}${marks}${can || target ? " live" : ""}`,
            "data-square": square, onclick: can || target || from ? () => pick(square) : null,
            tabindex: can || target ? 0 : -1,
          }));
          const letter = pieces.get(square);
          if (letter) {
            const drawn = piece(letter, x + 2, y + 2, SIZE - 4, { "data-piece": square });
            if (can) drag(svg, drawn, square, scene, pick, (to) => { from = square; if (!go(to)) board.update(scene); }, flip);
            svg.append(drawn);
          }
          if (target) {
            svg.append(h("circle", { cx: x + SIZE / 2, cy: y + SIZE / 2, r: letter ? SIZE * 0.44 : SIZE * 0.15, class: letter ? "ringdot" : "dot" }));
          }
        }
      }
      "abcdefgh".split("").forEach((file, at) => svg.append(
        h("text", { x: EDGE + (flip ? 7 - at : at) * SIZE + SIZE / 2, y: full - 5, class: "coord" }, file),
        h("text", { x: EDGE / 2, y: EDGE + (flip ? at : 7 - at) * SIZE + SIZE / 2 + 4, class: "coord" }, at + 1)));
      if (choosing) svg.append(promotions(choosing, place, scene, act, () => { choosing = null; from = null; }));
      fill(box, svg);
    },
  };
  return board;
}

function promotions({ square, fitting }, place, scene, act, done) {
  const [x, y] = place(square);
  const down = y < 300;
  const letters = fitting.map((move) => ({ ...move, letter: move.promotion || "q" })).sort((one, other) => "qrbn".indexOf(one.letter) - "qrbn".indexOf(other.letter));
  return h("g", { class: "chooser" },
    h("rect", { x, y: down ? y : y - 3 * SIZE, width: SIZE, height: 4 * SIZE, rx: 8 }),
    letters.map((move, at) => {
      const top = down ? y + at * SIZE : y - at * SIZE;
      const letter = scene.seat === 0 ? move.letter.toUpperCase() : move.letter;
      return h("g", { class: "live", "data-promotion": move.letter, onclick: () => { done(); act(move.action); } },
        h("rect", { x, y: top, width: SIZE, height: SIZE, fill: "transparent" }), piece(letter, x + 2, top + 2, SIZE - 4));
    }));
}

/** Makes a piece draggable; a click without movement selects it. */
function drag(svg, drawn, square, scene, pick, drop, flip) {
  drawn.classList.add("live");
  drawn.addEventListener("pointerdown", (down) => {
    down.preventDefault();
    const scale = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
    const home = drawn.getAttribute("transform");
    let moved = false;
    const move = (event) => {
      const [dx, dy] = [(event.clientX - down.clientX) * scale, (event.clientY - down.clientY) * scale];
      moved = moved || Math.hypot(dx, dy) > 8;
      if (moved) {
        drawn.setAttribute("transform", `translate(${dx} ${dy}) ${home}`);
        svg.append(drawn);
        drawn.style.pointerEvents = "none";
      }
    };
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", cancel);
    };
    const cancel = () => { end(); drop(""); };
    const up = (event) => {
      end();
      if (!moved) { pick(square); return; }
      const area = svg.getBoundingClientRect();
      const x = Math.floor(((event.clientX - area.left) * scale - EDGE) / SIZE);
      const y = Math.floor(((event.clientY - area.top) * scale - EDGE) / SIZE);
      const inside = x >= 0 && x < 8 && y >= 0 && y < 8;
      drop(inside ? "abcdefgh"[flip ? 7 - x : x] + (flip ? y + 1 : 8 - y) : "");
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", cancel);
  });
}
