// A game: the board, what may be done, what happened, and what bots think.

import { ask, follow } from "./api.js";
import { colour, makeBoard } from "./boards/index.js";
import { curves } from "./chart.js";
import { chance, fill, grouped, h, percent, put, toast } from "./dom.js";
import { recent, titleOf } from "./home.js";
import { begin } from "./newgame.js";
import { thinkPanel } from "./think.js";

const BUDGETS = [10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000, 300000, 1000000];

export async function show(page, [id]) {
  let view;
  try {
    view = await ask(`/api/sessions/${id}`);
  } catch (error) {
    recent.remove(id);
    throw error;
  }
  const boardBox = h("div", { class: "boardbox" });
  const status = h("div", { class: "status", role: "status", "aria-live": "polite" });
  const actions = h("div", { class: "actions", role: "group", "aria-label": "Legal actions" });
  const log = h("div", { class: "log" });
  const curve = h("div", {});
  const text = h("pre", { class: "text" });
  const panel = thinkPanel();
  const controls = h("div", { class: "row" });
  const thinkControls = h("div", { class: "row" });
  let chosen = -1;
  let covered = null;
  let thought = null;
  const send = (command) => socket.send(command);
  const play = (action) => send({ type: "play", action, event: view.event });
  const board = await makeBoard(view.game, boardBox, play);
  const button = (label, command, attributes = {}) => h("button", { type: "button", onclick: () => (typeof command === "function" ? command() : send(command)), ...attributes }, label);

  const slider = h("input", { type: "range", min: 0, max: BUDGETS.length, step: 1, "aria-label": "Simulations of each decision" });
  const sliderText = h("span", { class: "num" });
  const tellBudget = () => { sliderText.textContent = slider.value === "0" ? "as the bot says" : grouped(BUDGETS[slider.value - 1]); };
  slider.addEventListener("input", tellBudget);
  slider.addEventListener("change", () => send({ type: "budget", iterations: slider.value === "0" ? null : BUDGETS[slider.value - 1] }));

  const who = (seat) => (view.seats[seat] === "person" ? (persons().length > 1 ? `seat ${seat}` : "you") : `seat ${seat}`);
  const persons = () => view.seats.flatMap((seat, at) => (seat === "person" ? [at] : []));
  const mine = () => view.turn === view.seat && view.legal.length > 0;

  function drawStatus() {
    const dot = (seat) => h("i", { class: "seatdot", style: `--c:${colour(seat)}` });
    if (view.over) {
      const won = view.payoffs.indexOf(Math.max(...view.payoffs));
      const level = view.payoffs.every((payoff) => payoff === view.payoffs[0]);
      const words = level ? "A draw" : persons().length === 1 ? (view.payoffs[view.seat] === view.payoffs[won] ? "You win" : "You lose") : `Seat ${won} wins`;
      const gains = board.gains?.(view) ?? view.payoffs.map((payoff) => `${payoff > 0 ? "+" : ""}${Number(payoff.toFixed(3))}`);
      fill(status, h("div", { class: "result", "data-over": true }, `${words}${view.resigned === null ? "" : ` – seat ${view.resigned} resigned`}: ${gains.map((gain, seat) => `seat ${seat} ${gain}`).join(", ")}`));
    } else if (view.turn !== null) {
      const you = view.seats[view.turn] === "person";
      fill(status, dot(view.turn), h("span", { class: "who" }, you ? (persons().length > 1 ? `Seat ${view.turn} to move` : "Your move") : `Seat ${view.turn} is to move`),
        view.thinking && !view.paused ? h("span", { class: "thinkdot", title: "thinking" }) : null, view.paused ? h("span", { class: "chip" }, "paused") : null);
    }
    put(status, h("span", { class: "chips" }, view.seats.map((seat, at) => h("span", { class: "chip" }, dot(at), ` ${who(at)}${seat === "person" ? "" : `: ${seat}`}`))));
  }

  function drawActions() {
    chosen = Math.min(chosen, view.legal.length - 1);
    fill(actions, view.legal.map(({ action, name }, at) => h("button", { type: "button", "data-action": action, onclick: () => play(action), class: at === chosen ? "chosen" : "" },
      at < 9 ? h("kbd", {}, at + 1) : null, name)));
  }

  function drawLog() {
    // Cards that are dealt to others come one after the other: one line for all of them.
    const lines = [];
    for (const told of view.log) {
      const last = lines.at(-1);
      if (told.name === null && last?.name === null && told.by === last.by) lines[lines.length - 1] = { ...told, times: last.times + 1 };
      else lines.push({ ...told, times: 1 });
    }
    fill(log, lines.map(({ event, by, name, times }) => h("div", { class: by === null ? "luck" : "" }, h("span", { class: "n num" }, event + 1),
      by === null ? h("span", {}, "·") : h("i", { class: "seatdot", style: `--c:${colour(by)};flex:none` }), h("span", {}, name ?? `hidden from you${times > 1 ? ` (${times} times)` : ""}`))));
    log.scrollTop = log.scrollHeight;
  }

  function drawCurve() {
    const points = view.curve;
    if (points.length < 2) { fill(curve, h("p", { class: "muted small" }, view.open || !points.length ? "The curve appears as bots that search play." : "")); return; }
    fill(curve, curves(view.seats.map((_, seat) => ({ name: `seat ${seat}`, colour: colour(seat), points: points.map(({ event, values }) => [event, chance(values[seat])]) })), { low: 0, high: 1, format: (value) => percent(value, 0) }),
      h("p", { class: "small muted" }, "What bots that search think of each seat's chances."));
  }

  function drawControls() {
    const link = () => {
      const query = new URLSearchParams({ game: view.game, config: JSON.stringify(view.config), seed: view.seed });
      if (view.actions) query.set("actions", view.actions.join("."));
      navigator.clipboard?.writeText(`${location.origin}/#/new?${query}`).then(() => toast(view.actions ? "A link to this position is copied" : "A link to this table is copied; positions can be linked once nothing is hidden"), () => toast(`${location.origin}/#/new?${query}`));
    };
    const again = () => begin({ game: view.game, config: view.config, seed: view.seed + 1, seats: view.seats, actions: [] }).catch((error) => toast(error.message));
    fill(controls, button("Undo", { type: "undo" }, { disabled: !view.event, id: "undo" }), button("Resign", { type: "resign" }, { disabled: view.over || !persons().length, id: "resign" }),
      button("New game", again, { id: "again" }), button("Copy link", link), h("a", { class: "button", href: `#/new?game=${view.game}&config=${encodeURIComponent(JSON.stringify(view.config))}` }, "Set up"));
    fill(thinkControls, view.paused ? button("Resume", { type: "resume" }, { id: "resume", class: "primary" }) : button("Pause", { type: "pause" }, { id: "pause" }),
      button("Step", { type: "step" }, { disabled: !view.paused, id: "step" }),
      mine() ? button("Think for me", () => { thought = null; panel.clear("…"); send({ type: "analyze" }); }, { id: "analyze" }) : null,
      view.thinking ? button("Move now", { type: "stop" }, { id: "stop" }) : null,
      persons().length ? null : h("label", { class: "small" }, h("select", { "aria-label": "Whose side is shown", onchange: (event) => send({ type: "watch", seat: Number(event.target.value) }) }, view.seats.map((_, seat) => h("option", { value: seat, selected: seat === view.seat }, `side of seat ${seat}`)))));
    slider.value = view.budget === null ? "0" : String(BUDGETS.findIndex((budget) => budget >= view.budget) + 1);
    tellBudget();
  }

  /** Two persons at one screen must not see each other's cards. */
  function cover() {
    const hides = !view.open && persons().length > 1 && !view.over;
    if (!hides) { covered = view.seat; return false; }
    if (covered === view.seat) return false;
    fill(boardBox, h("div", { style: "min-height:300px;width:100%" }), h("div", { class: "curtain" }, h("p", {}, `Seat ${view.seat} is to look now.`), h("button", { class: "primary", type: "button", onclick: () => { covered = view.seat; draw(); } }, `I am seat ${view.seat}`)));
    fill(actions); fill(text); fill(log);
    return true;
  }

  function draw() {
    drawStatus();
    drawControls();
    drawCurve();
    if (cover()) return;
    board.update(view);
    drawActions();
    drawLog();
    text.textContent = view.text;
    if (!thought) panel.clear(view.open ? "Bots that search show what they think here. “Think for me” lets one think about your move." : "What a bot with hidden cards thinks is shown when the game is over. “Think for me” lets a search think about your move, knowing what you know.");
  }

  function hear(message) {
    if (message.type === "view") {
      if (message.view.event !== view.event && thought && !thought.done) thought = null;
      view = message.view;
      draw();
    } else if (message.type === "thought") {
      thought = message.thought;
      panel.update(thought);
    } else if (message.type === "error") toast(message.error);
  }
  const socket = follow(id, hear);

  function keys(event) {
    if (event.target.matches("input, textarea, select, summary") || event.ctrlKey || event.metaKey || event.altKey) return;
    const count = view.legal.length;
    const { key } = event;
    if (/^[1-9]$/.test(key) && Number(key) <= count) play(view.legal[Number(key) - 1].action);
    else if (["ArrowRight", "ArrowDown"].includes(key) && count) chosen = (chosen + 1) % count;
    else if (["ArrowLeft", "ArrowUp"].includes(key) && count) chosen = (chosen + count - 1) % count;
    else if (key === "Enter" && chosen >= 0 && count && !event.target.matches("button, a")) play(view.legal[chosen].action);
    else if (key === "u") send({ type: "undo" });
    else if (key === "p") send({ type: view.paused ? "resume" : "pause" });
    else if (key === "s" && view.paused) send({ type: "step" });
    else if (key === "h" && mine()) send({ type: "analyze" });
    else return;
    event.preventDefault();
    drawActions();
    actions.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
  }
  addEventListener("keydown", keys);

  fill(page, h("div", { class: "row wide" }, h("h1", {}, titleOf(view.game)), controls),
    h("div", { class: "play" }, h("div", { class: "stage" }, status, boardBox, actions,
      h("p", { class: "small muted keys" }, "Keys: 1–9 or arrows and Enter play, u takes back, h thinks for you, p pauses, s steps."),
      h("details", { class: "card" }, h("summary", {}, "The table as text"), text)),
    h("div", { class: "side" },
      h("section", { class: "card" }, h("h2", {}, "Thinking"), panel.element, h("div", { class: "slider", style: "margin:.7rem 0" }, slider, sliderText, h("span", { class: "muted" }, "Simulations of each decision")), thinkControls),
      h("section", { class: "card" }, h("h2", {}, "Chances"), curve),
      h("section", { class: "card" }, h("h2", {}, "What happened"), log))));
  draw();
  return () => { socket.close(); removeEventListener("keydown", keys); };
}
