// Derivatives by steps: the reader changes the step, and sees which digits each method keeps.
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg", place = document.getElementById("stage");
  let x = 1.2, size = -1;

  // ---- complex numbers, as pairs ---------------------------------------------------------------
  const times = ([a, b], [c, d]) => [a * c - b * d, a * d + b * c];
  const over = ([a, b], [c, d]) => { const n = c * c + d * d; return [(a * c + b * d) / n, (b * c - a * d) / n]; };
  const exp = ([a, b]) => [Math.exp(a) * Math.cos(b), Math.exp(a) * Math.sin(b)];
  const sin = ([a, b]) => [Math.sin(a) * Math.cosh(b), Math.cos(a) * Math.sinh(b)];
  const cos = ([a, b]) => [Math.cos(a) * Math.cosh(b), -Math.sin(a) * Math.sinh(b)];
  const root = ([a, b]) => { const r = Math.sqrt((Math.hypot(a, b) + a) / 2); return [r, b / (2 * r)]; }; // for a > 0
  const cube = (z) => times(z, times(z, z));
  const plus = (a, b) => [a[0] + b[0], a[1] + b[1]];

  // f(x) = e^x / sqrt(sin^3 x + cos^3 x), for real and complex x
  const f = (z) => over(exp(z), root(plus(cube(sin(z)), cube(cos(z)))));
  const value = (t) => f([t, 0])[0];
  function slope(t) { // by the rules of calculus
    const s = Math.sin(t), c = Math.cos(t);
    return value(t) * (1 - (1.5 * s * c * (s - c)) / (s ** 3 + c ** 3));
  }
  const methods = {
    "one-sided": (h) => (value(x + h) - value(x)) / h,
    "central": (h) => (value(x + h) - value(x - h)) / (2 * h),
    "complex step": (h) => f([x, h])[1] / h,
  };
  const COLOURS = { "one-sided": "#c9374f", "central": "#d9730d", "complex step": "#2f6fbd" };
  const DASHES = { "one-sided": "", "central": "7 4", "complex step": "2 3" };
  const error = (name, h) => Math.abs(methods[name](h) / slope(x) - 1);

  // ---- the two pictures ------------------------------------------------------------------------
  function draw(kind, more, text) {
    const one = document.createElementNS(SVG, kind);
    Object.entries(more).forEach(([k, v]) => one.setAttribute(k, v));
    if (text) one.textContent = text;
    return one;
  }
  const line = (points, stroke, more = {}) =>
    draw("polyline", { points: points.map((p) => p.map((y) => y.toFixed(1)).join(",")).join(" "), fill: "none", stroke,
      "stroke-width": 2, ...more });
  const label = (x, y, anchor, text) => draw("text", { x, y, class: "label", "text-anchor": anchor }, text);
  function picture(name) {
    const svg = draw("svg", { viewBox: "0 0 340 300", role: "img", "aria-label": name });
    place.append(svg);
    return svg;
  }
  const curve = picture("The function, its tangent, and the line through two points of it");
  const errors = picture("Relative error of each method over the size of the step");

  function drawCurve() {
    const h = 10 ** size, at = (t, y) => [40 + (t / 1.7) * 285, 270 - ((y - 1) / 5.5) * 250], shown = Math.max(h, 0.02);
    const range = Array.from({ length: 80 }, (_, k) => 0.02 + (k * 1.66) / 79), m = (value(x + shown) - value(x)) / shown;
    const along = (slope) => [0.05, 1.68].map((t) => at(t, value(x) + slope * (t - x)));
    const clip = { "clip-path": "inset(0)" };
    curve.replaceChildren(
      draw("path", { d: "M40 20V270H325", fill: "none", class: "axis" }),
      label(315, 288, "middle", "x"), label(22, 18, "start", "f(x)"),
      line(along(slope(x)), "#2f6fbd", { "stroke-dasharray": "2 3", ...clip }), line(along(m), "#c9374f", clip),
      line(range.map((t) => at(t, value(t))).filter(([, y]) => y > 15), "currentColor"),
      ...[x, x + shown].map((t) => at(t, value(t))).map(([cx, cy]) => draw("circle", { cx, cy, r: 4, fill: "#2f6fbd" })),
      label(52, 34, "start", "dotted: tangent"),
      label(52, 52, "start", h < 0.02 ? "solid: secant, drawn for h = 0.02" : "solid: secant through x and x + h"));
  }
  function drawErrors() {
    const at = (k, e) => [325 + 14 * k, 25 - (225 / 17) * Math.log10(Math.min(Math.max(e, 1e-17), 10))];
    const steps = Array.from({ length: 77 }, (_, k) => -k / 4 - 0.5), labels = [-16, -12, -8, -4, 0];
    const [now] = at(size, 1);
    errors.replaceChildren(
      draw("path", { d: "M45 25V250H325", fill: "none", class: "axis" }),
      ...labels.map((k) => label(38, at(0, 10 ** k)[1] + 4, "end", `1e${k}`)),
      ...[0, -5, -10, -15, -20].map((k) => label(at(k, 1)[0], 268, "middle", `1e${k}`)),
      label(185, 288, "middle", "step h"), label(50, 18, "start", "relative error"),
      draw("path", { d: `M${now} 25V250`, class: "axis", "stroke-dasharray": "4 4" }),
      ...Object.keys(methods).flatMap((name) => [
        line(steps.map((k) => at(k, error(name, 10 ** k))), COLOURS[name], { "stroke-dasharray": DASHES[name] }),
        (([cx, cy]) => draw("circle", { cx, cy, r: 5, fill: COLOURS[name] }))(at(size, error(name, 10 ** size)))]));
  }

  // ---- the side ------------------------------------------------------------------------------
  side.text("Change the step h. Digits that agree with the derivative are bold; the others are struck through.");
  side.slider("x", 0.2, 1.5, x, (t) => { x = t; update(); });
  side.slider("log₁₀ h", -19.5, -0.5, size, (k) => { size = k; update(); }, 1);
  const show = side.grid("numbers", "Derivative of f at x");
  side.text("f(x) = eˣ / √(sin³x + cos³x). The differences lose digits by cancellation if h is small, "
    + "and by curvature if h is large; "
    + "the complex step subtracts nothing.");
  const digits = (y) => (Number.isFinite(y) ? y.toPrecision(15) : String(y));
  function agreeing(a, b) { // length of the common beginning
    let k = 0;
    while (k < a.length && a[k] === b[k]) k++;
    return k;
  }
  function update() {
    const exact = digits(slope(x)), h = 10 ** size;
    drawCurve();
    drawErrors();
    const rows = [["exact", exact, exact.length], ...Object.keys(methods).map((name) => {
      const text = digits(methods[name](h));
      return [name, text, agreeing(text, exact)];
    })];
    show(rows.map((row) => row.slice(0, 2)), (text, i, j) => {
      const style = COLOURS[text] ? `border-left: 4px solid ${COLOURS[text]}; padding-left: 6px` : "";
      if (!j) return side.element("th", text, { scope: "row", style });
      const n = rows[i][2];
      return side.element("td", [side.element("b", text.slice(0, n)), side.element("s", text.slice(n))], { className: "digits" });
    });
  }
  window.figure = { value, slope: () => slope(x), methods, state: () => ({ x, h: 10 ** size }) };
  update();
})();
