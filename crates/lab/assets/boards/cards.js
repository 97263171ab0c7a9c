// Playing cards, and knockout whist.

import { fill, h } from "../dom.js";
import { byName, colour, isNarrow } from "./index.js";

/** Suit outlines in a 20x20 square. */
export const SUITS = {
  s: "M10 1c3 4 8 7 8 11.500a4 4 0 0 1-6.800 2.800c.2 2 1 3.200 2.300 3.700h-7c1.300-.5 2.100-1.700 2.300-3.700A4 4 0 0 1 2 12.500C2 8 7 5 10 1z",
  h: "M10 19C5 14 1 10.500 1 6.500a4.600 4.600 0 0 1 9-1.500 4.600 4.600 0 0 1 9 1.500C19 10.500 15 14 10 19z",
  d: "M10 .5L17.500 10 10 19.500 2.500 10z",
  c: "M10 1.500a4 4 0 0 1 3.300 6.300 4 4 0 1 1-2 7.100c.2 2 1 3.400 2.400 4.100H6.300c1.400-.7 2.200-2.100 2.400-4.100a4 4 0 1 1-2-7.100A4 4 0 0 1 10 1.500z",
};
export const RANKS = "23456789TJQKA";
const WHIST_SUITS = "shdc";

/** A suit symbol. */
export const suit = (letter, x, y, size) => h("path", { d: SUITS[letter], transform: `translate(${x} ${y}) scale(${size / 20})`, class: `suit ${letter}` });

/**
 * A card such as "Th", or its back for "?".
 * @param {string} name
 */
export function card(name, x, y, width = 62, attributes = {}) {
  const height = width * 1.42;
  const rank = name[0] === "T" ? "10" : name[0];
  const kind = name[1];
  const group = h("g", { transform: `translate(${x} ${y})`, ...attributes, class: `playing ${attributes.class ?? ""}` });
  if (name === "?") {
    group.append(h("rect", { width, height, rx: width * 0.1, class: "back" }),
      h("rect", { x: width * 0.1, y: width * 0.1, width: width * 0.8, height: height - width * 0.2, rx: width * 0.06, class: "weave" }));
    return group;
  }
  group.append(h("rect", { width, height, rx: width * 0.1, class: "face" }),
    h("text", { x: width * 0.2, y: width * 0.34, class: `rank ${kind ?? "plain"}`, style: `font-size:${width * 0.34}px` }, rank));
  if (kind) {
    group.append(suit(kind, width * 0.08, width * 0.42, width * 0.26), suit(kind, width * 0.28, height * 0.42, width * 0.58));
  } else {
    group.append(h("text", { x: width / 2, y: height * 0.66, class: "rank plain", style: `font-size:${width * 0.62}px` }, rank));
  }
  return group;
}

const whistCard = (index) => RANKS[index % 13] + WHIST_SUITS[Math.floor(index / 13)];

/** The last complete trick by seat, from the log before the last `since` cards. */
function lastTrick(log, since) {
  const played = new Map();
  let skipped = 0;
  for (const { by, name } of [...log].reverse()) {
    if (by === null) continue;
    // A trump choice, or a second card of the same seat, precedes the trick.
    if (!/^[2-9TJQKA][shdc]$/.test(name ?? "") || played.has(by)) break;
    if (skipped < since) skipped += 1;
    else played.set(by, name);
  }
  return played;
}

