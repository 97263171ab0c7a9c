// The form of a new game: configuration, seats, seed, start position.

import { ask } from "./api.js";
import { fill, h, toast } from "./dom.js";
import { recent, titleOf } from "./home.js";
import { keepCreated } from "./seats.js";

/** Creates a session and opens it. */
export async function begin(request) {
  const view = await ask("/api/sessions", { body: request });
  keepCreated(view);
  const seats = view.seats.map((seat) => (seat === "person" ? "you" : seat)).join(" – ");
  recent.add({ id: view.session, game: view.game, seats });
  location.hash = `#/play/${view.session}`;
}

/** The text of the game file that was dropped on the page last. */
let dropped = null;

/** Opens the form of a game file that was dropped or chosen. @param {File} file */
export async function openFile(file) {
  dropped = await file.text();
  const hash = `#/new?file=${encodeURIComponent(file.name)}`;
  if (location.hash === hash) dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = hash;
}

export async function show(page, _, query) {
  if (query.get("paste")) return pasted(page);
  const given = query.get("config") ? JSON.parse(query.get("config")) : query.get("file") && dropped ? { file: dropped } : null;
  const game = await gameOf(query, given);
  const config = { ...game.config, ...given };
  const bots = game.bots.map((bot) => (bot.startsWith("mcts") || bot === "puct" ? `${bot}:sims=1000` : bot));
  const list = h("datalist", { id: "bots" }, bots.concat("person").map((bot) => h("option", { value: bot })));
  const asked = query.getAll("seat");
  const seatBox = h("div", { class: "pair" });
  const players = h("select", {}, [...Array(game.max_players - game.min_players + 1).keys()].map((more) => h("option", { value: game.min_players + more }, game.min_players + more)));
  const seatFields = () => [...seatBox.querySelectorAll("input")];
  const drawSeats = () => {
    const before = seatFields().map((field) => field.value);
    fill(seatBox, [...Array(Number(players.value)).keys()].map((seat) => h("label", {}, `Seat ${seat}${seat === 0 ? " (moves first)" : ""}`,
      h("input", { type: "text", list: "bots", value: before[seat] ?? asked[seat] ?? (seat === 0 ? "person" : "club"), name: `seat${seat}` }))));
  };
  players.value = String(config.players ?? game.min_players);
  players.addEventListener("change", drawSeats);
  drawSeats();
  const swap = h("button", { type: "button", onclick: () => {
    const fields = seatFields();
    fields.unshift({ value: fields.at(-1).value });
    for (let at = fields.length - 1; at > 0; at--) fields[at].value = fields[at - 1].value;
  } }, "Swap seats");
  const seed = h("input", { type: "number", min: 0, step: 1, value: query.get("seed") ?? "", placeholder: "drawn by the server", name: "seed" });
  const decks = game.decks ? ["red-burn", "green-midrange"].map((usual, at) => h("select", { name: `deck${at}` }, game.decks.map((deck) => h("option", { value: deck, selected: deck === (config.decks?.[at] ?? usual) }, deck)))) : [];
  const fen = game.name === "chess" ? h("input", { type: "text", name: "fen", value: config.fen, size: 60 }) : null;
  const options = { ...config };
  delete options.players; delete options.fen; delete options.file; if (decks.length) delete options.decks;
  const table = h("textarea", { rows: 3, name: "config" }, JSON.stringify(options, null, 1));
  const actions = h("textarea", { rows: 2, name: "actions" }, (query.get("actions") ?? "").replaceAll(".", " "));
  const submit = h("button", { class: "primary", type: "submit", id: "start" }, "Start");
  const start = async (event) => {
    event.preventDefault();
    if (submit.disabled) return;
    submit.disabled = true;
    submit.textContent = "Starting…";
    try {
      const whole = JSON.parse(table.value || "{}");
      if (config.file) whole.file = config.file;
      if (game.max_players > game.min_players) whole.players = Number(players.value);
      if (fen) whole.fen = fen.value.trim();
      if (decks.length && !whole.matchup) whole.decks = decks.map((deck) => deck.value);
      await begin({ game: game.name, config: whole, seed: seed.value === "" ? null : Number(seed.value), seats: seatFields().map((field) => field.value.trim()), actions: (actions.value.match(/\d+/g) ?? []).map(Number) });
    } catch (error) {
      toast(error.message);
      submit.disabled = false;
      submit.textContent = "Start";
    }
  };
  fill(page, h("form", { class: "card form", style: "max-width:680px;margin:0 auto", onsubmit: start }, list,
    h("h1", {}, titleOf(game.name)),
    game.max_players > game.min_players ? h("label", {}, "Players", players) : null,
    seatBox, h("div", { class: "row" }, swap, h("span", { class: "muted small" }, "person, a level (beginner, casual, club, strong, strongest) or a bot such as mcts:sims=1000; two persons share this page until one is invited elsewhere")),
    decks.length ? h("div", { class: "pair" }, decks.map((deck, at) => h("label", {}, `Deck of seat ${at}`, deck))) : null,
    fen ? h("label", {}, "Position (FEN)", fen) : null,
    h("label", {}, "Seed: the same seed gives the same chance events; anyone who knows it can work out the deal", seed),
    h("details", { open: Boolean(query.get("actions")) }, h("summary", {}, "More about the table"), h("label", {}, "Options", table), h("label", {}, "What has happened already, by number", actions)),
    h("div", { class: "row" }, submit, h("a", { class: "button", href: "#/" }, "Back"))));
  submit.focus();
}

/** The game that the form is for: one of the list, or one whose text is known. */
async function gameOf(query, given) {
  const name = query.get("game") ?? (query.get("file") ? "game-file" : "chess");
  const games = await ask("/api/games");
  const known = games.find((game) => game.name === name);
  if (given?.file && given.file !== known?.config.file) return ask("/api/games", { body: { game: name, config: given } });
  if (!known) throw new Error(query.get("file") ? "drop the game file on the page again" : `there is no game ${name}`);
  return known;
}

/** The input for a replay or a FEN. */
function pasted(page) {
  const text = h("textarea", { rows: 8, placeholder: "a FEN, or the text of a replay (JSON)" });
  const file = h("input", { type: "file", accept: ".json", onchange: async () => { text.value = await file.files[0].text(); } });
  const open = () => {
    try {
      const given = text.value.trim();
      const query = new URLSearchParams();
      if (given.startsWith("{")) {
        const replay = JSON.parse(given);
        query.set("game", replay.game);
        query.set("config", JSON.stringify(replay.config ?? {}));
        query.set("seed", replay.seed ?? 0);
        query.set("actions", (replay.actions ?? []).join("."));
      } else {
        query.set("game", "chess");
        query.set("config", JSON.stringify({ fen: given }));
      }
      location.hash = `#/new?${query}`;
    } catch (error) { toast(error.message); }
  };
  fill(page, h("div", { class: "card form", style: "max-width:680px;margin:0 auto" }, h("h1", {}, "Open a position or replay"), text, file,
    h("div", { class: "row" }, h("button", { class: "primary", onclick: open }, "Open"), h("a", { class: "button", href: "#/" }, "Back"))));
}
