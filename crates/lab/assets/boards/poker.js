// Poker tables: Kuhn, Leduc and hold'em, read from what the table says.

import { fill, h } from "../dom.js";
import { card } from "./cards.js";
import { colour } from "./index.js";

const cardsOf = (text) => {
  if (text === "--" || !text) return [];
  if (/^\?+$/.test(text)) return Array(text === "??" ? 2 : 1).fill("?");
  return text.length === 1 ? [text] : text.match(/[2-9TJQKA][shdc]/g) ?? [];
};

/** The table as text, taken apart. */
export function readTable(scene) {
  const { text } = scene;
  const players = scene.seats.length;
  const seats = [];
  for (let seat = 0; seat < players; seat++) {
    const line = new RegExp(`seat ${seat}: ([^,;\\n]+)([^;\\n]*)`).exec(text);
    const rest = line?.[2] ?? "";
    seats.push({
      cards: cardsOf(line?.[1].trim()),
      chips: /(\d+) chips(?! in)/.exec(rest)?.[1],
      bet: /bets (\d+)/.exec(rest)?.[1] ?? /(\d+) chips in/.exec(rest)?.[1],
      folded: rest.includes("folded"),
      dealer: rest.includes("dealer"),
      allIn: rest.includes("all in"),
    });
  }
  if (scene.game === "kuhn") {
    for (const [seat, held] of [...text.matchAll(/seat (\d): (\S)/g)].map((found) => [Number(found[1]), found[2]])) {
      seats[seat].cards = cardsOf(held);
    }
  }
  const table = /table: (\S)/.exec(text)?.[1];
  const board = /board:([^\n]*)/.exec(text)?.[1].trim().split(/\s+/).filter(Boolean) ?? [];
  return {
    seats,
    board: table && table !== "?" ? [table] : board.flatMap(cardsOf),
    pot: /pot (\d+)/.exec(text)?.[1],
    betting: /betting:([^\n]*)/.exec(text)?.[1].trim() ?? "",
    street: /limit, ([^,]+),/.exec(text)?.[1],
  };
}

export function poker(box, act) {
  return {
    update(scene) {
      const table = readTable(scene);
      const players = table.seats.length;
      const svg = h("svg", { viewBox: "0 0 820 500", class: "board wide", role: "group", "aria-label": scene.game });
      svg.append(h("ellipse", { cx: 410, cy: 240, rx: 388, ry: 205, class: "rail" }), h("ellipse", { cx: 410, cy: 240, rx: 362, ry: 180, class: "felt" }));
      const wide = table.board.length > 1 || scene.game === "holdem" ? 58 : 70;
      const slots = scene.game === "holdem" ? 5 : scene.game === "leduc" ? 1 : 0;
      for (let at = 0; at < slots; at++) {
        const x = 410 - wide / 2 + (at - (slots - 1) / 2) * (wide + 8);
        if (table.board[at]) svg.append(card(table.board[at], x, 185, wide));
        else svg.append(h("rect", { x, y: 185, width: wide, height: wide * 1.42, rx: 6, class: "slot" }));
      }
      const title = [table.street, table.pot && `pot ${table.pot}`].filter(Boolean).join(" · ");
      svg.append(h("text", { x: 410, y: 170, class: "caption middle" }, title || table.betting));
      if (title && table.betting) svg.append(h("text", { x: 410, y: 300, class: "caption middle" }, table.betting));
      table.seats.forEach((player, seat) => {
        const relative = (seat - scene.seat + players) % players;
        const angle = Math.PI / 2 + (2 * Math.PI * relative) / players;
        const [x, y] = [410 + 300 * Math.cos(angle), 232 + 165 * Math.sin(angle)];
        const size = relative === 0 ? 64 : 48;
        player.cards.forEach((name, at) => svg.append(card(name, x - size / 2 + (at - (player.cards.length - 1) / 2) * (size * 0.78), y - size * 0.95, size, { class: player.folded ? "dim" : "" })));
        const who = relative === 0 ? "you" : `seat ${seat}`;
        const words = [who, player.chips, player.folded ? "folded" : player.allIn ? "all in" : ""].filter(Boolean).join(" · ");
        svg.append(h("g", { class: `nameplate${scene.turn === seat ? " turn" : ""}` },
          h("rect", { x: x - 88, y: y + 30, width: 176, height: 26, rx: 13 }),
          h("circle", { cx: x - 73, cy: y + 43, r: 6, style: `fill:${colour(seat)}` }), h("text", { x: x + 8, y: y + 48 }, words)));
        if (player.dealer) svg.append(h("g", { class: "button" }, h("circle", { cx: x - 62, cy: y - 12, r: 11 }), h("text", { x: x - 62, y: y - 8 }, "D")));
        if (player.bet) {
          const beside = Math.abs(x - 410) < 60 ? 120 : 0;
          const [bx, by] = [x + (410 - x) * 0.28 + beside, y + (240 - y) * 0.3 + (beside ? 12 : 74)];
          svg.append(h("g", { class: "chip" }, h("circle", { cx: bx, cy: by, r: 11 }), h("circle", { cx: bx, cy: by, r: 6, class: "core" }), h("text", { x: bx + 18, y: by + 5 }, player.bet)));
        }
      });
      const width = Math.min(150, 780 / Math.max(scene.legal.length, 1) - 8);
      scene.legal.forEach(({ action, name }, at) => {
        const x = 410 + (at - (scene.legal.length - 1) / 2) * (width + 8);
        svg.append(h("g", { class: "live plate", "data-move": name, onclick: () => act(action) },
          h("rect", { x: x - width / 2, y: 462, width, height: 34, rx: 9 }), h("text", { x, y: 484 }, name)));
      });
      fill(box, svg);
    },
  };
}
