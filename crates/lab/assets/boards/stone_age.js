// Stone Age: places with workers, cards, buildings, and a board for each player.

import { fill, h, put } from "../dom.js";
import { colour, isNarrow } from "./index.js";

/** Places: name, row of the observation, and background colour. */
const PLACES = [
  ["hunt", 4, "#8aa65a"], ["forest", 0, "#5f8d4e"], ["clay pit", 1, "#c07a4b"], ["quarry", 2, "#9a9a9a"],
  ["river", 3, "#6fa3c9"], ["tool maker", 5, "#b59a6a"], ["hut", 6, "#c8ac7a"], ["field", 7, "#c9b455"],
];
/** Layouts: the places in the order above, then the origins of repeated elements. */
const WIDE = {
  width: 1000, height: () => 640,
  places: [[20, 20, 190, 130], [230, 20, 170, 130], [420, 20, 170, 130], [610, 20, 170, 130], [800, 20, 180, 130], [20, 170, 140, 110], [175, 170, 140, 110], [330, 170, 140, 110]],
  card: (slot) => [20 + slot * 118, 295], building: (slot) => [500 + slot * 122, 170], info: [505, 345], plate: (at) => [880 - at * 112, 358],
  tribe: (relative, players) => [20 + (relative * 960) / players, 415, 960 / players - 12],
};
const NARROW = {
  width: 500, height: (players) => 762 + players * 218,
  places: [[14, 14, 152, 120], [174, 14, 152, 120], [334, 14, 152, 120], [14, 144, 152, 120], [174, 144, 152, 120], [334, 144, 152, 120], [14, 274, 152, 110], [174, 274, 152, 110]],
  card: (slot) => [14 + slot * 121, 532], building: (slot) => [14 + slot * 120, 396], info: [14, 668], plate: (at) => [386 - at * 112, 714],
  tribe: (relative) => [14, 758 + relative * 218, 472],
};
const RESOURCES = [["wood", "#8a5a2b"], ["clay", "#c4653a"], ["stone", "#8b8f94"], ["gold", "#e0b53c"]];
const MEEPLE = "M0-9c2.200 0 3.600 1.600 3.600 3.500 0 .9-.3 1.600-.8 2.200 3 .6 6.400 1.800 6.400 3.500 0 1.500-2.500 2-4.500 2.500C5.800 5.200 7.800 7.600 7.800 9c0 .8-.6 1-1.400 1H3c-.8 0-1.200-.5-1.500-1.200L0 6l-1.500 2.800C-1.800 9.500-2.200 10-3 10h-3.400c-.8 0-1.400-.2-1.400-1 0-1.400 2-3.800 3.100-6.300-2-.5-4.500-1-4.500-2.500 0-1.700 3.400-2.900 6.400-3.500-.5-.6-.8-1.300-.8-2.200C-3.600-7.400-2.200-9 0-9z";

export const meeple = (seat, x, y, size = 1.25) => h("path", { d: MEEPLE, transform: `translate(${x} ${y}) scale(${size})`, class: "meeple", style: `fill:${colour(seat)}` });

/** Wraps text to lines of at most `most` characters. */
function wrap(text, most) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last && last.length + word.length + 1 > most) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines;
}

/** Returns whether the supply is limited; only then the text shows it. */
const isLimited = (scene) => /^Supply: /m.test(scene.text);

