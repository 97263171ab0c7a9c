// A training run: losses, speed, Elo of its networks, match results, replay buffer, settings.

import { ask } from "./api.js";
import { curves, heat, intervals } from "./chart.js";
import { fill, grouped, h, percent, short } from "./dom.js";
import { titleOf } from "./home.js";

/** The maximum number of points of a curve. */
const MAX_POINTS = 240;
/** The refresh interval of a running training, in milliseconds. */
const REFRESH_INTERVAL = 5000;

export const trainingOf = (name) => ask(`/api/runs/${encodeURIComponent(name)}/training`);

/** Formats a number with few digits. @param {number} value */
export function brief(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  return Number(value.toPrecision(3)).toString();
}

/** Formats a duration. @param {number} seconds */
function duration(seconds) {
  if (seconds < 120) return `${seconds.toFixed(0)} s`;
  return seconds < 7200 ? `${(seconds / 60).toFixed(0)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** A metric over the iterations; averaged over neighbours if there are too many. */
function seriesOf(history, key) {
  // Without gradient steps there is no loss.
  const lines = history.filter((line) => line.steps > 0 || !/loss|gradient/.test(key));
  const size = Math.ceil(lines.length / MAX_POINTS);
  const points = [];
  for (let at = 0; at < lines.length; at += size) {
    const some = lines.slice(at, at + size);
    points.push([some[some.length - 1].iteration, some.reduce((sum, line) => sum + line[key], 0) / some.length]);
  }
  return points;
}

const strengthOf = (training) => training.ratings.filter(({ network }) => network !== null).sort((one, other) => one.network - other.network)
  .map(({ network, elo, ci_low: low, ci_high: high }) => [network, elo, low, high]);

/** The charts: title, metric and number format. */
const FIGURES = [
  ["Policy loss, nats", "policy_loss", (value) => value.toFixed(2)],
  ["Value loss, squared", "value_loss", (value) => value.toFixed(3)],
  ["Games a second", "games_per_second", brief, 0],
  ["Evaluations a second", "evaluations_per_second", brief, 0],
  ["Decisions a game", "game_length", brief],
  ["Decisions in the window", "window", brief, 0],
  ["Learning rate", "rate", (value) => (value ? value.toExponential(0) : "0"), 0],
];

/**
 * The curves of one or several training runs.
 * @param {{ name: string, colour: string, training: any }[]} trainings
 */
export function trainingCurves(trainings) {
  const tile = (title, list, options) => (list.some(({ points }) => points.length > 1) ? h("figure", { class: "figure" }, h("figcaption", {}, title), curves(list, options)) : null);
  return [
    tile("Elo, with 95 % intervals", trainings.map(({ training, ...rest }) => ({ ...rest, points: strengthOf(training) })), { height: 150, format: (value) => value.toFixed(0) }),
    ...FIGURES.map(([title, key, format, low]) => tile(title, trainings.map(({ training, ...rest }) => ({ ...rest, points: seriesOf(training.history, key) })), { height: 150, format, low })),
  ];
}

/** The score of each evaluated network against each opponent. */
function ladder(training) {
  if (!training.ladder.length) return null;
  const cells = new Map(training.ladder.map((match) => [`${match.network}|${match.opponent}`, match]));
  const networks = [...new Set(training.ladder.map(({ network }) => network))].sort((one, other) => one - other);
  // Each network plays different earlier networks, so these share a column.
  const opponents = [...new Set(training.ladder.map(({ opponent }) => opponent))].filter((opponent) => !opponent.startsWith("network "));
  const earlier = (network) => training.ladder.filter((match) => match.network === network && match.opponent.startsWith("network "));
  const cell = (match, named) => h("div", { class: "match", style: `background:${heat(match.score)}`, title: `${match.wins} won, ${match.games - match.wins - match.losses} drawn, ${match.losses} lost of ${match.games}` },
    named ? h("span", { class: "small" }, `${match.opponent.replace("network ", "№ ")}: `) : null, h("b", {}, percent(match.score, 0)), h("span", { class: "small" }, ` ${(100 * match.ci_low).toFixed(0)} – ${(100 * match.ci_high).toFixed(0)}`));
  const rating = new Map(training.ratings.map((rated) => [rated.network, rated]));
  return h("section", { class: "card", id: "ladder" }, h("h2", {}, "Points against each opponent, with 95 % intervals"),
    h("div", { class: "scroll" }, h("table", { class: "ladder" }, h("thead", {}, h("tr", {}, h("th", {}, "network"), h("th", { class: "right" }, "Elo"), opponents.map((opponent) => h("th", { title: opponent }, short(opponent, 22))), h("th", {}, "earlier networks"))),
      h("tbody", {}, networks.map((network) => h("tr", {}, h("th", { class: "num" }, network), h("td", { class: "right num" }, rating.has(network) ? rating.get(network).elo.toFixed(0) : ""),
        opponents.map((opponent) => h("td", {}, cells.has(`${network}|${opponent}`) ? cell(cells.get(`${network}|${opponent}`)) : h("span", { class: "muted" }, "–"))),
        h("td", {}, earlier(network).map((match) => cell(match, true)))))))));
}

function strengths(training) {
  if (!training.ratings.length) return null;
  const rows = training.ratings.map((rated) => ({ name: rated.name, value: rated.elo, low: rated.ci_low, high: rated.ci_high, colour: rated.network === null ? "var(--soft)" : "var(--bar-strong)" }));
  return h("section", { class: "card", id: "strengths" }, h("h2", {}, "Networks and opponents, rated together in Elo"), intervals(rows));
}

/** Formats a setting: rounded numbers, lists and groups as lines. */
function plain(value) {
  // Rounds away the noise of 32-bit floats.
  if (typeof value === "number") return String(Number(value.toPrecision(6)));
  if (Array.isArray(value)) return value.map(plain).join("\n");
  if (value === null || typeof value !== "object") return { true: "yes", false: "no", null: "none" }[value] ?? String(value);
  return Object.entries(value).map(([name, inner]) => `${name.replaceAll("_", " ")} ${plain(inner)}`).join(", ");
}

/** Settings by group. */
function settings(config) {
  const row = ([name, value]) => h("tr", {}, h("th", {}, name.replaceAll("_", " ")), h("td", { class: "num setting" }, plain(value)));
  const groups = Object.entries(config ?? {}).filter(([, value]) => value !== null && typeof value === "object" && !Array.isArray(value));
  const single = Object.entries(config ?? {}).filter((entry) => !groups.some(([name]) => name === entry[0]));
  return h("section", { class: "card" }, h("h2", {}, "Settings"), h("div", { class: "settings" }, [["run", Object.fromEntries(single)], ...groups].filter(([, inner]) => Object.keys(inner).length)
    .map(([name, inner]) => h("div", {}, h("h3", {}, name.replaceAll("_", " ")), h("table", {}, h("tbody", {}, Object.entries(inner).map(row)))))));
}

function facts(training) {
  const { progress, buffer } = training;
  const kept = buffer.first_iteration === null ? "" : `iterations ${buffer.first_iteration + 1} to ${buffer.last_iteration + 1}`;
  const list = [["iterations", grouped(progress.iterations), training.finished ? "finished" : ""], ["games", grouped(progress.games)], ["decisions learned from", brief(progress.samples)], ["states judged", brief(progress.evaluations)],
    ["time", duration(progress.seconds), `${duration(progress.processor_seconds)} of processor`], ["buffer", grouped(buffer.window), [buffer.largest ? `of ${brief(buffer.largest)}` : "", kept].filter(Boolean).join(", ")]];
  return h("div", { class: "figures" }, list.map(([name, value, more]) => h("div", {}, h("span", { class: "muted small" }, name), h("b", { class: "num" }, value), more ? h("span", { class: "muted small" }, more) : null)));
}

/** The link to play against the trained network. */
function challenge({ network, config }) {
  if (!network || !config?.game) return null;
  const query = new URLSearchParams([["game", config.game], ["seat", "person"], ["seat", `puct:sims=200,model=${network}`]]);
  if (config.table && typeof config.table === "object") query.set("config", JSON.stringify(config.table));
  return h("a", { class: "button", id: "challenge", href: `#/new?${query}` }, "Play against it");
}

/** Shows a training run and refreshes it while it runs; returns a function to stop. */
export async function showTraining(box, run, games) {
  const found = h("div", { class: "side" });
  let shown = null;
  const look = async () => {
    const training = await trainingOf(run.name);
    if (shown?.progress.iterations === training.progress.iterations && shown.ladder.length === training.ladder.length) return training;
    shown = training;
    fill(found, h("section", { class: "card" }, h("div", { class: "row wide" }, h("h2", {}, `Training ${training.config?.game ? titleOf(training.config.game) : ""}`), challenge(training)), facts(training)),
      h("section", { class: "card", id: "curves" }, h("h2", {}, "By iteration"), h("div", { class: "charts" }, trainingCurves([{ name: run.name, colour: "var(--bar-strong)", training }]))),
      strengths(training), ladder(training));
    return training;
  };
  const training = await look();
  fill(box, found, games, settings(training.config));
  if (training.finished) return () => {};
  // A failed refresh is retried: the server may be restarting.
  const timer = setInterval(() => look().catch(() => {}), REFRESH_INTERVAL);
  return () => clearInterval(timer);
}
