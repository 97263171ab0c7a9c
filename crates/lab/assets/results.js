// The list of runs: experiments and trainings, newest first.

import { ask } from "./api.js";
import { fill, grouped, h } from "./dom.js";

export const runLink = (name) => `#/run/${encodeURIComponent(name)}`;

/** Formats the age of a time stamp. @param {number} seconds since 1970 */
export function ago(seconds) {
  const past = Math.max(0, Date.now() / 1000 - seconds);
  for (const [size, unit] of [[86400, "day"], [3600, "hour"], [60, "minute"]]) {
    const count = Math.floor(past / size);
    if (count >= 1) return `${count} ${unit}${count > 1 ? "s" : ""} ago`;
  }
  return "just now";
}

export async function show(page) {
  const runs = await ask("/api/runs");
  if (!runs.length) {
    fill(page, h("div", { class: "card" }, h("h1", {}, "Results"), h("p", {}, "There are no runs yet. Let bots play an experiment, and what it finds appears here:"), h("pre", { class: "text" }, "meeple run experiments/quickstart.json")));
    return;
  }
  const picked = new Set();
  const compare = h("button", { type: "button", class: "primary", disabled: true, id: "compare", onclick: () => { location.hash = `#/compare/${[...picked].map(encodeURIComponent).join("/")}`; } }, "Compare two runs");
  const pick = (name, box) => {
    if (box.checked) picked.add(name); else picked.delete(name);
    compare.disabled = picked.size !== 2;
  };
  fill(page, h("div", { class: "row wide" }, h("h1", {}, "Results"), compare),
    h("div", { class: "card scroll" }, h("table", { class: "runs" }, h("thead", {}, h("tr", {}, ["", "run", "what", "games", "state", "changed"].map((name) => h("th", {}, name)))),
      h("tbody", {}, runs.map((run) => h("tr", {},
        h("td", {}, h("input", { type: "checkbox", "aria-label": `compare ${run.name}`, onchange: (event) => pick(run.name, event.target) })),
        h("td", {}, h("a", { href: runLink(run.name) }, run.name), run.description ? h("div", { class: "small muted" }, run.description) : null),
        h("td", {}, run.task ?? run.kind), h("td", { class: "num" }, run.games === null ? "" : grouped(run.games)),
        h("td", {}, run.finished === null ? "" : run.finished ? "finished" : "unfinished"), h("td", { class: "muted" }, ago(run.modified))))))));
}
