// Magic: battlefields, hands, the stack, and lines for attacks, blocks and targets.

import { ask } from "../api.js";
import { fill, h } from "../dom.js";
import { colour } from "./index.js";

/** Card texts by name, loaded once. */
let texts = null;
const textOf = (name) => texts?.[name] ?? "";

/** Shows an element over the board, as a part of the page, so that it goes when the page does. */
const over = (element) => document.getElementById("page").append(element);

/** Shows the text of a card while it is hovered or focused. */
function explain(element, face) {
  const hide = () => document.querySelector(".cardtext")?.remove();
  const show = () => {
    hide();
    const text = textOf(face.name);
    if (!text) return;
    const area = element.getBoundingClientRect();
    const note = h("div", { class: "cardtext card", role: "tooltip" }, text);
    over(note);
    const { width, height } = note.getBoundingClientRect();
    const left = area.right + 8 + width < innerWidth ? area.right + 8 : Math.max(8, area.left - width - 8);
    note.style.left = `${Math.min(left, innerWidth - width - 8)}px`;
    note.style.top = `${Math.max(8, Math.min(area.top, innerHeight - height - 8))}px`;
  };
  for (const event of ["mouseenter", "focus", "contextmenu"]) element.addEventListener(event, show);
  for (const event of ["mouseleave", "blur"]) element.addEventListener(event, hide);
}

const PIPS = { W: "#f3ecc8", U: "#a9d3ee", B: "#b9aeb0", R: "#f0a98c", G: "#9fcfa8" };

/** A mana cost such as {2}{R} as discs. */
function mana(cost) {
  return [...cost.matchAll(/\{(\w+)\}/g)].map(([, sign]) => h("span", { class: "pip", style: `background:${PIPS[sign] ?? "#d6d0c4"}` }, sign));
}

const frame = (face) => {
  if (face.types.includes("land")) return "land";
  if (face.colours.length > 1) return "gold";
  return { W: "white", U: "blue", B: "black", R: "red", G: "green" }[face.colours] ?? "grey";
};

/** A card, clickable if it has actions. */
function cardOf(face, { choices = [], act, label, status = "", classes = "", slot } = {}) {
  const one = choices.length === 1 ? choices[0] : null;
  const title = [face.name, face.cost, face.types, ...choices.map(({ name }) => `▸ ${name}`)].join("\n");
  const element = h(choices.length ? "button" : "div", {
    class: `mcard ${frame(face)} ${classes}`, "aria-label": title, type: choices.length ? "button" : null, tabindex: choices.length ? null : 0,
    "data-slot": slot ?? null, "data-move": one?.name, "data-card": label ?? face.name,
    onclick: choices.length ? () => (one ? act(one.action) : offer(element, choices, act)) : null,
  },
  h("span", { class: "mname" }, face.name),
  face.count > 1 ? h("b", { class: "times", title: `${face.count} of them` }, `×${face.count}`) : null,
  h("span", { class: "mcost" }, mana(face.cost)),
  h("span", { class: "mtype" }, face.types),
  status ? h("span", { class: "mstatus" }, status) : null,
  face.body ? h("span", { class: "mbody" }, `${face.body[0]}/${face.body[1]}`) : null);
  explain(element, face);
  return element;
}

/** Shows a menu of the actions of a card. */
function offer(element, choices, act) {
  document.querySelector(".offer")?.remove();
  const area = element.getBoundingClientRect();
  const list = h("div", { class: "offer card", style: `left:${Math.max(8, area.left)}px;top:${area.bottom + 6}px` },
    choices.map(({ action, name }) => h("button", { type: "button", onclick: () => { list.remove(); act(action); } }, name)));
  over(list);
  setTimeout(() => addEventListener("click", () => list.remove(), { once: true }));
}

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The actions whose name mentions an object. */
function about(legal, label, verbs) {
  const names = new RegExp(`^(${verbs}) ${escape(label)}(:| with | \\(|$| in your graveyard$)`);
  return legal.filter(({ name }) => names.test(name));
}

function permanent(thing, scene, act) {
  const marks = [thing.sick ? "new" : "", thing.damage ? `${thing.damage} damage` : "", thing.counters ? `${thing.counters > 0 ? "+" : ""}${thing.counters}` : "", ...thing.keywords].filter(Boolean);
  let choices = about(scene.legal, thing.label, "use|target|attack with|block|tap|sacrifice|choose|keep|damage|untap|leave");
  choices = choices.filter(({ name }) => !/^block /.test(name) || name.startsWith(`block ${thing.label} with `));
  const classes = [thing.tapped ? "tapped" : "", thing.attacking ? "attacking" : "", thing.blocking ? "blocking" : ""].join(" ");
  return cardOf({ ...thing.face, count: 1 }, { choices, act, label: thing.label, status: marks.join(", "), classes, slot: thing.slot });
}

