"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const element = (id) => document.getElementById(id);
  const rowHeight = 20;
  const widths = data.metrics.map((metric, index) => ({ ...metric, index })).filter((m) => m.width);
  const compares = data.metrics.some((metric) => metric.before);
  const names = data.nodes.map((index) => data.names[index]);
  const state = { metric: 0, side: "after", focus: 0, selected: 0, frames: [], children: [] };

  const valuesOf = (metric) => (state.side === "before" ? metric.before : metric.values);
  const current = () => valuesOf(widths[state.metric]);

  function pathOf(node) {
    const path = [];
    for (let at = node; at >= 0; at = data.parents[at]) path.unshift(names[at]);
    return path;
  }

  function hueOf(name) {
    let hash = 0;
    for (let i = 0; i < name.length && i < 200; i++) hash = (hash * 31 + name.charCodeAt(i)) | 0;
    return 10 + (Math.abs(hash) % 50);
  }

  function colorOf(node) {
    if (!compares) {
      return `hsl(${hueOf(names[node])} var(--frame-saturation) var(--frame-lightness))`;
    }
    const metric = widths[state.metric];
    const before = metric.before[node] || 0;
    const change = (metric.values[node] || 0) - before;
    if (change === 0) return "var(--same)";
    const strength = Math.min(1, 0.15 + Math.abs(change) / Math.max(before, Math.abs(change)));
    return `rgba(${change > 0 ? "var(--more)" : "var(--less)"}, ${strength})`;
  }

  function draw() {
    const chart = element("chart");
    const least = 1 / Math.max(chart.clientWidth, 300);
    const values = current();
    state.children = childrenOf(data.parents, values);
    state.frames = layoutFrames(data.parents, state.children, values, state.focus, least);
    const found = findFrames(data.parents, names, values, element("search").value);
    const rows = state.frames.reduce((most, frame) => Math.max(most, frame.depth + 1), 1);
    chart.style.height = `${rows * rowHeight}px`;
    chart.replaceChildren(...state.frames.map((frame) => drawn(frame, values, found.matches)));
    element("status").textContent =
      found.matches.size || element("search").value
        ? `${found.matches.size} frames match, ${(100 * found.share).toFixed(1)} % of the whole`
        : "";
    select(state.selected, false);
  }

  function drawn(frame, values, matches) {
    const box = document.createElement("div");
    const name = names[frame.node];
    const mark = data.marks[frame.node] ? ` [${data.marks[frame.node]}]` : "";
    const share = values[0] > 0 ? (100 * (values[frame.node] || 0)) / values[0] : 0;
    box.className = "frame";
    if (frame.node !== state.focus && frame.width === 1 && isAbove(frame.node)) {
      box.classList.add("above");
    }
    if (matches.has(frame.node)) box.classList.add("match");
    box.dataset.node = frame.node;
    box.tabIndex = -1;
    box.setAttribute("role", "treeitem");
    box.setAttribute("aria-level", frame.depth + 1);
    box.setAttribute("aria-label", `${name}${mark}, ${share.toFixed(1)} %`);
    box.style.left = `${100 * frame.left}%`;
    box.style.width = `${100 * frame.width}%`;
    box.style.top = `${frame.depth * rowHeight}px`;
    box.style.backgroundColor = colorOf(frame.node);
    box.textContent = name.slice(0, 300) + mark;
    return box;
  }

  function isAbove(node) {
    for (let at = data.parents[state.focus]; at >= 0; at = data.parents[at]) {
      if (at === node) return true;
    }
    return false;
  }

  function boxOf(node) {
    return element("chart").querySelector(`[data-node="${node}"]`);
  }

  function select(node, focus) {
    const previous = boxOf(state.selected);
    if (previous) previous.tabIndex = -1;
    state.selected = boxOf(node) ? node : state.focus;
    const box = boxOf(state.selected);
    box.tabIndex = 0;
    if (focus) box.focus();
    describe(state.selected);
  }

  function cell(kind, text) {
    const made = document.createElement(kind);
    made.textContent = text;
    return made;
  }

  function describe(node) {
    const title = cell("h2", names[node] + (data.marks[node] ? ` [${data.marks[node]}]` : ""));
    const path = cell("div", pathOf(node).join(" > "));
    path.className = "path";
    const table = document.createElement("table");
    if (compares) {
      const head = document.createElement("tr");
      head.append(...["", "before", "after"].map((text) => cell("th", text)));
      table.append(head);
    }
    for (const metric of data.metrics) {
      const row = document.createElement("tr");
      row.append(cell("th", metric.name));
      if (compares) row.append(cell("td", formatNumber(metric.before[node])));
      row.append(cell("td", formatNumber(metric.values[node])));
      table.append(row);
    }
    element("details").replaceChildren(title, path, table);
  }

  function zoom(node) {
    state.focus = node;
    state.selected = node;
    draw();
    select(node, true);
  }

  function chooseMetric(index) {
    state.metric = index;
    element("metric").value = String(index);
    draw();
  }

  function toggleTheme() {
    document.documentElement.classList.toggle("dark");
  }

  const keys = {
    Enter: () => zoom(state.selected),
    Escape: () => zoom(Math.max(data.parents[state.focus], 0)),
    "/": () => element("search").focus(),
    m: () => chooseMetric((state.metric + 1) % widths.length),
    t: toggleTheme,
  };
  for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
    keys[key] = () => select(neighbour(state.frames, data.parents, state.selected, key), true);
  }

  function onKey(event) {
    const typing = event.target.matches("input, select");
    if (typing && event.key === "Escape") {
      element("search").value = "";
      draw();
      select(state.selected, true);
      return;
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    if (event.key === "Enter" && event.target.matches("button")) return;
    event.preventDefault();
    keys[event.key]();
  }

  if (window.matchMedia("(prefers-color-scheme: dark)").matches) toggleTheme();
  widths.forEach((metric, index) => {
    const option = cell("option", metric.name);
    option.value = String(index);
    element("metric").append(option);
  });
  element("notes").append(...data.notes.map((note) => cell("li", note)));
  element("side-label").hidden = !compares;
  element("metric").addEventListener("change", (event) => chooseMetric(Number(event.target.value)));
  element("side").addEventListener("change", (event) => {
    state.side = event.target.value;
    draw();
  });
  element("search").addEventListener("input", draw);
  element("reset").addEventListener("click", () => zoom(0));
  element("theme").addEventListener("click", toggleTheme);
  element("chart").addEventListener("click", (event) => {
    const box = event.target.closest(".frame");
    if (box) zoom(Number(box.dataset.node));
  });
  document.addEventListener("keydown", onKey);
  window.addEventListener("resize", draw);
  draw();
})();
