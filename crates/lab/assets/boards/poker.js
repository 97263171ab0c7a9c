// Poker tables: Kuhn, Leduc and hold'em, parsed from the position text.

import { fill, h } from "../dom.js";
import { card } from "./cards.js";
import { colour, isNarrow } from "./index.js";

const cardsOf = (text) => {
  if (text === "--" || !text) return [];
  if (/^\?+$/.test(text)) return Array(text === "??" ? 2 : 1).fill("?");
  return text.length === 1 ? [text] : text.match(/[2-9TJQKA][shdc]/g) ?? [];
};

/** Parses the position text. */
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

/** Chips per unit of payoff. */
const STAKES = { kuhn: 2, leduc: 13 };
/** Layouts: size, centre and radii of the table, and distances of the seats. */
const WIDE = { width: 820, height: 500, x: 410, y: 240, across: 388, down: 205, seats: [300, 165] };
const NARROW = { width: 480, height: 620, x: 240, y: 305, across: 232, down: 280, seats: [140, 212] };

/** The size of a bet with its chip. */
const BET = { width: 74, height: 26 };

/** A free position for a bet between a seat and the centre. */
function placeOfBet([x, y], [cx, cy], taken) {
  const length = Math.hypot(cx - x, cy - y);
  const across = [(cy - y) / length, (x - cx) / length];
  const touches = (left, top) => taken.some((area) => left < area.x + area.width && area.x < left + BET.width && top < area.y + area.height && area.y < top + BET.height);
  for (const aside of [0, 30, -30, 60, -60, 100, -100, 140, -140]) {
    for (let part = 0.2; part < 0.9; part += 0.05) {
      const [bx, by] = [x + (cx - x) * part + aside * across[0], y + (cy - y) * part + aside * across[1]];
      if (!touches(bx - BET.width / 2, by - BET.height / 2)) return [bx - BET.width / 2 + 13, by];
    }
  }
  return [x, y];
}

