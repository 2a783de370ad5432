"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  document.documentElement.classList.add("live");
  document.querySelectorAll("table[data-sortable]").forEach(sortable);
  if (data !== null && data.kind === "plane") plane(data);
  if (data !== null && data.kind === "map") map(data);

  /* Tables whose titles sort them. */
  function sortable(table) {
    const titles = Array.from(table.tHead.rows[0].cells);
    titles.forEach(function (title, at) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...title.childNodes);
      title.append(button);
      title.setAttribute("aria-sort", "none");
      button.addEventListener("click", function () {
        const up = title.getAttribute("aria-sort") === "descending" || title.getAttribute("aria-sort") === "none" && !title.classList.contains("number");
        titles.forEach((other) => other.setAttribute("aria-sort", "none"));
        title.setAttribute("aria-sort", up ? "ascending" : "descending");
        const rows = Array.from(table.tBodies[0].rows);
        rows.sort((p, q) => (up ? 1 : -1) * compared(p.cells[at], q.cells[at]));
        table.tBodies[0].append(...rows);
      });
    });
  }

  function compared(p, q) {
    const words = (cell) => cell.textContent.trim();
    if (p.dataset.v !== undefined && p.tagName === "TD") return Number(p.dataset.v) - Number(q.dataset.v);
    return words(p).localeCompare(words(q), undefined, { numeric: true });
  }

  function shape(name, attributes) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key of Object.keys(attributes)) element.setAttribute(key, attributes[key]);
    return element;
  }

  /* Make a cell a button, pressed for one row of a table at a time. */
  function pressable(rows, title, chosen) {
    rows.forEach(function (row) {
      const cell = row.cells[0];
      const button = document.createElement("button");
      button.type = "button";
      button.append(...cell.childNodes);
      button.setAttribute("aria-pressed", "false");
      button.title = title;
      cell.append(button);
      row.addEventListener("click", function () {
        const on = button.getAttribute("aria-pressed") === "false";
        rows.forEach(function (other) {
          other.classList.toggle("chosen", on && other === row);
          other.cells[0].querySelector("button").setAttribute("aria-pressed", String(on && other === row));
        });
        chosen(on ? row : null);
      });
    });
  }

  /* Dots on a map: the distances of the one that is chosen. */
  function map(data) {
    const links = document.getElementById("links");
    const dots = Array.from(document.getElementById("dots").children);
    const place = (i) => [Number(dots[i].getAttribute("cx")), Number(dots[i].getAttribute("cy"))];
    pressable(Array.from(document.querySelectorAll("#nearest-table tbody tr")), "Show its distances on the map", function (row) {
      links.replaceChildren();
      if (row === null) return;
      const i = Number(row.dataset.sample);
      const [x, y] = place(i);
      const others = dots.map((dot, j) => j).filter((j) => j !== i);
      others.sort((p, q) => Number(data.distances[i][p]) - Number(data.distances[i][q]));
      others.slice(0, 8).forEach(function (j) {
        const [ex, ey] = place(j);
        links.append(shape("path", { d: "M" + x + " " + y + "L" + ex + " " + ey }));
        const text = shape("text", { class: "value", x: ex, y: ey - 10, "font-size": 12, "text-anchor": "middle" });
        text.textContent = data.distances[i][j];
        links.append(text);
      });
      links.append(shape("circle", { cx: x, cy: y, r: 10 }));
    });
  }

  /* Both samples in the plane: names of rows and where they go, and columns as colours. */
  function plane(data) {
    const stage = document.getElementById("stage");
    const svg = document.getElementById("plane");
    const tip = document.getElementById("tip");
    const links = document.getElementById("links");
    const legend = document.getElementById("legend");
    const uses = ["dots-a", "dots-b"].map((id) => Array.from(document.getElementById(id).children));
    const places = uses.map((side) => side.map((use) => [Number(use.getAttribute("x")), Number(use.getAttribute("y"))]));
    const dots = places.flatMap((side, which) => side.map((at, i) => ({ which: which, i: i, x: at[0], y: at[1] })));
    const across = dots.slice().sort((p, q) => p.x - q.x || p.y - q.y);
    let current = null;
    let column = null;

    stage.tabIndex = 0;
    stage.setAttribute("role", "group");
    stage.setAttribute("aria-label", "Rows of both samples in the plane. Arrow keys step from row to row, Escape ends it.");
    tip.setAttribute("aria-live", "polite");

    stage.addEventListener("pointermove", function (event) { point(event, 18); });
    stage.addEventListener("pointerdown", function (event) { point(event, 30); });
    stage.addEventListener("pointerleave", clear);
    stage.addEventListener("blur", clear);
    stage.addEventListener("keydown", function (event) {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") clear();
      if (step === undefined) return;
      event.preventDefault();
      const at = current === null ? (step > 0 ? -1 : across.length) : across.indexOf(current);
      show(across[Math.min(Math.max(at + step, 0), across.length - 1)]);
    });

    /* Show the dot nearest to the pointer, if one is within so many pixels. */
    function point(event, reach) {
      const matrix = svg.getScreenCTM();
      if (matrix === null) return;
      let best = null;
      let least = reach * reach;
      for (const dot of dots) {
        const dx = dot.x * matrix.a + matrix.e - event.clientX;
        const dy = dot.y * matrix.d + matrix.f - event.clientY;
        if (dx * dx + dy * dy < least) {
          least = dx * dx + dy * dy;
          best = dot;
        }
      }
      if (best === null) clear();
      else if (best !== current) show(best);
    }

    function label(which, i) {
      const own = data.labels[which];
      return "row " + (i < own.length ? own[i] : data.extra[which][i - own.length][2]);
    }

    function place(which, i) {
      const own = places[which];
      return i < own.length ? own[i] : data.extra[which][i - own.length];
    }

    function show(dot) {
      current = dot;
      links.replaceChildren();
      const other = 1 - dot.which;
      const parts = data.parts[dot.which][dot.i];
      const lines = [label(dot.which, dot.i) + " of " + data.names[dot.which]];
      for (let at = 0; at < parts.length; at += 2) {
        const end = place(other, parts[at]);
        links.append(shape("path", { d: "M" + dot.x + " " + dot.y + "L" + end[0] + " " + end[1], "stroke-width": 1 + parts[at + 1] / 40 }));
        links.append(shape("circle", { cx: end[0], cy: end[1], r: 7 }));
        lines.push((dot.which === 0 ? "to " : "from ") + label(other, parts[at]) + " of " + data.names[other] + ": " + parts[at + 1] + "% of it");
      }
      if (dot.which === 0) lines.push("displacement " + data.lengths[dot.i]);
      links.append(shape("circle", { cx: dot.x, cy: dot.y, r: 9 }));
      drawArrow();
      tip.textContent = lines.join("\n");
      tip.hidden = false;
      const scale = svg.clientWidth / svg.viewBox.baseVal.width;
      const left = Math.min(Math.max(dot.x * scale + 14, 0), Math.max(stage.clientWidth - tip.offsetWidth, 0));
      const above = dot.y * scale - tip.offsetHeight - 14;
      tip.style.left = left + "px";
      tip.style.top = (above < 0 ? dot.y * scale + 16 : above) + "px";
    }

    function clear() {
      current = null;
      tip.hidden = true;
      links.replaceChildren();
      drawArrow();
    }

    /* The direction in which the chosen column grows, from the middle of the picture. */
    function drawArrow() {
      if (column === null) return;
      const box = svg.viewBox.baseVal;
      const dx = column.arrow[0];
      const dy = column.arrow[1];
      const length = Math.hypot(dx, dy);
      if (length < 4) return;
      const x = box.width / 2;
      const y = box.height / 2;
      const ex = x + dx;
      const ey = y + dy;
      const ux = dx / length;
      const uy = dy / length;
      links.append(shape("path", { class: "arrow", d: "M" + x + " " + y + "L" + ex + " " + ey }));
      links.append(shape("path", { class: "head", d: "M" + (ex + 12 * ux) + " " + (ey + 12 * uy) + "L" + (ex - 6 * uy) + " " + (ey + 6 * ux) + "L" + (ex + 6 * uy) + " " + (ey - 6 * ux) + "Z" }));
      const text = shape("text", { x: ex + 16 * ux, y: ey + 16 * uy + 4, "font-size": 13, "text-anchor": ux < -0.3 ? "end" : ux > 0.3 ? "start" : "middle" });
      text.textContent = column.name;
      links.append(text);
    }

    function colour(chosen) {
      column = chosen;
      svg.classList.toggle("colored", chosen !== null);
      uses.forEach(function (side, which) {
        side.forEach(function (use, i) {
          if (chosen === null) use.removeAttribute("class");
          else use.setAttribute("class", "l" + chosen.levels[which][i]);
        });
      });
      legend.replaceChildren();
      legend.hidden = chosen === null;
      if (chosen !== null) {
        legend.append("Colour: " + chosen.name + ", the lowest eighth of the rows (below " + chosen.low + ") ");
        for (let at = 0; at < 8; at += 1) {
          const patch = document.createElement("i");
          patch.className = "s" + at;
          legend.append(patch);
        }
        legend.append(" the highest eighth (above " + chosen.high + "). Arrow: where it grows. Circles and diamonds still tell the samples apart.");
      }
      clear();
    }

    pressable(Array.from(document.querySelectorAll("#column-table tbody tr")), "Colour the dots in the plane by this column", function (row) {
      colour(row === null ? null : data.columns[Number(row.dataset.column)]);
    });
  }
})();
