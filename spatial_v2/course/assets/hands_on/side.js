// What all hands-on figures share besides the scene: their data, sliders, buttons, tables, matrices.
"use strict";
const side = (() => {
  const place = document.getElementById("side");
  const data = JSON.parse(document.getElementById("data").textContent);
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  let after = () => {};

  // The site has a switch of light and dark, which a page in a frame follows if it may look at it.
  try {
    const outer = window.parent.document.documentElement;
    const follow = () => { document.documentElement.dataset.theme = outer.dataset.theme || ""; };
    if (window.parent !== window) new MutationObserver(follow).observe(outer, { attributeFilter: ["data-theme"] });
    follow();
  } catch { /* another origin: the page sends its colours */ }
  window.addEventListener("message", ({ data: sent, source }) => {
    if (source === window.parent && sent && sent.theme) document.documentElement.dataset.theme = sent.theme;
  });

  function element(kind, content = "", more = {}) {
    const one = Object.assign(document.createElement(kind), more);
    one.append(...[content].flat());
    return one;
  }
  const add = (one) => { place.append(one); return one; };
  const shown = (x, digits) => (typeof x !== "number" ? x : (Math.abs(x) < 0.5 * 10 ** -digits ? 0 : x).toFixed(digits));

  // Steps of a slider are decimal numbers, so that it has exactly the value it begins with.
  function slider(name, min, max, value, changed, digits = 2) {
    const unit = 10 ** -digits, step = digits && (max - min) / unit < 100 ? unit / 10 : unit;
    const input = element("input", "", { type: "range", min, max, step, value });
    const output = element("output");
    const show = () => {
      output.textContent = shown(Number(input.value), digits);
      input.setAttribute("aria-valuetext", `${name} ${output.textContent}`);
    };
    input.addEventListener("input", () => { show(); changed(Number(input.value)); after(); });
    show();
    add(element("label", [element("span", name), input, output]));
    return { input, set(x) { input.value = x; show(); } };
  }
  function check(name, value, changed) {
    const input = element("input", "", { type: "checkbox", checked: value });
    input.addEventListener("change", () => { changed(input.checked); after(); });
    add(element("label", [input, name]));
    return input;
  }
  function choose(name, options, value, changed) {
    const list = element("select", options.map((text, i) => element("option", text, { value: i, selected: i === value })));
    list.addEventListener("change", () => { changed(Number(list.value)); after(); });
    add(element("label", [element("span", name), list]));
    return list;
  }
  function button(name, pressed) {
    const one = element("button", name, { type: "button" });
    one.addEventListener("click", () => { pressed(one); after(); });
    place.append(one, " ");
    return one;
  }
  const text = (words) => add(element("p", words));

  // Colour of a number beside the largest one: orange above zero, blue below.
  function tint(x, largest) {
    const share = Math.round(60 * Math.min(Math.abs(x) / (largest || 1), 1));
    return `color-mix(in srgb, ${x < 0 ? "#2f6fbd" : "#e07a1f"} ${share}%, transparent)`;
  }
  function grid(id, title) { // a table whose rows are replaced
    const body = element("tbody"), table = element("table", [element("caption", title), body], { id });
    add(table);
    return (rows, cell) => body.replaceChildren(...rows.map((row, i) => element("tr", row.map((x, j) => cell(x, i, j)))));
  }

  // Rows of a name and numbers; with `bars`, each number has a bar beside those of its table.
  function table(id, title, { bars = false } = {}) {
    const show = grid(id, title);
    return (rows, digits = 3) => {
      const largest = Math.max(...rows.flat().map((x) => (typeof x === "number" ? Math.abs(x) : 0)), 10 ** -digits);
      show(rows, (x, i, j) => {
        const one = element(typeof x === "number" ? "td" : "th", shown(x, digits), { scope: j ? "col" : "row" });
        if (bars && typeof x === "number") {
          const [a, b] = [Math.min(0, x), Math.max(0, x)].map((y) => 50 + (48 * y) / largest);
          const colour = x < 0 ? "#2f6fbd" : "#e07a1f";
          one.className = "bar";
          one.style.backgroundImage =
            `linear-gradient(90deg, transparent ${a}%, ${colour} ${a}%, ${colour} ${b}%, transparent ${b}%)`;
        }
        return one;
      });
    };
  }

  // A matrix of coloured cells; `marked` says which cells have a frame.
  function matrix(id, title) {
    const show = grid(id, title);
    document.getElementById(id).className = "matrix";
    return (A, { digits = 2, marked = () => false, largest = Math.max(...A.flat().map(Math.abs)) } = {}) =>
      show(A, (x, i, j) => {
        const one = element("td", shown(x, digits), { className: marked(i, j) ? "marked" : "" });
        one.style.backgroundColor = tint(x, largest);
        return one;
      });
  }

  // Calls `step(seconds)` in real time while it runs and is in sight.
  function runner(step, update) {
    let running = false, last = null, seen = true;
    new IntersectionObserver(([place]) => { seen = place.isIntersecting; }).observe(document.body);
    function tick(now) {
      if (!running) return;
      if (!seen) {
        last = null;
        setTimeout(requestAnimationFrame, 200, tick);
        return;
      }
      if (last !== null) step(Math.min((now - last) / 1000, 0.1));
      last = now;
      update();
      after();
      requestAnimationFrame(tick);
    }
    const play = button("Run", () => set(!running));
    function set(on) {
      running = on;
      last = null;
      play.textContent = on ? "Pause" : "Run";
      if (on) requestAnimationFrame(tick);
    }
    button("Step", () => { set(false); step(0.05); update(); });
    return { set, running: () => running };
  }

  return { data, still, element, add, slider, check, choose, button, text, grid, table, matrix, tint, runner,
    onChange: (f) => { after = f; } };
})();
