// A run: ratings with error bars, cross-table, game lengths, SPRT, recorded games.

import { ask, withToken } from "./api.js";
import { heat, intervals } from "./chart.js";
import { fill, grouped, h, percent, short } from "./dom.js";
import { titleOf } from "./home.js";

/** The ratings of the bots of a table; without ratings, their win rates. */
function strengths(table) {
  if (table.bots.some((bot) => bot.rating)) {
    return [h("h3", {}, "Elo, with 95 % intervals"), intervals(table.bots.map((bot) => ({ name: bot.label, value: bot.rating.elo, low: bot.rating.ci_low, high: bot.rating.ci_high })))];
  }
  return [h("h3", {}, "Share of wins, with 95 % intervals"), intervals(table.bots.map((bot) => ({ name: bot.label, value: bot.win, low: bot.ci_low, high: bot.ci_high })), (value) => percent(value, 0))];
}

/** The cross-table: the score of the row against the column. */
function heatMap(table) {
  const labels = table.bots.map((bot) => bot.label);
  const score = new Map();
  for (const pairing of table.pairings) {
    score.set(`${pairing.first}|${pairing.second}`, pairing.score);
    score.set(`${pairing.second}|${pairing.first}`, 1 - pairing.score);
  }
  if (!score.size) return null;
  return [h("h3", {}, "Points of the row against the column"), h("div", { class: "scroll" }, h("table", { class: "heat" }, h("thead", {}, h("tr", {}, h("th"), labels.map((label) => h("th", { title: label }, short(label, 16))))),
    h("tbody", {}, labels.map((row) => h("tr", {}, h("th", { title: row }, short(row)), labels.map((column) => {
      const value = score.get(`${row}|${column}`);
      return value === undefined ? h("td", { class: "muted" }, "") : h("td", { style: `background:${heat(value)}` }, percent(value, 0));
    }))))))];
}

function lengths(table) {
  if (!table.lengths?.length) return null;
  const most = Math.max(...table.lengths.map((bar) => bar.games));
  return [h("h3", {}, `Decisions a game, ${table.decisions_per_game.toFixed(1)} on average`), h("div", { class: "bars lengths" }, table.lengths.map((bar) => [h("span", { class: "num muted" }, bar.from === bar.to ? bar.from : `${bar.from}–${bar.to}`), h("div", { class: "track" }, h("i", { style: `width:${(100 * bar.games) / most}%` })), h("span", { class: "num" }, grouped(bar.games))]))];
}

function botTable(table) {
  return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["bot", "Elo", "95 %", "wins", "ties", "games"].map((name, at) => h("th", { class: at ? "right" : "" }, name)))),
    h("tbody", {}, table.bots.map((bot) => h("tr", {}, h("td", { title: bot.bot }, bot.label), h("td", { class: "right num" }, bot.rating ? bot.rating.elo.toFixed(0) : ""),
      h("td", { class: "right num muted" }, bot.rating ? `${bot.rating.ci_low.toFixed(0)} – ${bot.rating.ci_high.toFixed(0)}` : `${percent(bot.ci_low)} – ${percent(bot.ci_high)}`),
      h("td", { class: "right num" }, percent(bot.win)), h("td", { class: "right num" }, percent(bot.games ? bot.ties / bot.games : 0)), h("td", { class: "right num" }, grouped(bot.games)))))));
}

function test(summary) {
  const found = summary.test;
  if (!found) return null;
  const part = Math.min(Math.max((found.ratio - found.lower) / (found.upper - found.lower), 0), 1);
  return h("section", { class: "card" }, h("h2", {}, `Test: ${String(found.verdict).replaceAll("_", " ")}`), h("div", { class: "track", style: "height:1.4rem" }, h("i", { style: `width:${100 * part}%` })), h("p", { class: "small muted num" }, `ratio ${found.ratio.toFixed(2)} between ${found.lower.toFixed(2)} and ${found.upper.toFixed(2)}`));
}

/** Files are numbered from 0 with leading zeros; titles count from 1. */
const numberOf = (file) => file.replace(".json", "").replace(/^\d+$/, (number) => `Game ${Number(number) + 1}`);

/** The title of a recorded game: its players and result. */
function nameOf({ file, bots, payoffs }) {
  if (!bots.length) return numberOf(file);
  const best = Math.max(...payoffs);
  const level = payoffs.every((payoff) => payoff === best);
  return `${numberOf(file)}: ${bots.map((bot, seat) => `${short(bot, 30)}${!level && payoffs[seat] === best ? " ✓" : ""}`).join(" – ")}${level && payoffs.length ? " (draw)" : ""}`;
}

/** The recorded games of a run. */
const games = (run) => (run.replays.length ? h("section", { class: "card" }, h("h2", {}, "Games to step through"), h("div", { class: "row" }, run.replays.map((replay) => h("a", { class: "button", href: `#/replay/${encodeURIComponent(run.name)}/${encodeURIComponent(replay.file)}` }, nameOf(replay))))) : null);

function experiment(run) {
  const { summary } = run;
  return [summary ? test(summary) : null,
    (summary?.tables ?? []).map((table) => h("section", { class: "card" }, h("h2", {}, `${titleOf(table.game)}: ${grouped(table.games)} games, ${table.seats} seats`), table.bots.length ? [strengths(table), botTable(table), heatMap(table)] : null, lengths(table))),
    games(run)];
}

export async function show(page, [name]) {
  const run = await ask(`/api/runs/${encodeURIComponent(name)}`);
  const { summary } = run;
  const facts = summary ? [summary.task, `${grouped(summary.games)} games`, summary.finished ? "finished" : "unfinished", run.timing?.seconds && `${run.timing.seconds.toFixed(1)} s`].filter(Boolean).join(" · ") : "";
  const box = h("div", { class: "side" });
  fill(page, h("div", { class: "row wide" }, h("h1", {}, name), h("div", { class: "row" }, run.report ? h("a", { class: "button", target: "_blank", href: withToken(`/api/runs/${encodeURIComponent(name)}/report`) }, "Report") : null, h("a", { class: "button", href: "#/results" }, "All runs"))),
    facts ? h("p", { class: "muted" }, facts, summary.description ? ` – ${summary.description}` : "") : null, box);
  if (run.kind === "training") return (await import("./training.js")).showTraining(box, run, games(run));
  fill(box, experiment(run));
  return () => {};
}
