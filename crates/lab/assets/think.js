// The panel of search statistics: visits as bars, values, priors, principal variation.

import { chance, fill, grouped, h, percent } from "./dom.js";

/** Creates the panel. */
export function searchPanel() {
  const bars = h("div", { class: "candidates" });
  const facts = h("div", { class: "facts" });
  const line = h("div", { class: "line" });
  const list = h("div", { class: "determinizations" });
  const determinizations = h("details", { hidden: true }, h("summary", { class: "small muted" }, "Determinizations: states the bot considers possible"), list);
  const rows = new Map();
  let about = "";
  const element = h("div", { class: "think" }, bars, line, facts, determinizations);

  /** @param {any} analysis search statistics from the server */
  function update(analysis) {
    const key = `${analysis.event}.${analysis.seat}.${analysis.asked}`;
    if (key !== about) { rows.clear(); fill(bars); about = key; }
    const most = Math.max(1, ...analysis.candidates.map(({ visits }) => visits));
    const all = Math.max(1, analysis.candidates.reduce((sum, { visits }) => sum + visits, 0));
    const shown = analysis.candidates.slice(0, 10);
    for (const [action, row] of rows) if (!shown.some((one) => one.action === action)) { row.element.remove(); rows.delete(action); }
    shown.forEach((candidate, at) => {
      let row = rows.get(candidate.action);
      if (!row) {
        const [bar, mark, count, value] = [h("i"), h("b", { title: "prior" }), h("span", { class: "value" }), h("span", { class: "value" })];
        row = { bar, mark, count, value, element: h("div", { class: "candidate" }, h("span", { class: "name", title: candidate.name }, candidate.name), h("div", { class: "track" }, bar, mark), count, value) };
        rows.set(candidate.action, row);
        bars.append(row.element);
      }
      row.element.style.order = String(at);
      row.element.classList.toggle("best", at === 0);
      row.bar.style.width = `${(100 * candidate.visits) / most}%`;
      row.mark.style.left = `${100 * Math.min(candidate.prior, 0.995)}%`;
      row.mark.hidden = candidate.prior <= 0;
      row.count.textContent = `${percent(candidate.visits / all, 0)}`;
      row.element.title = `${candidate.name}: ${grouped(candidate.visits)} visits, value ${candidate.value.toFixed(3)}, prior ${candidate.prior.toFixed(3)}`;
      row.value.textContent = candidate.visits ? percent(chance(candidate.value), 0) : "–";
    });
    bars.style.display = "grid";
    const more = analysis.candidates.length - shown.length;
    fill(facts, h("span", { "data-iterations": analysis.iterations }, `${grouped(analysis.iterations)} of ${grouped(analysis.budget)} simulations`),
      analysis.iterations_per_second ? h("span", {}, `${grouped(analysis.iterations_per_second)}/s`) : null,
      analysis.nodes ? h("span", {}, `${grouped(analysis.nodes)} states`) : null,
      analysis.depth ? h("span", {}, `depth ${analysis.depth}`) : null, more > 0 ? h("span", {}, `${more} more actions`) : null);
    fill(line, analysis.line.length ? h("em", { class: "muted" }, "expects ") : null, analysis.line.map((step) => [h("span", {}, step), " "]));
    determinizations.hidden = !analysis.determinizations?.length;
    fill(list, (analysis.determinizations ?? []).map((state) => h("pre", { class: "text" }, state)));
  }
  return {
    element,
    update,
    clear(text) { rows.clear(); about = ""; fill(bars, h("p", { class: "muted small" }, text)); fill(facts); fill(line); determinizations.hidden = true; },
  };
}
