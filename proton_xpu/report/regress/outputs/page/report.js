"use strict";

(() => {
  const rows = JSON.parse(document.getElementById("data").textContent);
  const body = document.querySelector("#rows tbody");
  const lines = [...body.querySelectorAll("tr")];
  const search = document.getElementById("search");
  const verdict = document.getElementById("verdict");
  const shown = document.getElementById("shown");

  const svgElement = (name, attributes, text) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };

  const quantity = (value, metric) => {
    if (metric !== "time") return String(Number(value.toPrecision(4)));
    for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["us", 1e3]]) {
      if (value >= size) return `${Number((value / size).toPrecision(4))} ${unit}`;
    }
    return `${Number(value.toPrecision(4))} ns`;
  };

  const scale = (values, from, to) => {
    const low = Math.min(...values);
    const high = Math.max(...values);
    const room = high > low ? (high - low) * 0.05 : Math.abs(high) * 0.01 || 1;
    return (value) => from + ((value - low + room) / (high - low + 2 * room)) * (to - from);
  };

  const figure = (picture, caption) => {
    const element = document.createElement("figure");
    const text = document.createElement("figcaption");
    text.textContent = caption;
    element.append(text, picture);
    return element;
  };

  const distribution = (row) => {
    const sides = [["base", row.base], ["new", row.new]].filter(([, side]) => side && side.median);
    if (!sides.length) return null;
    const all = sides.flatMap(([, side]) => side.values.filter((value) => value !== null));
    const x = scale(all, 60, 590);
    const label = sides.map(([name, side]) => `${name} ${quantity(side.median, row.metric)}`);
    const picture = svgElement("svg", {
      viewBox: "0 0 640 100", role: "img", "aria-label": `Launches: ${label.join(", ")}`,
    });
    picture.append(svgElement("line", { class: "axis", x1: 60, x2: 590, y1: 78, y2: 78 }));
    for (const value of [Math.min(...all), Math.max(...all)]) {
      picture.append(svgElement("text", {
        x: x(value), y: 93, "text-anchor": "middle",
      }, quantity(value, row.metric)));
    }
    sides.forEach(([name, side]) => {
      const y = name === "base" ? 25 : 58;
      picture.append(svgElement("text", { x: 4, y: y + 4 }, name));
      side.values.forEach((value, number) => {
        if (value === null) return;
        const dot = svgElement("circle", {
          class: name, cx: x(value), cy: y, r: 4, "fill-opacity": 0.55,
        });
        dot.append(svgElement("title", {}, `launch ${number + 1}: ${quantity(value, row.metric)}`));
        picture.append(dot);
      });
      picture.append(svgElement("line", {
        class: name, x1: x(side.median), x2: x(side.median), y1: y - 12, y2: y + 12,
        "stroke-width": 2,
      }));
    });
    return figure(picture, "Launches (one dot each) and their median");
  };

  const history = (row, labels) => {
    const points = row.history
      .map((value, index) => ({ value, index }))
      .filter((point) => point.value !== null);
    if (points.length < 2) return null;
    const x = (index) => 80 + (index / Math.max(row.history.length - 1, 1)) * 510;
    const y = scale(points.map((point) => point.value), 105, 15);
    const first = points[0].value;
    const last = points[points.length - 1].value;
    const change = `${((last / first - 1) * 100).toFixed(1)} %`;
    const picture = svgElement("svg", {
      viewBox: "0 0 640 130", role: "img", "aria-label": `History, ${change} from first to last`,
    });
    picture.append(svgElement("line", { class: "axis", x1: 80, x2: 590, y1: 110, y2: 110 }));
    picture.append(svgElement("polyline", {
      class: "line", points: points.map((p) => `${x(p.index)},${y(p.value)}`).join(" "),
    }));
    for (const point of points) {
      const isNew = point.index === row.history.length - 1;
      const dot = svgElement("circle", {
        class: isNew ? "new" : "base", cx: x(point.index), cy: y(point.value), r: 3.5,
      });
      const text = `${labels[point.index] || ""}: ${quantity(point.value, row.metric)}`;
      dot.append(svgElement("title", {}, text));
      picture.append(dot);
    }
    const times = points.map((point) => point.value);
    for (const value of new Set([Math.min(...times), Math.max(...times)])) {
      picture.append(svgElement("text", { x: 4, y: y(value) + 4 }, quantity(value, row.metric)));
    }
    for (const [index, anchor] of [[points[0].index, "start"], [row.history.length - 1, "end"]]) {
      picture.append(svgElement("text", {
        x: x(index), y: 125, "text-anchor": anchor,
      }, labels[index] || ""));
    }
    return figure(picture, `Medians of earlier results, ${change} from first to last`);
  };

  const close = (line) => {
    const next = line.nextElementSibling;
    if (next && next.classList.contains("details")) next.remove();
    line.querySelector("button").setAttribute("aria-expanded", "false");
  };

  const open = (line) => {
    const row = rows.rows[Number(line.dataset.row)];
    const details = document.createElement("tr");
    details.className = "details";
    const cell = document.createElement("td");
    cell.colSpan = line.cells.length;
    const why = document.createElement("p");
    why.textContent = row.why;
    cell.append(why, ...[distribution(row), history(row, rows.labels)].filter(Boolean));
    details.append(cell);
    line.after(details);
    line.querySelector("button").setAttribute("aria-expanded", "true");
  };

  const toggle = (line) => {
    const isOpen = line.querySelector("button").getAttribute("aria-expanded") === "true";
    (isOpen ? close : open)(line);
  };

  const filter = () => {
    const wanted = search.value.toLowerCase();
    let count = 0;
    for (const line of lines) {
      const row = rows.rows[Number(line.dataset.row)];
      const fits = row.name.toLowerCase().includes(wanted) &&
        (!verdict.value || row.verdict === verdict.value);
      if (!fits) close(line);
      line.hidden = !fits;
      count += fits ? 1 : 0;
    }
    shown.textContent = `${count} of ${lines.length} rows`;
  };

  const sort = (header) => {
    const descending = header.getAttribute("aria-sort") === "ascending";
    for (const other of document.querySelectorAll("#rows th")) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const key = header.dataset.key;
    const sign = descending ? -1 : 1;
    lines.forEach(close);
    lines.sort((one, other) => {
      const a = rows.rows[Number(one.dataset.row)][key];
      const b = rows.rows[Number(other.dataset.row)][key];
      if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
      return sign * (a < b ? -1 : a > b ? 1 : 0);
    });
    body.append(...lines);
  };

  const step = (line, direction) => {
    const visible = lines.filter((other) => !other.hidden);
    const target = visible[visible.indexOf(line) + direction];
    if (target) target.querySelector("button").focus();
  };

  body.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) toggle(button.closest("tr"));
  });
  body.addEventListener("keydown", (event) => {
    const direction = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!direction || event.target.tagName !== "BUTTON") return;
    event.preventDefault();
    step(event.target.closest("tr"), direction);
  });
  for (const header of document.querySelectorAll("#rows th[data-key]")) {
    header.querySelector("button").addEventListener("click", () => sort(header));
  }
  search.addEventListener("input", filter);
  verdict.addEventListener("change", filter);
  document.querySelector(".controls").hidden = false;
  filter();
})();
