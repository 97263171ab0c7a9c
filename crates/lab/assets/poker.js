// The equity calculator: range grids and community cards.

import { ask } from "./api.js";
import { debounce, fill, grouped, h, percent } from "./dom.js";
import { grid13 } from "./grid13.js";

const RANKS = "AKQJT98765432";
const SUITS = [["s", "♠"], ["h", "♥"], ["d", "♦"], ["c", "♣"]];

export async function show(page) {
  const kept = (() => { try { return JSON.parse(localStorage.getItem("poker") ?? "null"); } catch { return null; } })();
  const players = kept?.players ?? [{ text: "QQ+, AKs" }, { text: "22+, A2s+, KTs+, QTs+, JTs, AJo+" }];
  const board = new Set(kept?.board ?? []);
  let current = 0;
  let asked = 0;
  const results = h("div", { class: "side" });
  const tabs = h("div", { class: "row" });
  const range = h("input", { type: "text", style: "width:100%", "aria-label": "Range as text" });
  const about = h("p", { class: "small muted" });
  const grid = grid13(() => { players[current].text = grid.text(); range.value = players[current].text; readSoon(); });

  const keep = () => localStorage.setItem("poker", JSON.stringify({ players, board: [...board] }));
  const read = async () => {
    const mine = current;
    try {
      const answer = await ask("/api/poker/range", { body: { text: players[mine].text } });
      if (mine !== current) return;
      grid.load(answer.classes);
      if (document.activeElement !== range) range.value = answer.text;
      about.textContent = `${grouped(answer.hands)} of 1\u202f326 hands, ${percent(answer.fraction)}`;
      await count();
    } catch (error) { about.textContent = error.message; }
  };
  const count = async () => {
    keep();
    const mine = ++asked;
    const ready = players.filter(({ text }) => text.trim());
    if (ready.length < 2) { fill(results, h("p", { class: "card muted" }, "Two ranges are compared.")); return; }
    if (board.size === 1 || board.size === 2) { fill(results, h("p", { class: "card muted" }, "A flop has three cards.")); return; }
    const began = performance.now();
    try {
      const answer = await ask("/api/poker/equity", { body: { players: ready.map(({ text }) => text), board: [...board].join("") } });
      if (mine === asked) draw(answer, ready, performance.now() - began);
    } catch (error) { if (mine === asked) fill(results, h("p", { class: "card" }, error.message)); }
  };
  const readSoon = debounce(read, 120);
  function draw(answer, ready, time) {
    fill(results, h("p", { class: "small muted", "data-equity": answer.players[0].equity }, `${grouped(answer.deals)} deals ${answer.exact ? "counted exactly" : "sampled"} in ${time.toFixed(0)} ms`),
      answer.players.map((player, at) => h("section", { class: "card" }, h("div", { class: "row wide" }, h("span", { class: "equity", style: `color:var(--seat${at})` }, percent(player.equity, 2)), h("span", { class: "small muted" }, ready[at].text.slice(0, 60))),
        h("div", { class: "track", style: "margin:.3rem 0 .5rem" }, h("i", { style: `width:${100 * player.equity}%;background:var(--seat${at})` })),
        h("p", { class: "facts" }, h("span", {}, `wins ${percent(player.win)}`), h("span", {}, `ties ${percent(player.tie)}`), player.ci_low === null ? null : h("span", {}, `95 %: ${percent(player.ci_low, 2)} – ${percent(player.ci_high, 2)}`)),
        h("div", { class: "bars" }, answer.categories.map((name, kind) => [name, player.categories[kind]]).reverse().filter(([, share]) => share > 0).map(([name, share]) => [h("span", {}, name), h("div", { class: "track" }, h("i", { style: `width:${100 * share}%;background:var(--seat${at})` })), h("span", { class: "num value" }, percent(share))])))));
  }
  function choose(player) { current = player; drawTabs(); range.value = players[player].text; read(); }
  function drawTabs() {
    fill(tabs, players.map((_, at) => h("button", { type: "button", "aria-pressed": String(at === current), onclick: () => choose(at) }, `Player ${at + 1}`)),
      players.length < 6 ? h("button", { type: "button", id: "more", onclick: () => { players.push({ text: "random" }); choose(players.length - 1); } }, "+") : null,
      players.length > 2 ? h("button", { type: "button", onclick: () => { players.splice(current, 1); choose(Math.min(current, players.length - 1)); } }, "Remove") : null);
  }
  const deck = h("div", { class: "deck" }, SUITS.flatMap(([suit, sign]) => [...RANKS].map((rank) => {
    const name = rank + suit;
    const card = h("button", { type: "button", class: suit, "data-card": name, "aria-pressed": String(board.has(name)), "aria-label": name, onclick: () => {
      if (board.has(name)) board.delete(name); else if (board.size < 5) board.add(name); else return;
      card.setAttribute("aria-pressed", String(board.has(name)));
      count();
    } }, rank, sign);
    return card;
  })));
  range.addEventListener("input", () => { players[current].text = range.value; readSoon(); });
  const brush = h("input", { type: "range", min: 10, max: 100, step: 10, value: 100, "aria-label": "Weight that is painted", oninput: () => { grid.setBrush(Number(brush.value) / 100); weight.textContent = `${brush.value} %`; } });
  const weight = h("span", { class: "num small muted" }, "100 %");
  const preset = (label, text) => h("button", { type: "button", onclick: () => { players[current].text = text; range.value = text; read(); } }, label);
  fill(page, h("h1", {}, "Ranges and equities"), h("div", { class: "poker" },
    h("section", { class: "card side" }, tabs, grid.element, h("div", { class: "row" }, h("span", { class: "small muted" }, "Weight"), brush, weight, preset("Clear", ""), preset("Top 10 %", "top 10%"), preset("Top 25 %", "top 25%"), preset("Pairs", "22+"), preset("All", "random")), range, about,
      h("h2", {}, "Board"), deck, h("div", { class: "row" }, h("button", { type: "button", onclick: () => { board.clear(); for (const card of deck.children) card.setAttribute("aria-pressed", "false"); count(); } }, "No board"))),
    results));
  choose(0);
}
