// The scene and the controls that all hands-on figures share: three.js, handles, sliders, tables.
"use strict";
const stage = (() => {
  const place = document.getElementById("stage"), side = document.getElementById("side");
  const data = JSON.parse(document.getElementById("data").textContent);
  const COLOURS = { turn: 0xe07a1f, shift: 0x16877f, force: 0xb3273c, handle: 0x2f6fbd, body: 0x8796a5, thin: 0x9aa7b1 };
  const vec = (a) => new THREE.Vector3(...a);

  const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
  renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
  place.append(renderer.domElement);
  const world = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
  camera.up.set(0, 0, 1);
  const controls = new THREE.OrbitControls(camera, renderer.domElement);
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(1, -2, 3);
  world.add(new THREE.HemisphereLight(0xffffff, 0xd4d2ce, 2), sun);

  function look(eye, target) {
    camera.position.set(...eye);
    controls.target.set(...target);
    controls.update();
  }
  function render() {
    renderer.render(world, camera);
  }
  function resize() {
    const { clientWidth: w, clientHeight: h } = place;
    renderer.setSize(w, h);
    camera.aspect = w / Math.max(h, 1);
    camera.updateProjectionMatrix();
    render();
  }
  new ResizeObserver(resize).observe(place);
  controls.addEventListener("change", render);

  // ---- shapes --------------------------------------------------------------------------------
  const paint = (colour, more = {}) => new THREE.MeshStandardMaterial({ color: colour, roughness: 0.7, ...more });
  function rod(colour, radius) { // between two points, set later
    const mesh = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, 1, 10), paint(colour));
    mesh.between = (a, b) => {
      const d = vec(b).sub(vec(a)), length = d.length();
      mesh.visible = length > 1e-6;
      mesh.position.copy(vec(a)).addScaledVector(d, 0.5);
      mesh.scale.set(1, Math.max(length, 1e-6), 1);
      mesh.quaternion.setFromUnitVectors(vec([0, 1, 0]), d.normalize());
    };
    world.add(mesh);
    return mesh;
  }
  function arrow(colour, radius = 0.012) {
    const shaft = rod(colour, radius);
    const head = new THREE.Mesh(new THREE.ConeGeometry(2.6 * radius, 7 * radius, 10), paint(colour));
    world.add(head);
    return (a, b) => {
      shaft.between(a, b);
      head.visible = shaft.visible;
      head.position.set(...b);
      head.quaternion.copy(shaft.quaternion);
    };
  }
  function ball(colour, radius, more) {
    const mesh = new THREE.Mesh(new THREE.SphereGeometry(radius, 24, 16), paint(colour, more));
    world.add(mesh);
    return mesh;
  }

  // ---- handles: balls that follow the mouse in the plane that faces the reader ------------------
  const handles = [];
  function handle(position, moved) {
    const mesh = ball(COLOURS.handle, 0.045);
    mesh.position.set(...position);
    handles.push({ mesh, moved });
    return mesh;
  }
  const onScreen = (p) => { // in pixels of the stage, and depth
    const n = p.clone().project(camera), { clientWidth: w, clientHeight: h } = place;
    return [((n.x + 1) / 2) * w, ((1 - n.y) / 2) * h, n.z];
  };
  let held = null;
  renderer.domElement.addEventListener("pointerdown", (event) => {
    const box = place.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const near = handles.map((one) => ({ one, at: onScreen(one.mesh.position) }))
      .map(({ one, at }) => ({ one, depth: at[2], far: Math.hypot(at[0] - x, at[1] - y) }))
      .filter(({ far }) => far < 18).sort((a, b) => a.far - b.far);
    if (!near.length) return;
    held = near[0];
    controls.enabled = false;
    renderer.domElement.setPointerCapture(event.pointerId);
  }, true);
  renderer.domElement.addEventListener("pointermove", (event) => {
    if (!held) return;
    const box = place.getBoundingClientRect();
    const x = (2 * (event.clientX - box.left)) / box.width - 1, y = 1 - (2 * (event.clientY - box.top)) / box.height;
    const p = new THREE.Vector3(x, y, held.depth).unproject(camera);
    held.one.mesh.position.copy(p);
    held.one.moved(p.toArray());
    render();
  });
  for (const kind of ["pointerup", "pointercancel"])
    renderer.domElement.addEventListener(kind, () => { held = null; controls.enabled = true; });

  // ---- controls at the side ------------------------------------------------------------------
  function slider(name, min, max, value, changed, digits = 2) {
    const label = document.createElement("label"), input = document.createElement("input");
    const text = document.createElement("span"), output = document.createElement("output");
    Object.assign(input, { type: "range", min, max, step: (max - min) / 400 });
    input.value = value;
    text.textContent = name;
    const show = () => { output.textContent = Number(input.value).toFixed(digits); };
    input.addEventListener("input", () => { show(); changed(Number(input.value)); render(); });
    show();
    label.append(text, input, output);
    side.append(label);
    return { set(x) { input.value = x; show(); } };
  }
  function check(name, value, changed) {
    const label = document.createElement("label"), input = document.createElement("input");
    Object.assign(input, { type: "checkbox", checked: value });
    input.addEventListener("change", () => { changed(input.checked); render(); });
    label.append(input, name);
    side.append(label);
  }
  function button(name, pressed) {
    const one = document.createElement("button");
    one.textContent = name;
    one.addEventListener("click", () => pressed(one));
    side.append(one, " ");
    return one;
  }
  function text(words) {
    const p = document.createElement("p");
    p.textContent = words;
    side.append(p);
    return p;
  }
  function table(id) { // rows of a name and numbers
    const body = document.createElement("table");
    body.id = id;
    side.append(body);
    return (rows, digits = 3) => {
      body.replaceChildren(...rows.map(([name, ...cells]) => {
        const row = document.createElement("tr"), head = document.createElement("th");
        head.textContent = name;
        row.append(head, ...cells.map((x) => {
          const cell = document.createElement("td");
          cell.textContent = typeof x === "number" ? (Math.abs(x) < 0.5 * 10 ** -digits ? 0 : x).toFixed(digits) : x;
          return cell;
        }));
        return row;
      }));
    };
  }

  return { data, COLOURS, world, look, render, resize, rod, arrow, ball, handle, onScreen, slider, check, button, text,
    table, vec };
})();