export function stoneAge(box, act) {
  return {
    update(scene) {
      const seen = scene.board;
      const players = seen.players;
      const seatAt = (relative) => (scene.seat + relative) % players;
      const fitting = (place) => scene.legal.filter(({ name }) => name === place || name === `use ${place}` || name === `take ${place}` || new RegExp(`^${place} \\d+$`).test(name));
      const layout = isNarrow(box) ? NARROW : WIDE;
      const [wide, high] = [layout.width, layout.height(players)];
      const svg = h("svg", { viewBox: `0 0 ${wide} ${high}`, class: "board wide stoneage", role: "group", "aria-label": "stone age" });
      svg.append(h("rect", { x: 0, y: 0, width: wide, height: high, rx: 20, class: "ground" }));
      PLACES.forEach(([name, row, ground], at) => {
        const [x, y, width, height] = layout.places[at];
        const choices = fitting(name);
        const figures = seen.figures_on_places.slice(4 * row, 4 * row + 4);
        const closed = at >= 5 && seen.village_blocked === at - 4;
        const single = choices.length === 1 ? choices[0] : null;
        const group = h("g", { class: `place${choices.length ? " live" : ""}`, "data-place": name, onclick: single ? () => act(single.action) : null },
          h("rect", { x, y, width, height, rx: 16, style: `fill:${ground}` }),
          h("text", { x: x + 12, y: y + 24, class: "placename" }, name));
        if (closed) group.append(h("text", { x: x + width / 2, y: y + height - 16, class: "closed" }, "closed"));
        figures.flatMap((count, relative) => Array(count).fill(seatAt(relative))).forEach((seat, number) => {
          group.append(meeple(seat, x + 22 + (number % 7) * Math.min(23, (width - 42) / 6), y + 52 + Math.floor(number / 7) * 26));
        });
        if (choices.length > 1) choices.forEach(({ action, name: full }, number) => {
          const [cx, cy] = [x + 20 + number * ((width - 36) / Math.max(choices.length - 1, 6)), y + height - 20];
          group.append(h("g", { class: "countchip", "data-move": full, onclick: () => act(action) }, h("circle", { cx, cy, r: 11 }), h("text", { x: cx, y: cy + 4.5 }, full.split(" ").at(-1)), h("title", {}, full)));
        });
        svg.append(group);
      });
      for (let slot = 0; slot < 4; slot++) svg.append(civilisation(scene, slot, layout.card(slot), fitting(`card at ${4 - slot}`), act, seatAt));
      for (let slot = 0; slot < players; slot++) svg.append(building(scene, slot, layout.building(slot), fitting(`building ${slot + 1}`), act, seatAt));
      const [left, top] = layout.info;
      svg.append(h("text", { x: left, y: top, class: "supply" }, `round ${seen.round + 1}`), h("text", { x: left, y: top + 36, class: "supply" }, isLimited(scene) ? "supply" : "supply unlimited"));
      if (isLimited(scene)) RESOURCES.forEach(([name, paint], at) => svg.append(h("rect", { x: left + 55 + at * 62, y: top + 19, width: 22, height: 22, rx: 5, class: "cube-piece", style: `fill:${paint}` }, h("title", {}, name)),
        h("text", { x: left + 83 + at * 62, y: top + 36, class: "supply" }, seen.supply[at])));
      svg.append(h("text", { x: left + 85, y: top, class: "supply strong" }, (scene.text.split("\n")[0].split(" is first. ")[1] ?? "").replace("seat ", "Seat ")));
      for (let relative = 0; relative < players; relative++) svg.append(tribe(scene, relative, seatAt(relative), ...layout.tribe(relative, players)));
      const others = scene.legal.filter(({ name }) => /^(pass|done|decline)$/.test(name));
      others.forEach(({ action, name }, at) => {
        const [x, y] = layout.plate(at);
        svg.append(h("g", { class: "live plate", "data-move": name, onclick: () => act(action) }, h("rect", { x, y, width: 100, height: 36, rx: 9 }), h("text", { x: x + 50, y: y + 24 }, name)));
      });
      fill(box, svg);
    },
  };
}

function civilisation(scene, slot, [x, y], choices, act, seatAt) {
  const seen = scene.board;
  const words = seen.card_words[slot];
  const figure = seen[`card${slot}_figure`];
  const [top, bottom] = (words ?? "").split(" / ");
  const green = bottom && !/\d/.test(bottom);
  const group = h("g", { class: `slot-card${choices.length ? " live" : ""}`, "data-place": `card at ${4 - slot}`, onclick: choices.length ? () => act(choices[0].action) : null },
    h("rect", { x, y, width: 110, height: 104, rx: 9, class: words ? "cardface" : "cardslot" }));
  if (words) {
    put(group, h("path", { d: `M${x} ${y + 66}h110v29a9 9 0 0 1-9 9h-92a9 9 0 0 1-9-9z`, style: `fill:${green ? "#7fae72" : "#d9bd84"}` }),
      wrap(top, 15).map((line, at) => h("text", { x: x + 55, y: y + 40 + at * 15, class: "words" }, line)),
      h("text", { x: x + 55, y: y + 89, class: "words strong" }, bottom));
  }
  group.append(h("circle", { cx: x + 98, cy: y + 12, r: 10, class: "price" }), h("text", { x: x + 98, y: y + 16, class: "words" }, 4 - slot));
  if (figure >= 0) group.append(meeple(seatAt(figure), x + 15, y + 16, 1.1));
  return group;
}

