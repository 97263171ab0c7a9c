// The router: the URL fragment selects the page.

import { useToken } from "./api.js";
import { fill, h } from "./dom.js";

const PAGES = {
  "": () => import("./home.js"),
  play: () => import("./play.js"),
  new: () => import("./newgame.js"),
  results: () => import("./results.js"),
  run: () => import("./run.js"),
  compare: () => import("./compare.js"),
  replay: () => import("./replay.js"),
  game: async () => ({ show: (await import("./replay.js")).showGame }),
  poker: () => import("./poker.js"),
};
const TAB = { "": "home", play: "home", new: "home", game: "home", poker: "poker" };

let leave = () => {};
let shown = 0;

async function show() {
  const mine = ++shown;
  leave();
  leave = () => {};
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/").map(decodeURIComponent);
  const page = document.getElementById("page");
  for (const link of document.querySelectorAll("nav a")) {
    const current = link.dataset.page === (TAB[name] ?? "results");
    if (current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    const load = PAGES[name];
    if (!load) throw new Error("there is no such page");
    const module = await load();
    if (mine !== shown) return;
    const left = await module.show(page, rest, new URLSearchParams(query ?? ""));
    if (mine !== shown) { left?.(); return; }
    leave = left ?? (() => {});
    const heading = page.querySelector("h1")?.textContent;
    // A game sets its own title: whose move it is.
    if (name !== "play") document.title = heading && name ? `${heading} – Meeple lab` : "Meeple lab";
  } catch (error) {
    if (mine !== shown) return;
    if (error.status === 401) { askForToken(page); return; }
    fill(page, h("div", { class: "card" }, h("h1", {}, "That did not work"),
      h("p", {}, error.message), h("a", { class: "button", href: "#/" }, "Back to the games")));
  }
}

/** Asks for the access token, which is part of the link printed by the server. */
function askForToken(page) {
  const token = h("input", { type: "password", name: "token", autocomplete: "off" });
  const enter = (event) => { event.preventDefault(); useToken(token.value.trim()); show(); };
  fill(page, h("form", { class: "card form", onsubmit: enter }, h("h1", {}, "This server asks for its token"),
    h("p", {}, "Open the link that the server printed when it started, or enter the token here."),
    h("label", {}, "Token", token), h("div", { class: "row" }, h("button", { class: "primary", type: "submit" }, "Enter"))));
  token.focus();
}

const root = document.documentElement;
const kept = localStorage.getItem("theme");
if (kept) root.dataset.theme = kept;
document.getElementById("theme").addEventListener("click", () => {
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
});
// A game file that is dropped anywhere is opened.
addEventListener("dragover", (event) => { if (event.dataTransfer?.types.includes("Files")) event.preventDefault(); });
addEventListener("drop", async (event) => {
  const file = [...(event.dataTransfer?.files ?? [])].find(({ name }) => name.endsWith(".game"));
  if (!file) return;
  event.preventDefault();
  (await import("./newgame.js")).openFile(file);
});
addEventListener("hashchange", show);
show();