/** Lands with the same name are stacked. */
function lands(side, scene, act) {
  const groups = new Map();
  for (const thing of side.permanents.filter(({ face }) => face.types.includes("land") && !face.body)) {
    const key = `${thing.face.name}${thing.tapped}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(thing);
  }
  return [...groups.values()].map((group) => {
    const choices = group.flatMap((thing) => about(scene.legal, thing.label, "use|target|tap|sacrifice|choose|untap|leave"));
    return cardOf({ ...group[0].face, count: group.length }, { choices, act, label: group[0].label, classes: group[0].tapped ? "tapped small" : "small", slot: group[0].slot });
  });
}

function player(side, scene) {
  const me = side.seat === scene.seat;
  const target = scene.legal.find(({ name }) => name === (me ? "target you" : "target opponent"));
  return { target, element: (act) => h(target ? "button" : "div", {
    class: `mplayer${scene.turn === side.seat ? " turn" : ""}`, "data-seat": side.seat, onclick: target ? () => act(target.action) : null,
  }, h("span", { class: "life", style: `background:${colour(side.seat)}` }, side.life),
  h("span", { class: "mwho" }, h("b", {}, me ? "you" : `seat ${side.seat}`), h("span", { class: "muted small" }, side.deck)),
  h("span", { class: "small muted" }, `${side.hand.reduce((sum, face) => sum + face.count, 0) + side.unseen} in hand · ${side.library} in library${side.exiled ? ` · ${side.exiled} exiled` : ""}`),
  side.mana ? h("span", {}, mana(side.mana)) : null) };
}

function field(side, scene, act, mine) {
  const creatures = side.permanents.filter(({ face }) => face.body || !face.types.includes("land"));
  const rows = [h("div", { class: "mrow creatures" }, creatures.map((thing) => permanent(thing, scene, act))), h("div", { class: "mrow" }, lands(side, scene, act))];
  return h("div", { class: `mfield${mine ? " mine" : ""}` }, mine ? rows : rows.reverse());
}

export function magic(box, act) {
  // If loading fails, cards are shown without texts.
  if (!texts) ask("/api/magic/cards").then((found) => { texts = found; }, () => {});
  return {
    update(scene) {
      document.querySelector(".offer")?.remove();
      document.querySelector(".cardtext")?.remove();
      const [mine, theirs] = scene.board.sides;
      const graveyard = (side) => side.graveyard.length ? h("details", { class: "grave" },
        h("summary", {}, `graveyard (${side.graveyard.reduce((sum, face) => sum + face.count, 0)})`),
        h("div", { class: "mrow" }, side.graveyard.map((face) => cardOf(face, { act, classes: "small", choices: about(scene.legal, face.name, "use|target|return|take|choose") })))) : null;
      const hand = mine.hand.map((face) => cardOf(face, { act, choices: about(scene.legal, face.name, "cast|play|discard|take|put") }));
      const known = [...theirs.hand.map((face) => cardOf(face, { act, classes: "small" })), ...Array(theirs.unseen).fill(0).map(() => h("div", { class: "mcard back small" }))];
      const stack = scene.board.stack.map((spell, at) => h("div", { class: "spell", "data-stack": at },
        h("i", { class: "seatdot", style: `--c:${colour(spell.seat)}` }), h("span", {}, spell.text)));
      const root = h("div", { class: "mtable", role: "group", "aria-label": "magic" },
        player(theirs, scene).element(act), h("div", { class: "mrow hand" }, known), graveyard(theirs),
        field(theirs, scene, act, false),
        h("div", { class: "mmiddle" }, h("span", { class: "mphase" }, `turn ${scene.board.turn} · ${scene.board.phase}`), h("span", { class: "mprompt" }, scene.board.prompt), stack.length ? h("div", { class: "mstack" }, stack) : null),
        field(mine, scene, act, true), graveyard(mine),
        player(mine, scene).element(act), h("div", { class: "mrow hand" }, hand),
        h("svg", { class: "mlines", "aria-hidden": "true" }));
      fill(box, root);
      requestAnimationFrame(() => drawLines(root, scene));
    },
  };
}

/** Draws attacks, blocks and targets as lines. */
function drawLines(root, scene) {
  const svg = root.querySelector(".mlines");
  const area = root.getBoundingClientRect();
  svg.setAttribute("viewBox", `0 0 ${area.width} ${area.height}`);
  const middle = (selector) => {
    const found = root.querySelector(selector)?.getBoundingClientRect();
    return found && [found.left + found.width / 2 - area.left, found.top + found.height / 2 - area.top];
  };
  /** The border point of a life total that faces another point, so that lines do not cover the number. */
  const life = (seat, from) => {
    const found = root.querySelector(`[data-seat="${seat}"] .life`)?.getBoundingClientRect();
    if (!found || !from) return null;
    const below = from[1] > found.top + found.height / 2 - area.top;
    return [found.left + found.width / 2 - area.left, (below ? found.bottom + 7 : found.top - 7) - area.top];
  };
  const line = (from, to, kind) => {
    if (!from || !to) return;
    const bend = (from[0] + to[0]) / 2 + (to[1] - from[1]) * 0.12;
    svg.append(h("path", { d: `M${from[0]} ${from[1]}Q${bend} ${(from[1] + to[1]) / 2} ${to[0]} ${to[1]}`, class: kind }), h("circle", { cx: to[0], cy: to[1], r: 5, class: kind }));
  };
  for (const side of scene.board.sides) {
    for (const thing of side.permanents) {
      const here = middle(`[data-slot="${thing.slot}"]`);
      const blocked = scene.board.sides.some((other) => other.permanents.some((one) => one.blocking && one.link === thing.slot));
      if (thing.attacking && !blocked) line(here, life(1 - side.seat, here), "attack");
      if (thing.link !== null) line(here, middle(`[data-slot="${thing.link}"]`), thing.blocking ? "block" : "aura");
    }
  }
  scene.board.stack.forEach((spell, at) => {
    const here = middle(`[data-stack="${at}"]`);
    for (const slot of spell.slots) line(here, middle(`[data-slot="${slot}"]`), "aim");
    for (const seat of spell.seats) line(here, life(seat, here), "aim");
  });
}
