// Four particles on a light frame: the reader moves them; their centre, ellipsoid and 6x6 inertia follow.
"use strict";
(() => {
  const { sum, scaled, mcI, zeros, massMoment, apply } = algebra, { COLOURS } = stage;
  const points = [[0.7, 0.1, 0.1], [-0.4, 0.5, 0], [-0.3, -0.5, 0.2], [0.1, 0.1, 0.7]], masses = [1, 0.6, 0.8, 0.4];

  shapes.floor(2);
  stage.label("O")([0, 0, 0]);
  shapes.frame(0.3)(algebra.plux(algebra.identity(3), [0, 0, 0]));
  const bars = points.map(() => shapes.rod(COLOURS.thin, 0.008)), weights = points.map(() => shapes.ball(COLOURS.body, 1));
  const centre = shapes.ball(COLOURS.turn, 0.03), shape = shapes.ellipsoid(COLOURS.turn, 0.3);
  const moving = shapes.arrow(COLOURS.shift, 0.014), moment = shapes.arrow(COLOURS.force, 0.014);
  let momentumShown = false;

  side.text("Drag the balls. The orange ellipsoid is a solid body with the same inertia; the small ball is the centre of mass.");
  const handles = points.map((p, k) => stage.handle(`Particle ${k}`, p, (x) => { points[k] = x; update(); }));
  masses.forEach((m, k) => side.slider(`mass ${k} [kg]`, 0.05, 2, m, (x) => { masses[k] = x; update(); }));
  side.check("momentum of a turn about z, 1 rad/s", false, (x) => { momentumShown = x; update(); });
  const matrix = side.matrix("I", "Spatial inertia about O");
  const numbers = side.table("numbers", "Mass, centre, principal inertias");

  const inertia = () => points.map((p, k) => mcI(masses[k], p, zeros(3, 3))).reduce(sum);
  function principal(I) { // rotational inertias about the centre, from the semi-axes
    const { radii } = algebra.ellipsoid(I), { m } = massMoment(I), [a, b, c] = radii.map((r) => r * r);
    return [b + c, a + c, a + b].map((x) => (m * x) / 5);
  }
  function update() {
    const I = inertia(), { m, h } = massMoment(I), c = scaled(1 / m, h), momentum = apply(I, [0, 0, 1, 0, 0, 0]);
    points.forEach((p, k) => {
      bars[k].between(c, p);
      weights[k].position.set(...p);
      weights[k].scale.setScalar(0.11 * Math.cbrt(masses[k]));
      handles[k].position.set(...p);
    });
    centre.position.set(...c);
    shape(algebra.ellipsoid(I));
    moving(c, momentumShown ? sum(c, scaled(0.6, momentum.slice(3))) : c);
    moment([0, 0, 0], momentumShown ? scaled(0.6, momentum.slice(0, 3)) : [0, 0, 0]);
    matrix(I, { marked: (i, j) => momentumShown && j === 2 });
    numbers([["", "x", "y", "z"], ["centre [m]", ...c], ["about it [kg m²]", ...principal(I)], ["mass [kg]", m]]);
  }
  window.figure = { inertia, points, masses, handles, ellipsoid: () => algebra.ellipsoid(inertia()) };
  update();
  stage.look([2.1, -2.4, 1.8], [0.1, 0, 0.2]);
})();
