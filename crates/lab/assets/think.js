// What a search thinks, as bars that grow.

import { chance, fill, grouped, h, percent } from "./dom.js";

/** A panel that shows thoughts. */
export function thinkPanel() {
  const bars = h("div", { class: "candidates" });
  const facts = h("div", { class: "facts" });
  const line = h("div", { class: "line" });
  const worlds = h("div", { class: "worlds" });
  const believed = h("details", { hidden: true }, h("summary", { class: "small muted" }, "Tables it takes for possible"), worlds);
  const rows = new Map();
  let about = "";
  const element = h("div", { class: "think" }, bars, line, facts, believed);

  /** @param {any} thought what the server tells of a search */
  function update(thought) {
    const key = `${thought.event}.${thought.seat}.${thought.asked}`;
    if (key !== about) { rows.clear(); fill(bars); about = key; }
    const most = Math.max(1, ...thought.candidates.map(({ visits }) => visits));
    const all = Math.max(1, thought.candidates.reduce((sum, { visits }) => sum + visits, 0));
    const shown = thought.candidates.slice(0, 10);
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
    const more = thought.candidates.length - shown.length;
    fill(facts, h("span", { "data-iterations": thought.iterations }, `${grouped(thought.iterations)} of ${grouped(thought.budget)} simulations`),
      thought.iterations_per_second ? h("span", {}, `${grouped(thought.iterations_per_second)}/s`) : null,
      thought.nodes ? h("span", {}, `${grouped(thought.nodes)} states`) : null,
      thought.depth ? h("span", {}, `depth ${thought.depth}`) : null, more > 0 ? h("span", {}, `${more} more actions`) : null);
    fill(line, thought.line.length ? h("em", { class: "muted" }, "expects ") : null, thought.line.map((step) => [h("span", {}, step), " "]));
    believed.hidden = !thought.worlds?.length;
    fill(worlds, (thought.worlds ?? []).map((world) => h("pre", { class: "text" }, world)));
  }
  return {
    element,
    update,
    clear(text) { rows.clear(); about = ""; fill(bars, h("p", { class: "muted small" }, text)); fill(facts); fill(line); believed.hidden = true; },
  };
}
