// A screw: its axis, pitch and rate are the reader's; its six numbers and its velocity field follow.
"use strict";
(() => {
  const { sum, difference, scaled, cross, velocityAt } = algebra, { COLOURS } = stage;
  let point = [0.3, 0, 0], tip = [0.3, 0.25, 0.8], pitch = 0.1, rate = 1;

  const axis = shapes.rod(COLOURS.thin, 0.008), turn = shapes.arrow(COLOURS.turn, 0.016), grid = [];
  for (const x of [-0.8, -0.4, 0, 0.4, 0.8])
    for (const y of [-0.8, -0.4, 0, 0.4, 0.8])
      for (const z of [-0.4, 0.2, 0.8]) grid.push({ p: [x, y, z], show: shapes.arrow(COLOURS.shift, 0.006) });
  stage.label("O")([0, 0, 0]);
  shapes.frame(0.3, 0.008)(dynamics.plux(algebra.identity(3), [0, 0, 0]));

  side.text("Drag the blue balls: the lower one moves the axis, the upper one turns it.");
  const ends = [
    stage.handle("Point of the axis", point, (p) => { tip = sum(tip, difference(p, point)); point = p; update(); }),
    stage.handle("Direction of the axis", tip, (p) => { tip = p; update(); }),
  ];
  side.slider("pitch [m/rad]", -0.5, 0.5, pitch, (x) => { pitch = x; update(); });
  side.slider("rate [rad/s]", -2, 2, rate, (x) => { rate = x; update(); });
  const numbers = side.table("numbers", "Spatial velocity");
  side.text("The six numbers are the angular velocity and the velocity of the point of the body at the origin O.");

  function direction() {
    const d = difference(tip, point);
    return scaled(1 / Math.max(Math.hypot(...d), 1e-9), d);
  }
  function velocity() { // spatial velocity at O of the turn about the axis and the motion along it
    const w = scaled(rate, direction());
    return [...w, ...sum(cross(point, w), scaled(pitch, w))];
  }
  function update() {
    const v = velocity(), w = v.slice(0, 3), e = direction();
    axis.between(sum(point, scaled(-1.5, e)), sum(point, scaled(1.8, e)));
    turn(point, sum(point, scaled(0.4, w)));
    grid.forEach(({ p, show }) => show(p, sum(p, scaled(0.25, velocityAt(v, p)))));
    ends[0].position.set(...point);
    ends[1].position.set(...tip);
    numbers([["", "x", "y", "z"], ["ω [rad/s]", ...w], ["v_O [m/s]", ...v.slice(3)]]);
  }
  window.figure = { velocity, state: () => ({ point, tip, pitch, rate }), handles: ends };
  update();
  stage.look([2.1, -2.8, 1.6], [0, 0, 0.2]);
})();