export function whist(box, act) {
  return {
    update(scene) {
      const seen = scene.board;
      const legal = byName(scene);
      const { players } = seen;
      // The last trick stays visible until the next lead.
      const since = seen.trick.filter(Boolean).length;
      const finished = lastTrick(scene.log, since);
      const full = isNarrow(box) ? 470 : 760;
      const middle = full / 2;
      const svg = h("svg", { viewBox: `0 0 ${full} 520`, class: "board wide", role: "group", "aria-label": "knockout whist" });
      svg.append(h("rect", { x: 2, y: 2, width: full - 4, height: 516, rx: 26, class: "felt" }));
      const places = { 2: [[380, 300], [380, 70]], 3: [[380, 300], [150, 110], [610, 110]], 4: [[380, 300], [130, 190], [380, 70], [630, 190]] }[players];
      for (let relative = 0; relative < players; relative++) {
        const seat = (scene.seat + relative) % players;
        const [x, y] = [(places[relative][0] * full) / 760, places[relative][1]];
        const out = !seen.in[relative];
        const label = `${relative ? `seat ${seat}` : "you"} · ${out ? "out" : `${seen.tricks[relative]} trick${seen.tricks[relative] === 1 ? "" : "s"}`}`;
        const top = relative === 0 ? 372 : y - 42;
        svg.append(h("g", { class: `nameplate${scene.turn === seat ? " turn" : ""}` },
          h("rect", { x: x - 75, y: top - 17, width: 150, height: 25, rx: 12 }),
          h("circle", { cx: x - 60, cy: top - 4.5, r: 6, style: `fill:${colour(seat)}` }),
          h("text", { x: x + 6, y: top }, label)));
        if (relative > 0) {
          const count = seen.cards[relative];
          for (let at = 0; at < count; at++) svg.append(card("?", x - 22 + (at - (count - 1) / 2) * 16, y - 28, 40));
        }
        const played = seen.trick[relative] ? whistCard(seen.trick[relative] - 1) : since ? null : finished.get(seat);
        if (played) {
          const [px, py] = relative === 0 ? [middle - 31, 250] : [x + (middle - x) * 0.5 - 31, y + (270 - y) * 0.42 + 12];
          svg.append(card(played, px, py, 62, since ? {} : { class: "dim", "data-finished": seat }));
        }
      }
      if (since && finished.size > 1) {
        svg.append(h("text", { x: 26, y: 330, class: "caption" }, "last trick"));
        [...finished].reverse().forEach(([seat, name], at) => svg.append(card(name, 26 + at * 30, 340, 34, { "data-finished": seat }), h("circle", { cx: 43 + at * 30, cy: 396, r: 4, style: `fill:${colour(seat)}` })));
      } else if (finished.size > 1) svg.append(h("text", { x: middle, y: 240, class: "caption middle" }, scene.turn === null ? "the last trick" : `the last trick went to ${scene.turn === scene.seat ? "you" : `seat ${scene.turn}`}`));
      const hand = seen.hand.flatMap((held, index) => (held ? [whistCard(index)] : []));
      const step = Math.min(74, (full - 120) / Math.max(hand.length, 1));
      hand.forEach((name, at) => {
        const can = legal.has(name);
        svg.append(card(name, middle - 35 + (at - (hand.length - 1) / 2) * step, 398, 70, {
          class: can ? "live" : scene.legal.length ? "dim" : "", "data-move": name,
          onclick: can ? () => act(legal.get(name)) : null,
        }));
      });
      svg.append(h("text", { x: 26, y: 36, class: "caption" }, `deal of ${seen.deal}`));
      if (seen.trumps < 4) svg.append(h("rect", { x: full - 50, y: 16, width: 28, height: 28, rx: 6, class: "face" }), suit(WHIST_SUITS[seen.trumps], full - 46, 20, 20), h("text", { x: full - 112, y: 36, class: "caption" }, "trumps"));
      // Trumps are chosen from the list of actions.
      scene.legal.filter(({ name }) => name.endsWith("are trumps")).forEach(({ action, name }, at) => {
        svg.append(h("g", { class: "live plate", "data-move": name, onclick: () => act(action) },
          h("rect", { x: middle - 125 + at * 66, y: 200, width: 54, height: 54, rx: 10 }), suit(name[0], middle - 113 + at * 66, 212, 30)));
      });
      fill(box, svg);
    },
  };
}
