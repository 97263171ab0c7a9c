// Plays in the lab with a real browser, by clicking, and keeps screenshots.
// With an argument, only the scenario of that name.
//
// LAB_URL is the link that a running lab printed, SCREENSHOTS a folder, CHROMIUM the browser;
// playwright-core is found through PLAYWRIGHT, the folder it was installed in.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { chromium } = createRequire(join(process.env.PLAYWRIGHT, "package.json"))("playwright-core");
const url = new URL(process.env.LAB_URL).origin;
const folder = process.env.SCREENSHOTS;
mkdirSync(folder, { recursive: true });
const only = process.argv[2];

const profile = mkdtempSync(join(tmpdir(), "lab-profile-"));
const launch = {
  executablePath: process.env.CHROMIUM,
  headless: true,
  viewport: { width: 1360, height: 900 },
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
};
const context = await chromium.launchPersistentContext(profile, launch);
const page = context.pages()[0] ?? (await context.newPage());
const complaints = [];
page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.stack ?? error.message}`));
page.on("console", (message) => { if (message.type() === "error") complaints.push(`${page.url()}: ${message.text()}`); });

/** The games that were played to an end by their rules. */
const ended = new Set();

const picture = async (name) => {
  // Discs that fall and pages that scroll are pictured once they have come to rest.
  await page.evaluate(async () => {
    scrollTo(0, 0);
    const moving = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime));
    await Promise.all(moving.map((one) => one.finished.catch(() => {})));
  });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
};
/** Asks the server with the token and the keys that the page holds. */
const ask = (path, body, on = page) => on.evaluate(async ([path, body]) => {
  const id = /^\/api\/sessions\/(\w+)/.exec(path)?.[1];
  const held = JSON.parse(localStorage.getItem("keys") ?? "{}")[id];
  const keys = [...Object.values(held?.seats ?? {}), held?.owner].filter(Boolean).join(",");
  const headers = { Authorization: `Bearer ${localStorage.getItem("token")}`, ...(keys ? { "Meeple-Key": keys } : {}) };
  const response = await fetch(path, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
  return response.json();
}, [path, body]);
const idOf = (on = page) => new URL(on.url()).hash.split("/")[2].split("?")[0];
const session = () => ask(`/api/sessions/${idOf()}`);

/** Sets a game up through the form, as people do. */
async function begin(game, { seats, seed = 1, config } = {}) {
  const query = new URLSearchParams({ game, seed: String(seed) });
  if (config) query.set("config", JSON.stringify(config));
  await page.goto(`${url}/#/new?${query}`);
  await page.waitForSelector(`#start`);
  await page.waitForFunction((seed) => document.querySelector("input[name=seed]")?.value === seed, String(seed));
  for (const [seat, who] of (seats ?? []).entries()) await page.fill(`input[name=seat${seat}]`, who);
  await page.click("#start");
  await page.waitForSelector(".boardbox > *");
}

/** The game has ended by its rules, and the page says how. */
async function isOver() {
  const { game, over, resigned, payoffs } = await session();
  assert(over && resigned === null, `${game} ends by play`);
  assert.match(await page.textContent("[data-over]"), payoffs.every((payoff) => payoff === payoffs[0]) ? /draw/ : /win|lose/);
  ended.add(game);
}

/** Plays to the end: what `click` finds to click on the board, else a button of the list. */
async function playOn(click, { most = 400, at = {}, when = {} } = {}) {
  let clicks = 0;
  for (let move = 0; move < most; move++) {
    await page.waitForFunction(() => document.querySelector("[data-over]") || document.querySelector(".actions button"), null, { timeout: 60_000 });
    if (await page.$("[data-over]")) {
      await isOver();
      return clicks;
    }
    if (at[move]) await picture(at[move]);
    const now = await session();
    for (const [name, is] of Object.entries(when)) {
      if (!is(now)) continue;
      await picture(name);
      delete when[name];
    }
    const before = now.event;
    if (await click(move)) clicks += 1;
    else {
      const buttons = page.locator(".actions button");
      await buttons.nth(move % (await buttons.count())).click();
    }
    for (let wait = 0; (await session()).event === before; wait++) {
      assert(wait < 6000, `event ${before} is left`);
      await page.waitForTimeout(10);
    }
    await page.waitForTimeout(15);
  }
  throw new Error(`the game is not over after ${most} decisions`);
}

