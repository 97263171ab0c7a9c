// A session: board, legal actions, log, and search statistics.

import { ask, follow, pageLink } from "./api.js";
import { colour, makeBoard } from "./boards/index.js";
import { curves } from "./chart.js";
import { chance, fill, grouped, h, keepFocus, percent, put, toast } from "./dom.js";
import { recent, titleOf } from "./home.js";
import { begin } from "./newgame.js";
import { giveAway, heldAt, keysFor, seatLink, takeSeat } from "./seats.js";
import { searchPanel } from "./think.js";

const BUDGETS = [10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000, 300000, 1000000];
/** The number of actions that are always shown. */
const FEW = 8;
/** Time for the confirming second click on Resign, in milliseconds. */
const SURE = 5000;

export async function show(page, [id], query) {
  if (query.get("key")) {
    await takeSeat(id, query.get("seat"), query.get("key"));
    history.replaceState(null, "", `#/play/${id}`);
  }
  /** Several people at one screen take turns, to hide their cards from each other. */
  const sharesScreen = () => { const held = heldAt(id); return held.hidden && Object.keys(held.seats).length > 1; };
  const leave = [];
  if (sharesScreen()) curtain(page, Object.keys(heldAt(id).seats), (seat) => table(page, id, seat, leave).catch((error) => toast(error.message)));
  else await table(page, id, null, leave);
  return () => leave.forEach((end) => end());
}

/** Covers the board until one of the seats confirms. */
function curtain(box, seats, look) {
  const label = seats.length > 1 ? "Who is to look now?" : `Seat ${seats[0]} is to look now.`;
  fill(box, h("div", { class: "covered" }, h("div", { class: "curtain" }, h("p", {}, label),
    h("div", { class: "row" }, seats.map((seat) => h("button", { class: "primary", type: "button", "data-look": seat, onclick: () => look(Number(seat)) }, `I am seat ${seat}`))))));
}

