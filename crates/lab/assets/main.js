// The pages by address: what stands after the # says what is shown.

import { fill, h } from "./dom.js";

const PAGES = {
  "": () => import("./home.js"),
  play: () => import("./play.js"),
  new: () => import("./newgame.js"),
  results: () => import("./results.js"),
  run: () => import("./run.js"),
  compare: () => import("./compare.js"),
  replay: () => import("./replay.js"),
  poker: () => import("./poker.js"),
};
const TAB = { "": "home", play: "home", new: "home", poker: "poker" };

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
    if (mine !== shown) left?.();
    else leave = left ?? (() => {});
  } catch (error) {
    if (mine !== shown) return;
    fill(page, h("div", { class: "card" }, h("h1", {}, "That did not work"),
      h("p", {}, error.message), h("a", { class: "button", href: "#/" }, "Back to the games")));
  }
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
addEventListener("hashchange", show);
show();
