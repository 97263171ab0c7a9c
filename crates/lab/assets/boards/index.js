// The board of each game: drawing and input.

import { h, fill } from "../dom.js";

/**
 * The input of a board.
 * @typedef {object} Scene
 * @property {string} game
 * @property {number} seat the viewpoint, at the bottom
 * @property {string[]} seats the agents by seat
 * @property {any} board the observation by field name, or the scene of the game
 * @property {string} text the position as text
 * @property {{action: number, name: string}[]} legal the legal actions
 * @property {number|null} turn the seat to move
 * @property {boolean} over
 * @property {any} config
 * @property {{event: number, by: number|null, name: string|null}[]} log
 * @property {number[]} payoffs
 *
 * @typedef {{ update(scene: Scene): void, gains?(scene: Scene): string[] | null, ending?(scene: Scene): string | null }} Board
 *   draws a scene; `gains` gives the final results of the seats if they are not the payoffs,
 *   `ending` the reason of the result
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
 * Creates the board of `game` in `box`; games without one of their own have a picture, or else text.
 * @param {string} game
 * @param {HTMLElement} box
 * @param {Act} act
 * @returns {Promise<Board>}
 */
export async function makeBoard(game, box, act) {
  const make = await LOADERS[game]?.();
  return make ? make(box, act) : (await import("./picture.js")).pictureBoard(box, act);
}

export function textBoard(box) {
  return { update: (scene) => fill(box, h("pre", { class: "text card" }, scene.text)) };
}

/** Returns whether the box needs a portrait layout. */
export const isNarrow = (box) => box.clientWidth > 0 && box.clientWidth < 560;

/** The colour of a seat. @param {number} seat */
export const colour = (seat) => `var(--seat${seat % 6})`;

/** The legal actions by name. @param {Scene} scene */
export const byName = (scene) => new Map(scene.legal.map(({ name, action }) => [name, action]));
