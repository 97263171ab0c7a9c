// A recorded game, step by step, with search statistics.

import { ask } from "./api.js";
import { colour, makeBoard } from "./boards/index.js";
import { curves } from "./chart.js";
import { chance, fill, h, percent, toast } from "./dom.js";
import { titleOf } from "./home.js";
import { runLink } from "./results.js";
import { heldAt, keysFor } from "./seats.js";
import { searchPanel } from "./think.js";

/** A recorded game of a run. */
export const show = (page, [run, file]) => stepThrough(page, `/api/runs/${encodeURIComponent(run)}/replays/${encodeURIComponent(file)}`, [], h("a", { class: "button", href: runLink(run) }, run));

/** A finished session. */
export const showGame = (page, [id]) => stepThrough(page, `/api/sessions/${id}/steps`, keysFor(heldAt(id)), h("a", { class: "button", href: `#/play/${id}` }, "Back to the table"));

async function stepThrough(page, base, keys, back) {
  const replay = await ask(base, { keys });
  const last = replay.steps.length;
  const box = h("div", { class: "boardbox" });
  const board = await makeBoard(replay.game, box, () => {});
  const panel = searchPanel();
  const text = h("pre", { class: "text" });
  const log = h("div", { class: "log" });
  const curve = h("div");
  const place = h("span", { class: "num muted" });
  const slider = h("input", { type: "range", min: 0, max: last, step: 1, value: 0, style: "flex:1", "aria-label": "Step" });
  let step = 0;
  let seat = 0;
  let playing = 0;
  let asked = 0;

  log.append(...replay.steps.map(({ by, name }, at) => h("div", { class: by === null ? "chance" : "", "data-step": at, style: "cursor:pointer", onclick: () => go(at + 1) }, h("span", { class: "n num" }, at + 1), by === null ? h("span", {}, "·") : h("i", { class: "seatdot", style: `--c:${colour(by)};flex:none` }), h("span", {}, name))));

  async function go(to) {
    step = Math.max(0, Math.min(last, to));
    const mine = ++asked;
    try {
      const frame = await ask(`${base}/${step}?seat=${seat}`, { keys });
      if (mine !== asked) return;
      board.update({ ...frame, game: replay.game, seat, seats: replay.bots, legal: [], over: step === last, config: replay.config, payoffs: replay.payoffs,
        log: replay.steps.slice(0, step).map(({ by, name }, event) => ({ event, by, name })) });
      text.textContent = frame.text;
      if (frame.analysis) panel.update(frame.analysis);
      else panel.clear(replay.curve.length ? "No search was made here." : "No analysis was kept; “analysis”: true in the outputs of an experiment keeps them.");
    } catch (error) { toast(error.message); }
    slider.value = step;
    place.textContent = `step ${step} of ${last}${step === last ? `: ${replay.payoffs.map((payoff, at) => `seat ${at} ${payoff > 0 ? "+" : ""}${Number(payoff.toFixed(3))}`).join(", ")}` : ""}`;
    for (const row of log.children) row.style.fontWeight = Number(row.dataset.step) === step - 1 ? "700" : "";
    const current = log.children[Math.max(step - 1, 0)];
    if (current) log.scrollTop = current.offsetTop - log.offsetTop - 80;
    if (replay.curve.length > 1) fill(curve, curves(replay.bots.map((_, at) => ({ name: `seat ${at}`, colour: colour(at), points: replay.curve.map(({ event, values }) => [event, chance(values[at])]) })), { low: 0, high: 1, mark: step, format: (value) => percent(value, 0) }));
  }
  const stop = () => { clearInterval(playing); playing = 0; toggle.textContent = "Play"; };
  const toggle = h("button", { type: "button", onclick: () => {
    if (playing) { stop(); return; }
    toggle.textContent = "Stop";
    playing = setInterval(() => (step >= last ? stop() : go(step + 1)), 600);
  } }, "Play");
  slider.addEventListener("input", () => go(Number(slider.value)));
  const press = (event) => {
    if (event.target.matches("input, select, textarea")) return;
    const to = { ArrowRight: step + 1, ArrowLeft: step - 1, Home: 0, End: last }[event.key];
    if (to !== undefined) { event.preventDefault(); go(to); }
  };
  addEventListener("keydown", press);
  const query = () => new URLSearchParams({ game: replay.game, config: JSON.stringify(replay.config ?? {}), seed: String(replay.seed), actions: replay.actions.slice(0, step).join(".") });
  fill(page, h("div", { class: "row wide" }, h("h1", {}, titleOf(replay.game)), h("div", { class: "row" }, h("button", { type: "button", onclick: () => { location.hash = `#/new?${query()}`; } }, "Play on from here"), back)),
    h("p", { class: "chips" }, replay.bots.map((bot, at) => h("span", { class: "chip" }, h("i", { class: "seatdot", style: `--c:${colour(at)}` }), ` seat ${at}: ${bot}`))),
    h("div", { class: "play" }, h("div", { class: "stage" }, h("div", { class: "row" }, h("button", { type: "button", onclick: () => go(0), "aria-label": "First" }, "«"), h("button", { type: "button", onclick: () => go(step - 1), "aria-label": "Back" }, "‹"), h("button", { type: "button", id: "next", onclick: () => go(step + 1), "aria-label": "Next" }, "›"), h("button", { type: "button", id: "last", onclick: () => go(last), "aria-label": "Last" }, "»"), toggle, slider),
      h("div", { class: "row" }, place, h("select", { "aria-label": "Whose side is shown", onchange: (event) => { seat = Number(event.target.value); go(step); } }, replay.bots.map((_, at) => h("option", { value: at }, `side of seat ${at}`)))),
      box, h("details", { class: "card" }, h("summary", {}, "The table as text, nothing hidden"), text)),
    h("div", { class: "side" }, h("section", { class: "card" }, h("h2", {}, "Analysis"), panel.element), replay.curve.length > 1 ? h("section", { class: "card" }, h("h2", {}, "Chances"), curve) : null, h("section", { class: "card" }, h("h2", {}, "What happened"), log))));
  await go(0);
  return () => { stop(); removeEventListener("keydown", press); };
}
