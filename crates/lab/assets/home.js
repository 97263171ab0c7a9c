// The home page: all games, and recent sessions.

import { ask } from "./api.js";
import { SUITS } from "./boards/cards.js";
import { fill, h } from "./dom.js";

/** A fan of cards such as "As Kh"; a rank alone has no suit. */
const fan = (names) => names.split(" ").map((name, at, all) => {
  const paint = "hd".includes(name[1]) && name[1] ? "#c0282d" : "#1d1d22";
  return `<g transform="rotate(${(at - (all.length - 1) / 2) * (all.length > 3 ? 17 : 22)} 80 140)"><rect x="59" y="14" width="42" height="60" rx="5" fill="#fffdf8" stroke="#0004"/><text x="${name[1] ? 65 : 73}" y="${name[1] ? 34 : 52}" font-size="${name[1] ? 19 : 24}" font-weight="700" fill="${paint}">${name[0]}</text>${name[1] ? `<path transform="translate(71 42) scale(1.200)" fill="${paint}" d="${SUITS[name[1]]}"/>` : ""}</g>`;
}).join("");

/** Small pictures of the games. */
const PICTURES = {
  "tic-tac-toe": '<g stroke-width="5" stroke-linecap="round" fill="none"><path stroke="var(--line)" d="M68 12v68M92 12v68M46 34h68M46 58h68"/><path stroke="var(--seat0)" d="M51 17l10 10m0-10L51 27M75 41l10 10m0-10L75 51"/><circle stroke="var(--seat1)" cx="104" cy="22" r="6"/></g>',
  "connect-four": `<rect x="32" y="8" width="96" height="76" rx="8" fill="#cbb088"/>${[..."......0.....10...1101..01010"].map((c, i) => `<circle cx="${43 + (i % 7) * 12.4}" cy="${20 + Math.floor(i / 7) * 17}" r="5.400" fill="${c === "." ? "var(--paper)" : `var(--seat${c})`}"/>`).join("")}`,
  chess: `<g>${[...Array(16).keys()].map((i) => `<rect x="${44 + (i % 4) * 18}" y="${10 + Math.floor(i / 4) * 18}" width="18" height="18" fill="${(i + Math.floor(i / 4)) % 2 ? "#b98d63" : "#f0e2c6"}"/>`).join("")}<path transform="translate(53 22) scale(.55)" fill="#3b332c" d="M33 76c0-16 17-21 17-33-6 4-12 4-15 9-3 4-9 6-12 2-3-5 1-9 3-14 3-8 8-15 14-19l1-9 9 6c17 1 27 15 27 34 0 12-4 18-5 24zM24 88c0-7 6-10 10-12h32c4 2 10 5 10 12z"/></g>`,
  breakthrough: `<g>${[...Array(16).keys()].map((i) => `<rect x="${44 + (i % 4) * 18}" y="${10 + Math.floor(i / 4) * 18}" width="18" height="18" fill="${(i + Math.floor(i / 4)) % 2 ? "#b98d63" : "#f0e2c6"}"/>${i < 4 || i > 11 ? `<circle cx="${53 + (i % 4) * 18}" cy="${19 + Math.floor(i / 4) * 18}" r="6.500" fill="var(--seat${i < 4 ? 1 : 0})"/>` : ""}`).join("")}</g>`,
  backgammon: `<rect x="26" y="8" width="108" height="76" rx="7" fill="#6d4a31"/><rect x="31" y="13" width="98" height="66" fill="#345f57"/>${[...Array(8).keys()].map((i) => `<path d="M${31 + i * 12.2} 13h12.2l-6.100 28zM${31 + i * 12.2} 79h12.2l-6.100-28z" fill="${i % 2 ? "#d9b98a" : "#8f4f36"}"/>`).join("")}<circle cx="49" cy="72" r="6" fill="var(--seat0)"/><circle cx="49" cy="61" r="6" fill="var(--seat0)"/><circle cx="98" cy="20" r="6" fill="var(--seat1)"/>`,
  "stone-age": '<rect x="22" y="10" width="116" height="72" rx="9" fill="#e6d3a8"/><rect x="29" y="17" width="32" height="26" rx="5" fill="#5f8d4e"/><rect x="66" y="17" width="32" height="26" rx="5" fill="#c07a4b"/><rect x="103" y="17" width="28" height="26" rx="5" fill="#6fa3c9"/><path d="M30 62l14-10 14 10v14H30z" fill="#f1dcb0" stroke="#8b6a3c"/><rect x="66" y="50" width="22" height="26" rx="3" fill="#fbf1d8" stroke="#8b6a3c"/><rect x="93" y="50" width="22" height="26" rx="3" fill="#fbf1d8" stroke="#8b6a3c"/><circle cx="45" cy="30" r="5" fill="var(--seat0)"/><circle cx="82" cy="30" r="5" fill="var(--seat1)"/>',
  magic: ["#f2c3ad", "#bfddc2", "#c3dff0"].map((paint, i) => `<g transform="rotate(${(i - 1) * 13} 80 130)"><rect x="58" y="12" width="44" height="62" rx="5" fill="${paint}" stroke="#0006"/><rect x="63" y="24" width="34" height="22" fill="#0002"/><circle cx="94" cy="18" r="3.500" fill="#0004"/></g>`).join(""),
  holdem: fan("As Kh"), "knockout-whist": fan("9s Th Qd As"), leduc: fan("J Q K"), kuhn: fan("J K"),
  pig: '<rect x="52" y="20" width="54" height="54" rx="11" fill="#fffdf5" stroke="#0004" stroke-width="2"/><g fill="#26221c"><circle cx="66" cy="34" r="5"/><circle cx="92" cy="34" r="5"/><circle cx="79" cy="47" r="5"/><circle cx="66" cy="60" r="5"/><circle cx="92" cy="60" r="5"/></g>',
};
/** The picture of games without one of their own: a board with a stone of each side. */
const BOARD = '<g fill="#f0e2c6" stroke="#b98d63" stroke-width="2"><rect x="44" y="10" width="72" height="72" rx="4"/><path d="M68 10v72M92 10v72M44 34h72M44 58h72" fill="none"/></g><circle cx="80" cy="46" r="9" fill="var(--seat0)"/><circle cx="104" cy="22" r="9" fill="var(--seat1)"/>';
export const TITLES = {
  "tic-tac-toe": "Tic-tac-toe", "connect-four": "Connect four", kuhn: "Kuhn poker", leduc: "Leduc poker", holdem: "Texas hold'em", pig: "Pig",
  "knockout-whist": "Knockout whist", breakthrough: "Breakthrough", chess: "Chess", backgammon: "Backgammon", "stone-age": "Stone Age", magic: "Magic",
};
export const titleOf = (game) => TITLES[game] ?? (game[0].toUpperCase() + game.slice(1)).replaceAll("-", " ");

