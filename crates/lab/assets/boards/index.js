// The boards: what a view of a game looks like, and what can be clicked on it.

import { h, fill } from "../dom.js";

/**
 * What boards are drawn from.
 * @typedef {object} Scene
 * @property {string} game
 * @property {number} seat whose side is at the bottom
 * @property {string[]} seats who sits where
 * @property {any} board the observation by name, or the scene of the game
 * @property {string} text the table as text
 * @property {{action: number, name: string}[]} legal what may be done
 * @property {number|null} turn who decides
 * @property {boolean} over
 * @property {any} config
 * @property {{event: number, by: number|null, name: string|null}[]} log
 * @property {number[]} payoffs
 *
 * @typedef {{ update(scene: Scene): void, gains?(scene: Scene): string[] | null, ending?(scene: Scene): string | null }} Board
 *   what is drawn, what each seat has got at the end where that is not its payoff, and why
 * @typedef {(action: number) => void} Act
 */

const LOADERS = {
  "tic-tac-toe": async () => (await import("./squares.js")).ticTacToe,
  "connect-four": async () => (await import("./squares.js")).connectFour,
  breakthrough: async () => (await import("./squares.js")).breakthrough,
  chess: async () => (await import("./chess.js")).chess,
  backgammon: async () => (await import("./backgammon.js")).backgammon,
  "stone-age": async () => (await import("./stone_age.js")).stoneAge,
  magic: async () => (await import("./magic.js")).magic,
  "knockout-whist": async () => (await import("./cards.js")).whist,
  kuhn: async () => (await import("./poker.js")).poker,
  leduc: async () => (await import("./poker.js")).poker,
  holdem: async () => (await import("./poker.js")).poker,
  pig: async () => (await import("./pig.js")).pig,
};

/**
 * A board of `game` in `box`; a game that has no drawing is shown as text.
 * @param {string} game
 * @param {HTMLElement} box
 * @param {Act} act
 * @returns {Promise<Board>}
 */
export async function makeBoard(game, box, act) {
  const make = await LOADERS[game]?.();
  return make ? make(box, act) : textBoard(box);
}

function textBoard(box) {
  return { update: (scene) => fill(box, h("pre", { class: "text card" }, scene.text)) };
}

/** Whether there is only room for a board that is higher than wide. */
export const isNarrow = (box) => box.clientWidth > 0 && box.clientWidth < 560;

/** The colour of a seat. @param {number} seat */
export const colour = (seat) => `var(--seat${seat % 6})`;

/** What can be done by its name. @param {Scene} scene */
export const byName = (scene) => new Map(scene.legal.map(({ name, action }) => [name, action]));