function building(scene, slot, [x, y], choices, act, seatAt) {
  const seen = scene.board;
  const words = seen.building_words[slot];
  const figure = seen[`building${slot}_figure`];
  const group = h("g", { class: `slot-card${choices.length ? " live" : ""}`, "data-place": `building ${slot + 1}`, onclick: choices.length ? () => act(choices[0].action) : null },
    h("path", { d: `M${x} ${y + 34}L${x + 57} ${y}L${x + 114} ${y + 34}V${y + 118}a8 8 0 0 1-8 8h-98a8 8 0 0 1-8-8z`, class: words ? "house" : "cardslot" }));
  if (words) {
    const [cost, points] = words.split(" for ");
    const pieces = [...cost.matchAll(/(\d) (wood|clay|stone|gold)/g)];
    if (points) {
      pieces.flatMap(([, count, kind]) => Array(Number(count)).fill(kind)).forEach((kind, at) => group.append(h("rect", { x: x + 18 + at * 28, y: y + 46, width: 22, height: 22, rx: 4, class: "cube-piece", style: `fill:${RESOURCES.find(([name]) => name === kind)[1]}` })));
      group.append(h("text", { x: x + 57, y: y + 98, class: "points" }, points.split(" ")[0]));
    } else wrap(cost, 13).forEach((line, at) => group.append(h("text", { x: x + 57, y: y + 60 + at * 16, class: "words" }, line)));
  }
  group.append(h("text", { x: x + 100, y: y + 118, class: "below" }, `+${seen.stack_sizes[slot]}`));
  if (figure >= 0) group.append(meeple(seatAt(figure), x + 57, y + 22, 1.1));
  return group;
}

function tribe(scene, relative, seat, x, y, width) {
  const seen = scene.board;
  const of = (name) => seen[`seat${relative}_${name}`];
  const cards = of("cards").reduce((sum, count) => sum + count, 0);
  const houses = of("buildings").reduce((sum, count) => sum + count, 0);
  const group = h("g", { class: `tribe${scene.turn === seat ? " turn" : ""}` },
    h("rect", { x, y, width, height: 208, rx: 14 }),
    h("rect", { x, y, width: 8, height: 208, rx: 4, style: `fill:${colour(seat)}` }),
    meeple(seat, x + 30, y + 26, 1.5),
    h("text", { x: x + 50, y: y + 32, class: "tribename" }, relative === 0 ? "you" : `seat ${seat}`),
    h("text", { x: x + width - 14, y: y + 36, class: "bigscore" }, of("score")));
  RESOURCES.forEach(([name, paint], at) => {
    const left = x + 26 + at * ((width - 40) / 4);
    group.append(h("rect", { x: left, y: y + 56, width: 24, height: 24, rx: 5, class: "cube-piece", style: `fill:${paint}` }),
      h("text", { x: left + 31, y: y + 74, class: "amount" }, of("resources")[at]), h("title", {}, name));
  });
  [["food", of("food")], ["figures", of("figures")], ["fields", of("agriculture")], ["cards", cards], ["houses", houses]].forEach(([name, amount], at) => {
    const left = x + 26 + at * ((width - 34) / 5);
    group.append(h("text", { x: left, y: y + 118, class: "amount" }, amount), h("text", { x: left, y: y + 136, class: "tiny" }, name));
  });
  of("tools").forEach((tool, at) => {
    const used = of("tools_used")[at] > 0;
    group.append(h("g", { class: `tool${used ? " used" : ""}` }, h("rect", { x: x + 26 + at * 36, y: y + 154, width: 30, height: 30, rx: 6 }), h("text", { x: x + 41 + at * 36, y: y + 175 }, tool)));
  });
  [...Array(Math.max(of("available"), 0)).keys()].forEach((at) => group.append(meeple(seat, x + 150 + at * Math.min(19, (width - 172) / 9), y + 170, width < 270 ? 0.8 : 1)));
  if (relative === 0 && seen.hidden_words) group.append(h("text", { x: x + 26, y: y + 201, class: "tiny" }, `face down: ${seen.hidden_words}`));
  else if (seen.hidden_card_holder === relative + 1) group.append(h("text", { x: x + 26, y: y + 201, class: "tiny" }, "a card face down"));
  return group;
}
