// SVG charts: curves, intervals, heat maps.

import { h, short } from "./dom.js";

/** About `count` round numbers between two bounds. */
function ticks(low, high, count) {
  const rough = Math.max(high - low, 1e-9) / count;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((times) => times * size).find((wide) => wide >= rough * 0.99);
  const found = [];
  for (let at = Math.ceil(low / step - 1e-6); at * step <= high + step * 1e-6; at++) found.push(at * step);
  return found;
}

/**
 * Curves with a common axis; a point may have two more numbers, its error bounds.
 * @param {{ name: string, colour: string, points: number[][] }[]} curves
 * @param {{ low?: number, high?: number, height?: number, mark?: number, format?: (value: number) => string }} [options]
 */
export function curves(curves, options = {}) {
  const { height = 150, format = (value) => value.toFixed(2) } = options;
  const points = curves.flatMap((curve) => curve.points).filter(([, y]) => Number.isFinite(y));
  const width = 360;
  const svg = h("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img" });
  if (!points.length) return svg;
  const [x0, x1] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))];
  const heights = points.flatMap(([, ...heights]) => heights);
  let [low, high] = [options.low ?? Math.min(...heights), options.high ?? Math.max(...heights)];
  if (low === high) { low -= 1; high += 1; }
  const across = (x) => 40 + ((width - 50) * (x - x0)) / Math.max(x1 - x0, 1e-9);
  const up = (y) => height - 18 - ((height - 30) * (y - low)) / (high - low);
  for (const y of ticks(low, high, 3)) {
    svg.append(h("line", { x1: 40, x2: width - 10, y1: up(y), y2: up(y), class: "axis" }), h("text", { x: 36, y: up(y) + 3, "text-anchor": "end" }, format(y)));
  }
  svg.append(h("text", { x: 40, y: height - 4 }, x0), h("text", { x: width - 10, y: height - 4, "text-anchor": "end" }, x1));
  if (options.mark !== undefined && options.mark >= x0 && options.mark <= x1) svg.append(h("line", { x1: across(options.mark), x2: across(options.mark), y1: 8, y2: height - 16, style: "stroke:var(--accent);stroke-dasharray:3 3" }));
  curves.forEach((curve, number) => {
    // Error bars of several curves are drawn side by side.
    const aside = 6 * (number - (curves.length - 1) / 2);
    for (const [x, y, from, to] of curve.points) if (to !== undefined) svg.append(h("line", { x1: across(x) + aside, x2: across(x) + aside, y1: up(from), y2: up(to), style: `stroke:${curve.colour};stroke-width:5;opacity:.3;stroke-linecap:round` }, h("title", {}, `${x}: ${format(y)} (${format(from)} to ${format(to)})`)));
    const shown = curve.points.filter(([, y]) => Number.isFinite(y)).map(([x, y]) => `${across(x).toFixed(1)},${up(y).toFixed(1)}`);
    svg.append(h("polyline", { points: shown.join(" "), style: `fill:none;stroke:${curve.colour};stroke-width:2;stroke-linejoin:round` }));
    if (shown.length < 30) for (const at of shown) svg.append(h("circle", { cx: at.split(",")[0], cy: at.split(",")[1], r: 2.4, style: `fill:${curve.colour}` }, h("title", {}, curve.name)));
  });
  return svg;
}

/**
 * Values with intervals, one row each.
 * @param {{ name: string, value: number, low: number, high: number, colour?: string }[]} rows
 */
export function intervals(rows, format = (value) => value.toFixed(0)) {
  const [low, high] = [Math.min(...rows.map((row) => row.low)), Math.max(...rows.map((row) => row.high))];
  const step = 26;
  const height = rows.length * step + 26;
  // On a narrow screen the text would be too small.
  const [width, names, letters] = innerWidth < 600 ? [360, 124, 16] : [640, 196, 25];
  const across = (value) => names + ((width - names - 30) * (value - low)) / Math.max(high - low, 1e-9);
  const svg = h("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart intervals", role: "img" });
  for (const value of ticks(low, high, width / 120)) {
    svg.append(h("line", { x1: across(value), x2: across(value), y1: 4, y2: height - 20, class: "axis" }), h("text", { x: across(value), y: height - 6, "text-anchor": "middle" }, format(value)));
  }
  rows.forEach((row, at) => {
    const y = 16 + at * step;
    const paint = row.colour ?? "var(--bar-strong)";
    svg.append(h("text", { x: names - 8, y: y + 4, "text-anchor": "end", style: "font-size:12px;fill:var(--ink)" }, short(row.name, letters), h("title", {}, row.name)),
      h("line", { x1: across(row.low), x2: across(row.high), y1: y, y2: y, style: `stroke:${paint};stroke-width:3;stroke-linecap:round` }),
      h("circle", { cx: across(row.value), cy: y, r: 5.500, style: `fill:${paint}` }, h("title", {}, `${format(row.value)} (${format(row.low)} to ${format(row.high)})`)));
  });
  return svg;
}

/** The heat map colour of a fraction from 0 to 1. */
export function heat(share) {
  const paint = share >= 0.5 ? "var(--good)" : "var(--bad)";
  return `color-mix(in srgb, ${paint} ${Math.round(Math.abs(share - 0.5) * 130)}%, var(--card))`;
}
