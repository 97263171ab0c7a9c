// Comparison of two runs: the bots and games that both have.

import { ask } from "./api.js";
import { intervals } from "./chart.js";
import { fill, h, percent } from "./dom.js";
import { titleOf } from "./home.js";
import { runLink } from "./results.js";
import { trainingCurves, trainingOf } from "./training.js";

const PAINT = ["var(--seat0)", "var(--seat1)"];

/** The result of a bot: its rating, or its win rate. */
function figure(bot, rated) {
  return rated
    ? { value: bot.rating.elo, low: bot.rating.ci_low, high: bot.rating.ci_high }
    : { value: bot.win, low: bot.ci_low, high: bot.ci_high };
}

function pairOf(table, other) {
  const both = table.bots.filter((bot) => other.bots.some(({ label }) => label === bot.label));
  const rated = both.every((bot) => bot.rating && other.bots.find(({ label }) => label === bot.label).rating);
  const format = rated ? (value) => value.toFixed(0) : (value) => percent(value, 1);
  const rows = both.map((bot) => {
    const twin = other.bots.find(({ label }) => label === bot.label);
    const [one, two] = [figure(bot, rated), figure(twin, rated)];
    const error = Math.hypot((one.high - one.low) / 2, (two.high - two.low) / 2);
    return { label: bot.label, one, two, difference: two.value - one.value, error };
  });
  if (!rows.length) return h("p", { class: "muted" }, "No bot is in both.");
  return [intervals(rows.flatMap(({ label, one, two }) => [{ name: label, colour: PAINT[0], ...one }, { name: "", colour: PAINT[1], ...two }]), format),
    h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["bot", "first", "second", "difference", ""].map((name, at) => h("th", { class: at && at < 4 ? "right" : "" }, name)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, h("td", {}, row.label), h("td", { class: "right num" }, format(row.one.value)), h("td", { class: "right num" }, format(row.two.value)),
        h("td", { class: "right num" }, `${row.difference > 0 ? "+" : ""}${format(row.difference)} ± ${format(row.error)}`),
        h("td", { class: "muted small" }, Math.abs(row.difference) > row.error ? "differs" : "no difference to be seen"))))))];
}

/** Two training runs with their curves overlaid. */
async function trainings(names) {
  const found = await Promise.all(names.map(trainingOf));
  return h("section", { class: "card" }, h("h2", {}, "By iteration"), h("div", { class: "charts" }, trainingCurves(found.map((training, at) => ({ name: names[at], colour: PAINT[at], training })))));
}

export async function show(page, names) {
  const runs = await Promise.all(names.map((name) => ask(`/api/runs/${encodeURIComponent(name)}`)));
  const learned = runs.every((run) => run.kind === "training");
  const [first, second] = runs.map((run) => run.summary?.tables ?? []);
  const shared = first.flatMap((table) => second.filter((other) => other.game === table.game && other.seats === table.seats).slice(0, 1).map((other) => [table, other]));
  fill(page, h("h1", {}, "Two runs"), h("p", { class: "row" }, names.map((name, at) => h("span", {}, h("i", { class: "seatdot", style: `--c:${PAINT[at]}` }), " ", h("a", { href: runLink(name) }, name)))),
    h("div", { class: "side" }, learned ? await trainings(names) : shared.length ? shared.map(([table, other]) => h("section", { class: "card" }, h("h2", {}, `${titleOf(table.game)}: ${table.games} and ${other.games} games`), pairOf(table, other))) : h("p", { class: "card" }, "They have no game in common.")));
}
