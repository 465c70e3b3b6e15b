"use strict";

/** Children of each node, the largest first. */
function childrenOf(parents, values) {
  const children = parents.map(() => []);
  parents.forEach((parent, node) => {
    if (parent >= 0) children[parent].push(node);
  });
  for (const list of children) list.sort((a, b) => (values[b] || 0) - (values[a] || 0));
  return children;
}

/**
 * Where to draw frames: `focus` and its ancestors over the full width, below it each child by its
 * share of its parent. Frames narrower than `least` (a share of the width) are left out.
 */
function layoutFrames(parents, children, values, focus, least) {
  const above = [];
  for (let node = focus; node >= 0; node = parents[node]) above.unshift(node);
  const frames = above.map((node, depth) => ({ node, depth, left: 0, width: 1 }));
  const pending = [frames[frames.length - 1]];
  while (pending.length) {
    const frame = pending.pop();
    const whole = values[frame.node] || 0;
    let left = frame.left;
    for (const child of children[frame.node]) {
      const width = whole > 0 ? (frame.width * Math.max(values[child] || 0, 0)) / whole : 0;
      if (width >= least) {
        const placed = { node: child, depth: frame.depth + 1, left, width };
        frames.push(placed);
        pending.push(placed);
      }
      left += width;
    }
  }
  return frames;
}

/** Nodes whose name holds `text`, and the share of the whole that they cover, nested ones once. */
function findFrames(parents, names, values, text) {
  const wanted = text.toLowerCase();
  const matches = new Set();
  const covered = new Array(names.length).fill(false);
  let sum = 0;
  names.forEach((name, node) => {
    const parent = parents[node];
    const match = wanted !== "" && name.toLowerCase().includes(wanted);
    if (match) matches.add(node);
    if (match && !(parent >= 0 && covered[parent])) sum += values[node] || 0;
    covered[node] = match || (parent >= 0 && covered[parent]);
  });
  let whole = 0;
  parents.forEach((parent, node) => {
    if (parent < 0) whole += values[node] || 0;
  });
  return { matches, share: whole > 0 ? sum / whole : 0 };
}

/** The shown frame that an arrow key leads to from `node`; `node` itself if there is none. */
function neighbour(frames, parents, node, key) {
  const here = frames.find((frame) => frame.node === node);
  if (!here) return node;
  const inOrder = (list) => list.sort((a, b) => a.left - b.left);
  if (key === "ArrowUp") return parents[node] >= 0 ? parents[node] : node;
  if (key === "ArrowDown") {
    const below = inOrder(frames.filter((frame) => parents[frame.node] === node));
    return below.length ? below[0].node : node;
  }
  const row = inOrder(frames.filter((frame) => frame.depth === here.depth));
  const place = row.indexOf(here) + (key === "ArrowRight" ? 1 : -1);
  return place >= 0 && place < row.length ? row[place].node : node;
}

/** A number in few digits; "-" if absent. */
function formatNumber(value) {
  if (value === null || value === undefined) return "-";
  if (Number.isInteger(value)) return value.toLocaleString("en");
  const size = Math.abs(value);
  return size >= 0.001 && size < 1e9
    ? value.toLocaleString("en", { maximumFractionDigits: 3 })
    : value.toExponential(3);
}
