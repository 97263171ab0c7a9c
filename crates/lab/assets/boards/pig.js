// Pig: scores as tracks, the points at risk, and the last roll.

import { fill, h } from "../dom.js";
import { byName, colour } from "./index.js";
import { die } from "./backgammon.js";

export function pig(box, act) {
  return {
    update(scene) {
      const { scores, pot, goal, players } = scene.board;
      const legal = byName(scene);
      const height = 150 + players * 56;
      const svg = h("svg", { viewBox: `0 0 560 ${height}`, class: "board pig", role: "group", "aria-label": "pig" });
      svg.append(h("rect", { x: 2, y: 2, width: 556, height: height - 4, rx: 18, class: "felt plain" }));
      for (let seat = 0; seat < players; seat++) {
        const score = scores[(seat - scene.seat + players) % players];
        const y = 26 + seat * 56;
        const at = (points) => 40 + 480 * Math.min(points / goal, 1);
        const mover = scene.turn === seat;
        svg.append(
          h("text", { x: 40, y: y + 8, class: "name" }, `${seat === scene.seat ? "you" : `seat ${seat}`} · ${scene.seats[seat]}`),
          h("text", { x: 520, y: y + 8, class: "score" }, `${score} / ${goal}`),
          h("rect", { x: 40, y: y + 14, width: 480, height: 16, rx: 8, class: "groove" }),
          mover ? h("rect", { x: 40, y: y + 14, width: Math.max(at(score + pot) - 40, 0), height: 16, rx: 8, class: "risk" }) : "",
          h("rect", { x: 40, y: y + 14, width: Math.max(at(score) - 40, 0), height: 16, rx: 8, style: `fill:${colour(seat)}` }));
      }
      const y = height - 72;
      const rolls = scene.log.filter((entry) => entry.name?.startsWith("rolled")).slice(-5);
      rolls.forEach((entry, at) => svg.append(die(Number(entry.name.split(" ")[1]), 70 + at * 54, y + 20, 42, null)));
      if (rolls.length) svg.lastChild.classList.add("fresh");
      svg.append(h("text", { x: 520, y: y - 14, class: "score" }, `at risk: ${pot}`));
      [["hold", 400], ["roll", 470]].forEach(([name, x]) => {
        if (!legal.has(name)) return;
        svg.append(h("g", { class: "live plate", "data-move": name, onclick: () => act(legal.get(name)) },
          h("rect", { x: x - 32, y, width: 64, height: 40, rx: 10 }), h("text", { x, y: y + 26 }, name)));
      });
      fill(box, svg);
    },
  };
}