/** The game as seen from all held seats, or from one of them. */
async function table(page, id, looking, leave) {
  let held = heldAt(id);
  let view;
  try {
    view = await ask(`/api/sessions/${id}`, { keys: keysFor(held, looking) });
  } catch (error) {
    if (error.status === 404) recent.remove(id);
    throw error;
  }
  const boardBox = h("div", { class: "boardbox", tabindex: -1 });
  const status = h("div", { class: "status", role: "status", "aria-live": "polite" });
  const banner = h("div", { class: "banner", role: "alert", hidden: true }, "The connection to the server is lost. Nothing you do now is sent; the page connects again by itself.");
  const actions = h("div", { class: "actions", role: "group", "aria-label": "Legal actions", tabindex: -1 });
  const log = h("div", { class: "log" });
  const curve = h("div", {});
  const text = h("pre", { class: "text" });
  const panel = searchPanel();
  const controls = h("div", { class: "row", tabindex: -1 });
  const thinkControls = h("div", { class: "row", tabindex: -1 });
  let chosen = -1;
  let covered = false;
  let analysis = null;
  let resigning = 0;
  let told = null;
  const send = (command) => { if (!socket.send(command)) toast("There is no connection to the server: nothing was sent"); };
  const play = (action) => { if (!covered) send({ type: "play", action, event: view.event }); };
  const board = await makeBoard(view.game, boardBox, play);
  const button = (label, command, attributes = {}) => h("button", { type: "button", onclick: () => (typeof command === "function" ? command() : send(command)), ...attributes }, label);

  const slider = h("input", { type: "range", min: 0, max: BUDGETS.length, step: 1, "aria-label": "Simulations of each decision" });
  const sliderText = h("span", { class: "num" });
  const tellBudget = () => { sliderText.textContent = slider.value === "0" ? "as the bot says" : grouped(BUDGETS[slider.value - 1]); };
  slider.addEventListener("input", tellBudget);
  slider.addEventListener("change", () => send({ type: "budget", iterations: slider.value === "0" ? null : BUDGETS[slider.value - 1] }));

  const persons = () => view.seats.flatMap((seat, at) => (seat === "person" ? [at] : []));
  /** The seat of this browser; null if it holds several or none. */
  const me = () => (looking === null && view.held.length === 1 ? view.held[0] : null);
  const who = (seat) => (seat === me() ? "you" : `seat ${seat}`);
  const mine = () => !covered && view.legal.length > 0;
  const isMember = () => Boolean(held.owner) || view.held.length > 0;

  function drawStatus() {
    const dot = (seat) => h("i", { class: "seatdot", style: `--c:${colour(seat)}` });
    if (view.over) {
      const won = view.payoffs.indexOf(Math.max(...view.payoffs));
      const level = view.payoffs.every((payoff) => payoff === view.payoffs[0]);
      const words = level ? "A draw" : me() === null ? `Seat ${won} wins` : view.payoffs[me()] === view.payoffs[won] ? "You win" : "You lose";
      const gains = board.gains?.(view) ?? view.payoffs.map((payoff) => `${payoff > 0 ? "+" : ""}${Number(payoff.toFixed(3))}`);
      const ending = board.ending?.(view);
      fill(status, h("div", { class: "result", "data-over": true }, `${words}${view.resigned === null ? "" : ` – seat ${view.resigned} resigned`}${ending ? ` – ${ending}` : ""}: ${gains.map((gain, seat) => `seat ${seat} ${gain}`).join(", ")}`));
      document.title = `${words} – ${titleOf(view.game)} – Meeple lab`;
    } else if (view.turn !== null) {
      const words = view.turn === me() ? "Your move" : view.seats[view.turn] === "person" ? `Seat ${view.turn} to move` : `Seat ${view.turn} is to move`;
      fill(status, dot(view.turn), h("span", { class: "who" }, words),
        view.thinking && !view.paused ? h("span", { class: "thinkdot", title: "thinking" }) : null, view.paused ? h("span", { class: "chip" }, "paused") : null);
      document.title = `${words} – ${titleOf(view.game)} – Meeple lab`;
    }
    put(status, h("span", { class: "chips" }, view.seats.map((seat, at) => h("span", { class: "chip" }, dot(at), ` ${who(at)}${seat === "person" ? "" : `: ${seat}`}`)),
      view.held.length || !persons().length ? null : h("span", { class: "chip" }, "you look on"),
      view.seed_chosen && persons().length > 1 ? h("span", { class: "chip", title: "The person who started the game may know what is dealt" }, "chosen seed") : null));
  }

  function drawActions() {
    const legal = covered ? [] : view.legal;
    chosen = Math.min(chosen, legal.length - 1);
    actions.classList.toggle("few", legal.length <= FEW);
    keepFocus(actions, () => fill(actions, legal.map(({ action, name }, at) => h("button", { type: "button", "data-action": action, onclick: () => play(action), class: at === chosen ? "chosen" : "" },
      at < 9 ? h("kbd", {}, at + 1) : null, name))));
  }

  function drawLog() {
    // Consecutive hidden deals share one line.
    const lines = [];
    for (const told of view.log) {
      const last = lines.at(-1);
      if (told.name === null && last?.name === null && told.by === last.by) lines[lines.length - 1] = { ...told, times: last.times + 1 };
      else lines.push({ ...told, times: 1 });
    }
    fill(log, lines.map(({ event, by, name, times }) => h("div", { class: by === null ? "chance" : "" }, h("span", { class: "n num" }, event + 1),
      by === null ? h("span", {}, "·") : h("i", { class: "seatdot", style: `--c:${colour(by)};flex:none` }), h("span", {}, name ?? `hidden from you${times > 1 ? ` (${times} times)` : ""}`))));
    log.scrollTop = log.scrollHeight;
  }

  function drawCurve() {
    const points = view.curve;
    if (points.length < 2) { fill(curve, h("p", { class: "muted small" }, view.open || !points.length ? "The curve appears as bots that search play." : "")); return; }
    fill(curve, curves(view.seats.map((_, seat) => ({ name: `seat ${seat}`, colour: colour(seat), points: points.map(({ event, values }) => [event, chance(values[seat])]) })), { low: 0, high: 1, format: (value) => percent(value, 0) }),
      h("p", { class: "small muted" }, "What bots that search think of each seat's chances."));
  }

  /** Copies a link, or shows it if copying fails. */
  const copy = (link, words) => {
    const copied = navigator.clipboard?.writeText(link) ?? Promise.reject(new Error("there is no clipboard"));
    copied.then(() => toast(words), () => toast(link));
  };
  /** A link to this position, or to the own seat of a game with hidden information. */
  function copyLink() {
    if (view.actions) {
      const query = new URLSearchParams({ game: view.game, config: JSON.stringify(view.config), actions: view.actions.join(".") });
      if (view.seed !== null) query.set("seed", view.seed);
      copy(pageLink(`#/new?${query}`), "A link to this position is copied");
      return;
    }
    const seat = looking ?? me();
    if (seat === null) copy(pageLink(`#/play/${id}`), "A link to this table is copied");
    else copy(seatLink(id, seat, held.seats[seat]), `A link to seat ${seat} is copied: the person who opens it elsewhere plays on in your place`);
  }
  function resign() {
    clearTimeout(resigning);
    if (resigning) { resigning = 0; send({ type: "resign" }); return; }
    resigning = setTimeout(() => { resigning = 0; drawControls(); }, SURE);
    drawControls();
  }
  const again = (event) => {
    event.currentTarget.disabled = true;
    begin({ game: view.game, config: view.config, seats: view.seats }).catch((error) => { toast(error.message); drawControls(); });
  };
  /** Creates an invitation link for a seat. */
  const invite = (seat) => {
    copy(giveAway(id, seat), `A link to seat ${seat} is copied: the first person to open it plays there`);
    held = heldAt(id);
    if (Object.keys(held.seats).length < 2) looking = null;
    connect();
    drawControls();
  };

  function drawControls() {
    const elsewhere = persons().filter((seat) => (seat in held.seats && Object.keys(held.seats).length > 1 && seat !== (looking ?? view.held[0])) || seat in held.invited);
    keepFocus(controls, () => fill(controls,
      button("Undo", { type: "undo" }, { disabled: !view.can_undo || !isMember(), id: "undo" }),
      h("button", { type: "button", id: "resign", class: resigning ? "danger" : "", disabled: view.over || !view.held.length || covered, onclick: resign }, resigning ? "Really resign?" : "Resign"),
      h("button", { type: "button", id: "again", onclick: again }, "New game"), button("Copy link", copyLink, { id: "link" }),
      elsewhere.map((seat) => button(`Invite to seat ${seat}`, () => invite(seat), { "data-invite": seat })),
      view.over || !persons().length ? h("a", { class: "button", id: "steps", href: `#/game/${id}` }, "Step through") : null,
      h("a", { class: "button", href: `#/new?game=${view.game}&config=${encodeURIComponent(JSON.stringify(view.config))}` }, "Set up")));
    keepFocus(thinkControls, () => fill(thinkControls, view.over || !isMember() ? null : [
      view.paused ? button("Resume", { type: "resume" }, { id: "resume", class: "primary" }) : button("Pause", { type: "pause" }, { id: "pause" }),
      button("Step", { type: "step" }, { disabled: !view.paused, id: "step" }),
      mine() ? button("Think for me", () => { analysis = null; panel.clear("…"); send({ type: "analyze" }); }, { id: "analyze" }) : null,
      view.thinking ? button("Move now", { type: "stop" }, { id: "stop" }) : null],
    persons().length || !isMember() ? null : h("label", { class: "small" }, h("select", { "aria-label": "Whose side is shown", onchange: (event) => send({ type: "watch", seat: Number(event.target.value) }) }, view.seats.map((_, seat) => h("option", { value: seat, selected: seat === view.seat }, `side of seat ${seat}`))))));
    slider.value = view.budget === null ? "0" : String(BUDGETS.findIndex((budget) => budget >= view.budget) + 1);
    slider.disabled = !isMember();
    tellBudget();
  }

  /** Covers the board when another person at this screen is to move. */
  function cover() {
    covered = looking !== null && !view.over && view.turn !== looking && view.turn in held.seats;
    if (!covered) return;
    const next = view.turn;
    curtain(boardBox, [next], () => { looking = next; connect(); });
    fill(text); fill(log);
    panel.clear("");
  }

  function draw() {
    cover();
    drawStatus();
    drawControls();
    drawCurve();
    drawActions();
    if (covered) return;
    keepFocus(boardBox, () => board.update(view));
    drawLog();
    text.textContent = view.text;
    if (!analysis) panel.clear(view.open ? "Bots that search show what they think here. “Think for me” lets one think about your move." : "What a bot with hidden cards thinks is shown when the game is over. “Think for me” lets a search think about your move, knowing what you know.");
    if (view.over) tellLast();
  }

  /** At the end, shows the statistics of the last search, which were hidden before. */
  async function tellLast() {
    const last = view.curve.at(-1)?.event;
    if (last === undefined || last === told || (analysis && analysis.event >= last)) return;
    told = last;
    try {
      const found = await ask(`/api/sessions/${id}/analysis/${last}`, { keys: keysFor(held, looking) });
      analysis = found;
      panel.update(found);
    } catch (error) { toast(error.message); }
  }

  function hear(message) {
    if (message.type === "view") {
      if (message.view.event !== view.event && analysis && (!analysis.done || looking !== null)) analysis = null;
      if (message.view.event !== view.event) { clearTimeout(resigning); resigning = 0; }
      view = message.view;
      draw();
    } else if (message.type === "analysis") {
      if (covered) return;
      analysis = message.analysis;
      panel.update(analysis);
    } else if (message.type === "error") toast(message.error);
  }

  let socket = { send: () => false, close() {} };
  /** Subscribes to the session with the keys of the visible seats. */
  function connect() {
    socket.close();
    analysis = null;
    socket = follow(id, keysFor(held, looking), { hear, connected: (is) => { banner.hidden = is; if (!is) findOut(); } });
  }

  /** Checks that the session is still visible: the seat may have been claimed elsewhere. */
  async function findOut() {
    try {
      await ask(`/api/sessions/${id}`, { keys: keysFor(held, looking) });
    } catch (error) {
      // No response means no connection, which is restored automatically.
      if (error.status !== 403 && error.status !== 404) return;
      socket.close();
      banner.textContent = `This table can be seen no longer: ${error.message}`;
    }
  }

  function keys(event) {
    if (event.target.matches("input, textarea, select, summary") || event.ctrlKey || event.metaKey || event.altKey || covered) return;
    const count = view.legal.length;
    const { key } = event;
    if (/^[1-9]$/.test(key) && Number(key) <= count) play(view.legal[Number(key) - 1].action);
    else if (["ArrowRight", "ArrowDown"].includes(key) && count) chosen = (chosen + 1) % count;
    else if (["ArrowLeft", "ArrowUp"].includes(key) && count) chosen = (chosen + count - 1) % count;
    else if (key === "Enter" && chosen >= 0 && count && !event.target.matches("button, a, [role=button]")) play(view.legal[chosen].action);
    else if (key === "u" && view.can_undo) send({ type: "undo" });
    else if (key === "p" && !view.over) send({ type: view.paused ? "resume" : "pause" });
    else if (key === "s" && view.paused) send({ type: "step" });
    else if (key === "h" && mine()) send({ type: "analyze" });
    else return;
    event.preventDefault();
    drawActions();
    actions.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
  }

  fill(page, h("div", { class: "row wide" }, h("h1", {}, titleOf(view.game)), controls), banner,
    h("div", { class: "play" }, h("div", { class: "stage" }, status, boardBox, actions,
      h("p", { class: "small muted keys" }, "Keys: 1–9 or arrows and Enter play, u takes back, h thinks for you, p pauses, s steps."),
      h("details", { class: "card" }, h("summary", {}, "The table as text"), text)),
    h("div", { class: "side" },
      h("section", { class: "card" }, h("h2", {}, "Thinking"), panel.element, h("div", { class: "slider", style: "margin:.7rem 0" }, slider, sliderText, h("span", { class: "muted" }, "Simulations of each decision")), thinkControls),
      h("section", { class: "card" }, h("h2", {}, "Chances"), curve),
      h("section", { class: "card" }, h("h2", {}, "What happened"), log))));
  draw();
  connect();
  addEventListener("keydown", keys);
  leave.push(() => { socket.close(); clearTimeout(resigning); removeEventListener("keydown", keys); });
}