export function poker(box, act) {
  return {
    /** The winners and their hands, after a showdown. */
    ending(scene) {
      const hands = scene.board?.hand_words ?? [];
      const shown = readTable(scene).seats.filter(({ folded }) => !folded).length > 1;
      const won = scene.payoffs.flatMap((payoff, seat) => (payoff > 0 && shown && hands[seat] ? [`seat ${seat} has a ${hands[seat]}`] : []));
      return won.join(" and ").replace(/ a (two|three|four|high)/g, " $1") || null;
    },
    /** Results in chips instead of normalized payoffs. */
    gains(scene) {
      const signed = (chips) => `${chips > 0 ? "+" : ""}${chips}`;
      if (STAKES[scene.game]) return scene.payoffs.map((payoff) => signed(Math.round(payoff * STAKES[scene.game])));
      const { stacks } = scene.config ?? {};
      const chips = readTable(scene).seats.map((player) => Number(player.chips));
      if (!Number.isFinite(stacks) || !chips.every(Number.isFinite)) return null;
      return chips.map((count) => signed(count - stacks));
    },
    update(scene) {
      const table = readTable(scene);
      const players = table.seats.length;
      const narrow = isNarrow(box);
      const { width: full, height, x: cx, y: cy, across, down, seats: [aside, away] } = narrow ? NARROW : WIDE;
      const svg = h("svg", { viewBox: `0 0 ${full} ${height}`, class: "board wide", role: "group", "aria-label": scene.game });
      svg.append(h("ellipse", { cx, cy, rx: across, ry: down, class: "rail" }), h("ellipse", { cx, cy, rx: across - 26, ry: down - 25, class: "felt" }));
      const wide = scene.game !== "holdem" ? 70 : narrow ? 46 : 58;
      const slots = scene.game === "holdem" ? 5 : scene.game === "leduc" ? 1 : 0;
      for (let at = 0; at < slots; at++) {
        const x = cx - wide / 2 + (at - (slots - 1) / 2) * (wide + 8);
        if (table.board[at]) svg.append(card(table.board[at], x, cy - 55, wide));
        else svg.append(h("rect", { x, y: cy - 55, width: wide, height: wide * 1.42, rx: 6, class: "slot" }));
      }
      const title = [table.street, table.pot && `pot ${table.pot}`].filter(Boolean).join(" · ");
      svg.append(h("text", { x: cx, y: narrow ? cy - 33 + wide * 1.42 : cy - 70, class: "caption middle" }, title || table.betting));
      if (title && table.betting) svg.append(h("text", { x: cx, y: cy + 62, class: "caption middle" }, table.betting));
      const taken = slots ? [{ x: cx - (slots * (wide + 8)) / 2, y: cy - 92, width: slots * (wide + 8), height: wide * 1.42 + 76 }] : [];
      const bets = [];
      table.seats.forEach((player, seat) => {
        const relative = (seat - scene.seat + players) % players;
        const angle = Math.PI / 2 + (2 * Math.PI * relative) / players;
        // In the narrow layout there is no space beside the community cards, and little above
        // the own cards.
        const lower = !narrow ? 0 : relative === 0 ? 26 : Math.abs(Math.sin(angle)) < 0.2 ? 88 : 0;
        const [x, y] = [cx + aside * Math.cos(angle), cy - 8 + away * Math.sin(angle) + lower];
        const size = relative === 0 ? 64 : 48;
        player.cards.forEach((name, at) => svg.append(card(name, x - size / 2 + (at - (player.cards.length - 1) / 2) * (size * 0.78), y - size * 0.95, size, { class: player.folded ? "dim" : "" })));
        const who = relative === 0 ? "you" : `seat ${seat}`;
        const words = [who, player.chips, player.folded ? "folded" : player.allIn ? "all in" : ""].filter(Boolean).join(" · ");
        taken.push({ x: x - 90, y: y + 28, width: 180, height: 30 }, { x: x - size * 0.95, y: y - size * 0.95, width: size * 1.9, height: size * 1.42 });
        const made = scene.board?.hand_words?.[seat];
        if (made && !player.folded) {
          svg.append(h("text", { x, y: y - size * 0.95 - 8, class: "handname" }, made));
          taken.push({ x: x - 110, y: y - size * 0.95 - 24, width: 220, height: 22 });
        }
        svg.append(h("g", { class: `nameplate${scene.turn === seat ? " turn" : ""}${scene.over && scene.payoffs[seat] > 0 ? " won" : ""}` },
          h("rect", { x: x - 88, y: y + 30, width: 176, height: 26, rx: 13 }),
          h("circle", { cx: x - 73, cy: y + 43, r: 6, style: `fill:${colour(seat)}` }), h("text", { x: x + 8, y: y + 48 }, words)));
        if (player.dealer) svg.append(h("g", { class: "button" }, h("circle", { cx: x - 62, cy: y - 12, r: 11 }), h("text", { x: x - 62, y: y - 8 }, "D")));
        if (player.bet) bets.push({ amount: player.bet, seat: [x, y] });
      });
      for (const { amount, seat } of bets) {
        const [bx, by] = placeOfBet(seat, [cx, cy], taken);
        taken.push({ x: bx - 13, y: by - BET.height / 2, ...BET });
        svg.append(h("g", { class: "chip", "data-bet": amount }, h("circle", { cx: bx, cy: by, r: 11 }), h("circle", { cx: bx, cy: by, r: 6, class: "core" }), h("text", { x: bx + 18, y: by + 5 }, amount)));
      }
      const width = Math.min(150, 780 / Math.max(scene.legal.length, 1) - 8);
      // Without space for them, the action list below has the same buttons.
      if (!narrow) scene.legal.forEach(({ action, name }, at) => {
        const x = cx + (at - (scene.legal.length - 1) / 2) * (width + 8);
        svg.append(h("g", { class: "live plate", "data-move": name, onclick: () => act(action) },
          h("rect", { x: x - width / 2, y: 462, width, height: 34, rx: 9 }), h("text", { x, y: 484 }, name)));
      });
      fill(box, svg);
    },
  };
}