/** Clicks one of the elements that a selector finds. */
const clickOne = (selector) => async (move) => {
  const found = await page.$$(selector);
  if (!found.length) return false;
  const element = found[(7 * move) % found.length];
  await element.evaluate((node) => node.dispatchEvent(new MouseEvent("click", { bubbles: true })));
  return true;
};

/** Picks two runs in the list and compares them. */
async function compare(runs, name) {
  await page.goto(`${url}/#/results`);
  await page.waitForSelector("td input");
  for (const run of runs) await page.check(`input[aria-label="compare ${run.name}"]`);
  await page.click("#compare");
  await page.waitForFunction(() => document.querySelector("h1")?.textContent === "Two runs");
  await page.waitForSelector(".chart");
  await picture(name);
}

const tests = {
  async home() {
    const begun = Date.now();
    await page.goto(process.env.LAB_URL);
    await page.waitForSelector(".tile");
    const tiles = Date.now() - begun;
    const [paint, files, bytes] = await page.evaluate(() => {
      const loaded = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
      return [performance.getEntriesByName("first-contentful-paint")[0].startTime, loaded.length, loaded.reduce((sum, { transferSize }) => sum + transferSize, 0)];
    });
    console.log(`first paint after ${paint.toFixed(0)} ms, all games after ${tiles} ms; ${files} requests, ${bytes} bytes`);
    assert((await page.$$(".tile")).length >= 11);
    await picture("home");
  },

  async "tic-tac-toe"() {
    await begin("tic-tac-toe", { seats: ["person", "random"] });
    const clicks = await playOn(clickOne(".target"), { at: { 1: "tic-tac-toe" } });
    assert(clicks >= 3, "squares are clicked");
    await picture("tic-tac-toe-over");
    await page.click("#undo");
    await page.waitForSelector(".actions button");
  },

  async "connect-four"() {
    await begin("connect-four", { seats: ["person", "mcts:sims=3000"] });
    const clicks = await playOn(clickOne(".column"), { at: { 3: "connect-four" } });
    assert(clicks >= 4);
    await picture("connect-four-over");
    assert((await page.$$(".candidate")).length >= 2, "the bot's thoughts are shown");
  },

  async thinking() {
    // Long enough that it does not end by itself before it is told to.
    await begin("connect-four", { seats: ["person", "mcts:sims=2000000"] });
    await page.click("[data-move=d]");
    const read = () => page.$eval("[data-iterations]", (element) => Number(element.dataset.iterations));
    await page.waitForSelector("[data-iterations]");
    const first = await read();
    await page.waitForFunction((first) => Number(document.querySelector("[data-iterations]")?.dataset.iterations) > first, first);
    await page.click("#pause");
    await page.waitForSelector("#resume");
    await page.waitForTimeout(300);
    const stopped = await read();
    await page.waitForTimeout(300);
    assert.equal(await read(), stopped, "a paused search stands still");
    await page.click("#step");
    await page.waitForFunction((stopped) => Number(document.querySelector("[data-iterations]")?.dataset.iterations) > stopped, stopped);
    await picture("thinking");
    await page.click("#resume");
    await page.waitForSelector("#stop");
    await page.click("#stop");
    await page.waitForSelector(".actions button");
    await page.keyboard.press("h");
    await page.waitForFunction(() => document.querySelectorAll(".candidate").length > 1);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll(".log > div").length >= 3);
    await page.reload();
    await page.waitForSelector(".log > div");
    assert((await page.$$(".log > div")).length >= 3, "a reload keeps the game");
  },

  async breakthrough() {
    await begin("breakthrough", { seats: ["person", "random"] });
    const clicks = await playOn(async (move) => {
      const first = await clickOne(".square.live")(move);
      return first && clickOne(".square:has(.dot), .square:has(.ringdot)")(move);
    }, { at: { 6: "breakthrough" } });
    assert(clicks > 5);
  },

  async chess() {
    await begin("chess", { seats: ["person", "greedy"] });
    await page.click("[data-square=e2]", { force: true });
    await page.click("[data-square=e4]", { force: true });
    await page.waitForFunction(() => document.querySelectorAll(".log > div").length >= 2);
    const from = await (await page.$("[data-square=g1]")).boundingBox();
    const to = await (await page.$("[data-square=f3]")).boundingBox();
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction(() => document.querySelectorAll(".log > div").length >= 4);
    const clicks = await playOn(async (move) => {
      const legal = (await session()).legal[(5 * move) % (await session()).legal.length].name;
      await page.click(`[data-square=${legal.slice(0, 2)}]`, { force: true });
      await page.click(`[data-square=${legal.slice(2, 4)}]`, { force: true });
      if (await page.$(`[data-promotion]`)) await page.click(`[data-promotion=${legal[4] ?? "q"}]`, { force: true });
      return true;
    }, { at: { 8: "chess" } });
    assert(clicks >= 10);
    await picture("chess-over");
  },

  async "chess by two persons"() {
    await begin("chess", { seats: ["person", "person"] });
    // Morphy against the Duke of Brunswick and Count Isouard, Paris 1858.
    const moves = "e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5 c4b5 b8d7 e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8".split(" ");
    for (const [at, move] of moves.entries()) {
      await page.click(`[data-square=${move.slice(0, 2)}]`, { force: true });
      await page.click(`[data-square=${move.slice(2)}]`, { force: true });
      await page.waitForFunction((count) => document.querySelectorAll(".log > div").length === count, at + 1);
    }
    await page.waitForSelector("[data-over]");
    await isOver();
    assert.equal((await session()).payoffs[0], 1, "White has given mate");
    await picture("chess-mate");
  },

  async "chess resigned"() {
    await begin("chess", { seats: ["person", "random"] });
    await page.click("#resign");
    await page.waitForFunction(() => document.querySelector("#resign").textContent === "Really resign?");
    assert.equal((await session()).over, false, "one click does not end a game");
    await page.click("#resign");
    await page.waitForSelector("[data-over]");
    assert.equal((await session()).resigned, 0);
    assert.match(await page.title(), /^You lose – Chess/);
  },

  async "chess promotion"() {
    await begin("chess", { seats: ["person", "random"], config: { fen: "8/P6k/8/8/8/8/8/K7 w - - 0 1" } });
    await page.click("[data-square=a7]", { force: true });
    await page.click("[data-square=a8]", { force: true });
    await picture("chess-promotion");
    await page.click("[data-promotion=n]", { force: true });
    await page.waitForFunction(() => document.querySelector(".log")?.textContent.includes("a7a8n"));
  },

  async backgammon() {
    await begin("backgammon", { seats: ["person", "random"] });
    const clicks = await playOn(async (move) => {
      const event = (await session()).event;
      if (!(await clickOne(".point.live, .board [data-point=bar].live")(move))) return false;
      await page.waitForTimeout(25);
      if ((await session()).event !== event) return true;
      return clickOne(".point.end, .tray.end")(0);
    }, { most: 300, at: { 4: "backgammon", 60: "backgammon-later" } });
    assert(clicks > 20);
    await picture("backgammon-over");
  },

  async pig() {
    await begin("pig", { seats: ["person", "random", "random"], config: { players: 3 } });
    assert((await playOn(clickOne(".plate"), { at: { 12: "pig" } })) > 3);
  },

  async "knockout-whist"() {
    await begin("knockout-whist", { seats: ["person", "mcts-ismcts:sims=60", "random"], config: { players: 3 } });
    assert((await playOn(clickOne(".playing.live, .plate"), { at: { 2: "knockout-whist" } })) >= 3);
  },

  async kuhn() {
    await begin("kuhn", { seats: ["person", "random"] });
    assert((await playOn(clickOne(".plate"), { at: { 0: "kuhn" } })) >= 1);
  },

  async leduc() {
    await begin("leduc", { seats: ["person", "random"] });
    assert((await playOn(clickOne(".plate"), { at: { 0: "leduc" } })) >= 1);
    await picture("leduc-over");
  },

  async holdem() {
    const when = { holdem: () => true, "holdem-flop": ({ text }) => /board:( ?[2-9TJQKA][shdc]){3}/.test(text) };
    for (let seed = 1; seed < 12 && Object.keys(when).length; seed++) {
      await begin("holdem", { seats: ["person", "random", "random", "random"], config: { players: 4 }, seed });
      assert((await playOn(clickOne("[data-move^=check], [data-move^=call]"), { when })) >= 0);
    }
    assert.deepEqual(when, {}, "a hand is seen in its middle");
    await picture("holdem-over");
  },

  async "stone-age"() {
    await begin("stone-age", { seats: ["person", "greedy", "greedy"], config: { players: 3 } });
    const clicks = await playOn(clickOne(".place.live:not(:has(.countchip)), .countchip, .slot-card.live, .stoneage .plate"), { most: 600, at: { 3: "stone-age", 40: "stone-age-later" } });
    assert(clicks > 30);
    await picture("stone-age-over");
  },

  async magic() {
    await begin("magic", { seats: ["person", "greedy"], seed: 3 });
    const clicks = await playOn(async (move) => {
      if (move % 3 === 2) return false;
      return clickOne("button.mcard[data-move]")(move);
    }, { most: 500, at: { 12: "magic-early", 45: "magic", 80: "magic-later" } });
    assert(clicks > 15);
    await picture("magic-over");
  },

  async watching() {
    await begin("connect-four", { seats: ["mcts:sims=200", "mcts:sims=400"] });
    await page.click("#resume");
    await page.waitForFunction(() => document.querySelectorAll(".log > div").length >= 4, null, { timeout: 20_000 });
    await page.waitForSelector(".chart polyline");
    await picture("watching");
  },

  async "hot seat"() {
    const frames = [];
    const listen = (socket) => socket.on("framereceived", ({ payload }) => frames.push(JSON.parse(payload)));
    page.on("websocket", listen);
    const query = new URLSearchParams({ game: "leduc", seed: "1", seat: "person" });
    query.append("seat", "person");
    await page.goto(`${url}/#/new?${query}`);
    await page.click("#start");
    await page.click(".curtain [data-look='0']");
    await page.waitForSelector(".actions button");
    await page.click(".actions button");
    await page.waitForSelector(".curtain");
    // Behind the curtain nothing is known of the other hand, and no key plays it.
    assert(frames.every(({ view }) => !view || (view.seat === 0 && view.held.join() === "0")), "only the seat that looks is sent");
    const event = (await session()).event;
    for (const key of ["1", "Enter", "h", "u"]) await page.keyboard.press(key);
    await page.waitForTimeout(200);
    assert.equal((await session()).event, event, "a covered hand is not played");
    assert.equal((await page.$$(".candidate, .actions button, #analyze")).length, 0, "nor thought about");
    await picture("hot-seat");
    await page.click(".curtain [data-look='1']");
    await page.waitForSelector(".actions button");
    assert(frames.filter(({ view }) => view?.seat === 1).length > 0);
    page.off("websocket", listen);
  },

  async "a seat for somebody else"() {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`${url}/#/new?game=leduc&seed=1&seat=person&seat=person`);
    await page.click("#start");
    await page.click(".curtain [data-look='0']");
    await page.click("[data-invite='1']");
    await page.waitForSelector(".toast");
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /token=\w+#\/play\/\w+\?seat=1&key=\w+$/);
    const own = mkdtempSync(join(tmpdir(), "lab-profile-"));
    const elsewhere = await chromium.launchPersistentContext(own, launch);
    const theirs = await elsewhere.newPage();
    await theirs.goto(link);
    await theirs.waitForSelector(".board");
    await page.click(".actions button");
    await theirs.waitForSelector(".actions button");
    assert.equal((await page.$$(".actions button, .curtain")).length, 0, "it is their turn, on their screen");
    const seen = await ask(`/api/sessions/${idOf(theirs)}`, undefined, theirs);
    assert.deepEqual(seen.held, [1]);
    await theirs.screenshot({ path: join(folder, "invited.png") });
    await elsewhere.close();
    // A second visitor with the same link is too late.
    const late = await chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), "lab-profile-")), launch);
    const third = await late.newPage();
    await third.goto(link);
    await third.waitForFunction(() => document.querySelector("h1")?.textContent === "That did not work");
    assert.match(await third.textContent("main"), /seat 1 is already claimed/);
    await late.close();
    rmSync(own, { recursive: true, force: true });
  },

  async "link of a hidden game"() {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await begin("kuhn", { seats: ["person", "random"] });
    await page.click("#link");
    await page.waitForSelector(".toast");
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /#\/play\/\w+\?seat=0&key=/, "it leads to this table, not to a form");
  },

  async "thoughts at the end"() {
    // The bot passes or bets after searching; what it thought is told at the end.
    await begin("kuhn", { seats: ["mcts-ismcts:sims=200", "person"], seed: 3 });
    await page.waitForSelector(".actions button");
    assert.equal((await page.$$(".candidate")).length, 0, "not while the game goes on");
    await playOn(async () => false);
    await page.waitForFunction(() => document.querySelectorAll(".candidate").length > 0);
    await picture("kuhn-over");
    assert.equal(await page.isDisabled("#undo"), true, "cards that were seen cannot be taken back");
    await page.click("#steps");
    await page.waitForSelector("#next");
    await page.click("#next");
    await page.waitForFunction(() => document.querySelector(".stage")?.textContent.includes("step 1 of"));
    await picture("steps");
  },

  async "a server that is gone"() {
    await begin("chess", { seats: ["person", "random"] });
    await page.waitForSelector(".actions button");
    assert.equal(await page.isVisible(".banner"), false);
    let gone = true;
    await page.routeWebSocket(/\/ws/, (socket) => { if (gone) socket.close(); else socket.connectToServer(); });
    await page.reload();
    await page.waitForSelector(".banner:not([hidden])");
    const event = (await session()).event;
    await page.click(".actions button");
    await page.waitForFunction(() => document.querySelector(".toast")?.textContent.includes("nothing was sent"));
    await picture("connection-lost");
    gone = false;
    await page.reload();
    await page.waitForFunction(() => document.querySelector(".banner")?.hidden === true);
    await page.waitForTimeout(300);
    assert.equal((await session()).event, event, "no move was kept to be sent later");
  },

  async "two clicks on start"() {
    await page.goto(`${url}/#/new?game=pig&seat=person&seat=random`);
    await page.waitForSelector("#start");
    const posts = [];
    const count = (request) => { if (request.method() === "POST" && request.url().endsWith("/api/sessions")) posts.push(request.url()); };
    page.on("request", count);
    await page.evaluate(() => { const start = document.getElementById("start"); start.click(); start.click(); });
    await page.waitForSelector(".boardbox > *");
    page.off("request", count);
    assert.equal(posts.length, 1, "one table is begun");
    await page.waitForFunction(() => /Pig – Meeple lab$/.test(document.title));
  },

  async "focus stays"() {
    await begin("connect-four", { seats: ["person", "random"] });
    await page.focus(".actions button");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll(".log > div").length >= 2);
    assert.equal(await page.evaluate(() => document.activeElement.closest(".actions, .boardbox") !== null), true, "the focus is not lost after a move");
    await page.focus("[data-move=b]");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll(".log > div").length >= 4);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("data-move")), "b", "a column can be pressed again");
  },

  async "keep or mulligan in sight"() {
    await page.setViewportSize({ width: 1280, height: 720 });
    await begin("magic", { seats: ["person", "greedy"], seed: 3 });
    await page.waitForSelector(".actions button");
    const box = await page.locator(".actions button").first().boundingBox();
    assert(box.y + box.height <= 720, `the first choice ends at ${box.y + box.height}`);
    await page.hover(".mrow.hand .mcard:not(.back)");
    await page.waitForSelector(".cardtext");
    assert((await page.textContent(".cardtext")).length > 10, "a card says what it does");
    await page.screenshot({ path: join(folder, "magic-720.png") });
    await page.setViewportSize({ width: 1360, height: 900 });
    await page.evaluate(() => { location.hash = "#/results"; });
    await page.waitForFunction(() => !document.querySelector(".mtable"));
    assert.equal(await page.$(".cardtext"), null, "the text of a card goes with the page");
  },

  async "check and last move"() {
    await begin("chess", { seats: ["person", "person"], config: { fen: "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1" } });
    await page.waitForSelector("[data-square=e8].check");
    assert.equal((await page.$$(".check")).length, 1);
    await page.click("[data-square=e8]", { force: true });
    await page.click("[data-square=d8]", { force: true });
    await page.waitForFunction(() => !document.querySelector(".check"));
    await picture("chess-check");
    await begin("backgammon", { seats: ["person", "random"], seed: 4 });
    await page.waitForSelector(".actions button");
    while (!(await page.$(".came"))) await page.locator(".actions button").first().click();
    assert((await page.$$(".point.last")).length >= 1);
  },

  async "a finished trick"() {
    await begin("knockout-whist", { seats: ["person", "random"], seed: 2 });
    for (let wait = 0; !(await page.$("[data-finished]")); wait++) {
      assert(wait < 20, "a trick is finished");
      await page.locator(".actions button").first().click();
      await page.waitForTimeout(50);
    }
    assert.equal((await page.$$("[data-finished]")).length, 2);
    await picture("whist-trick");
  },

  async results() {
    await page.goto(`${url}/#/results`);
    await page.waitForSelector("td a");
    await picture("results");
    const runs = (await ask("/api/runs")).filter(({ kind }) => kind === "experiment");
    await page.goto(`${url}/#/run/${encodeURIComponent(runs[0].name)}`);
    await page.waitForSelector(".intervals");
    await picture("run");
    await page.click("a[href*='#/replay/']");
    await page.waitForSelector("#next");
    for (let step = 0; step < 6; step++) await page.click("#next");
    await page.waitForTimeout(200);
    await picture("replay");
    await compare(runs.slice(0, 2), "compare");
  },

  async training() {
    const runs = (await ask("/api/runs")).filter(({ kind }) => kind === "training");
    await page.goto(`${url}/#/run/${encodeURIComponent(runs[0].name)}`);
    await page.waitForSelector("#ladder");
    const titles = await page.$$eval("#curves figcaption", (list) => list.map((one) => one.textContent).join(" "));
    for (const title of ["Policy loss", "Value loss", "Games a second", "Evaluations a second", "Elo"]) assert(titles.includes(title), title);
    assert((await page.$$("#curves polyline")).length >= 7, "curves are drawn");
    assert((await page.$$("#strengths circle")).length >= 3, "networks are rated");
    assert((await page.$$(".match")).length >= 4, "the ladder is shown");
    assert.match(await page.textContent(".settings"), /simulations/);
    await picture("training");
    await page.click("a[href*='#/replay/']");
    await page.waitForSelector("#next");
    for (let step = 0; step < 5; step++) await page.click("#next");
    await page.waitForFunction(() => document.querySelector(".stage")?.textContent.includes("step 5 of"));
    await picture("training-game");
    await compare(runs.slice(0, 2), "compare-trainings");
    await page.goto(`${url}/#/run/${encodeURIComponent(runs[0].name)}`);
    await page.click("#challenge");
    await page.waitForSelector("#start");
    assert.match(await page.inputValue("input[name=seat1]"), /model=.*safetensors/);
    await page.click("#start");
    await page.waitForSelector("[data-move=d]");
    await page.click("[data-move=d]");
    await page.waitForFunction(() => document.querySelectorAll(".log > div").length >= 2, null, { timeout: 60_000 });
  },

  async poker() {
    await page.goto(`${url}/#/poker`);
    await page.waitForSelector("[data-equity]");
    const read = () => page.$eval("[data-equity]", (element) => element.dataset.equity);
    const before = await read();
    const cell = (name) => page.$(`[data-class="${name}"]`);
    const from = await (await cell("KQs")).boundingBox();
    const to = await (await cell("KTs")).boundingBox();
    await page.mouse.move(from.x + 8, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(to.x + 8, to.y + 8, { steps: 8 });
    await page.mouse.up();
    await page.waitForFunction((before) => document.querySelector("[data-equity]")?.dataset.equity !== before, before);
    // The equity may be of the cells before the last one.
    await page.waitForFunction(() => /KTs\+|KQs/.test(document.querySelector("[aria-label='Range as text']")?.value));
    for (const name of ["Ah", "7c", "2d"]) await page.click(`[data-card="${name}"]`);
    await page.waitForFunction(() => document.querySelectorAll(".bars").length >= 2);
    await page.waitForTimeout(400);
    await picture("poker");
  },

  async phone() {
    await page.setViewportSize({ width: 390, height: 844 });
    const fits = async (name) => {
      await page.waitForTimeout(200);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert(wide <= 391, `${name} is ${wide} wide on a phone`);
      await picture(`phone-${name}`);
    };
    for (const { name, config } of await ask("/api/games")) {
      const players = { holdem: 4, "knockout-whist": 3 }[name];
      const bots = Array((players ?? config.players ?? 2) - 1).fill("random");
      await begin(name, { seats: ["person", ...bots], seed: 2, config: players ? { ...config, players } : undefined });
      for (let move = 0; move < 3; move++) {
        await page.waitForFunction(() => document.querySelector("[data-over]") || document.querySelector(".actions button"));
        if (await page.$("[data-over]")) break;
        // The last choices of a list are seldom to fold or to pass. A list drawn
        // anew meanwhile is looked at again.
        await page.locator(".actions button").last().click();
        await page.waitForTimeout(100);
      }
      await fits(name);
    }
    const runs = await ask("/api/runs");
    const one = (kind) => encodeURIComponent(runs.find((run) => run.kind === kind).name);
    for (const [name, path, wait] of [["home", "", ".tile"], ["results", "results", "td a"], ["run", `run/${one("experiment")}`, ".intervals"], ["training", `run/${one("training")}`, "#ladder"], ["poker", "poker", "[data-equity]"], ["new", "new?game=stone-age", "#start"], ["new-chess", "new?game=chess", "#start"]]) {
      await page.goto(`${url}/#/${path}`);
      await page.waitForSelector(wait);
      await fits(name);
    }
    await page.setViewportSize({ width: 1360, height: 900 });
  },

  async dark() {
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(url);
    await page.waitForSelector(".tile");
    await picture("dark-home");
    await begin("backgammon", { seats: ["person", "mcts:sims=2000"], seed: 4 });
    await page.waitForTimeout(500);
    await picture("dark-backgammon");
    const training = (await ask("/api/runs")).find(({ kind }) => kind === "training");
    await page.goto(`${url}/#/run/${encodeURIComponent(training.name)}`);
    await page.waitForSelector("#ladder");
    await picture("dark-training");
    await page.emulateMedia({ colorScheme: "light" });
  },

  async "games in files"() {
    const tables = { hex: { size: 4 }, reversi: { size: 4 }, "kuhn-poker": {}, "leduc-poker": {} };
    for (const [game, config] of Object.entries(tables)) {
      await begin(game, { seats: ["person", "random"], config });
      await playOn(async () => false, { at: { 2: `file-${game}` } });
    }
  },

  async "every game was played to its end"() {
    if (only) return;
    // Games in files share one page; "games in files" plays some of them, "phone" opens all.
    const games = (await ask("/api/games")).filter(({ config }) => !("file" in config));
    const played = [...ended].filter((name) => games.some((game) => game.name === name));
    assert.deepEqual(played.sort(), games.map(({ name }) => name).sort());
    assert.equal(ended.size, games.length + 4);
  },
};

// The token stands in the link once; the page keeps it.
await page.goto(process.env.LAB_URL);
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (only && name !== only) continue;
  const begun = Date.now();
  try {
    await test();
    assert.deepEqual(complaints, [], "the page complains");
    console.log(`ok      ${name} (${Date.now() - begun} ms)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}: ${error.stack}`);
    await picture(`failed-${name}`).catch(() => {});
  }
  complaints.length = 0;
}
await context.close();
rmSync(profile, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