/** Sessions created by this browser, newest first. */
export const recent = {
  all: () => { try { return JSON.parse(localStorage.getItem("sessions") ?? "[]"); } catch { return []; } },
  add(entry) { localStorage.setItem("sessions", JSON.stringify([entry, ...recent.all().filter(({ id }) => id !== entry.id)].slice(0, 12))); },
  remove(id) { localStorage.setItem("sessions", JSON.stringify(recent.all().filter((entry) => entry.id !== id))); },
};

function picture(game) {
  const svg = h("svg", { viewBox: "0 0 160 92", "aria-hidden": "true" });
  // Safe as markup: the pictures are constants.
  svg.innerHTML = PICTURES[game] ?? BOARD;
  return svg;
}

/** The input for a game file, which can also be dropped on the page. */
function gameFile() {
  const file = h("input", { type: "file", accept: ".game", hidden: true, onchange: async () => (await import("./newgame.js")).openFile(file.files[0]) });
  return [file, h("button", { type: "button", id: "game-file", onclick: () => file.click() }, "Open a game file, or drop it here")];
}

export async function show(page) {
  const games = await ask("/api/games");
  const order = ["chess", "magic", "stone-age", "backgammon", "holdem", "connect-four", "knockout-whist", "breakthrough", "leduc", "kuhn", "pig", "tic-tac-toe"];
  const rank = (name) => (order.includes(name) ? order.indexOf(name) : order.length);
  games.sort((one, other) => rank(one.name) - rank(other.name));
  const begun = recent.all();
  fill(page,
    h("div", { class: "row wide" }, h("h1", {}, "Play, and watch bots think"), h("a", { class: "button", href: "#/new?paste=1" }, "Open a position or replay"), gameFile()),
    begun.length ? h("p", { class: "row small" }, h("span", { class: "muted" }, "Go on with"), begun.slice(0, 6).map(({ id, game, seats }) => h("a", { class: "button", href: `#/play/${id}` }, `${titleOf(game)}: ${seats}`))) : null,
    h("div", { class: "tiles" }, games.map((game) => h("a", { class: "tile button", href: `#/new?game=${game.name}`, "data-game": game.name },
      picture(game.name), h("strong", {}, titleOf(game.name)),
      h("span", { class: "chips" }, h("span", { class: "chip" }, game.min_players === game.max_players ? `${game.max_players} players` : `${game.min_players}–${game.max_players} players`),
        game.chance ? h("span", { class: "chip" }, "chance") : null, game.imperfect_information ? h("span", { class: "chip" }, "imperfect information") : null)))));
}
