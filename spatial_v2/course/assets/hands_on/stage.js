// The scene that hands-on figures share: three.js, a camera, balls that follow the mouse or the keys.
"use strict";
const stage = (() => {
  const place = document.getElementById("stage");
  const COLOURS = { turn: 0xe07a1f, shift: 0x16877f, force: 0xc9374f, handle: 0x2f6fbd, body: 0x8796a5, thin: 0x9aa7b1 };
  const vec = (a) => new THREE.Vector3(...a);

  const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
  renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
  place.append(renderer.domElement);
  const world = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
  camera.up.set(0, 0, 1);
  const controls = new THREE.OrbitControls(camera, renderer.domElement);
  controls.enableZoom = false; // the wheel scrolls the page
  renderer.domElement.style.touchAction = "pan-y";
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(1, -2, 3);
  world.add(new THREE.HemisphereLight(0xffffff, 0xd4d2ce, 2), sun);

  let home = null;
  function look(eye, target) { // a narrow window is seen from farther away
    home = { eye: side.data.eye || eye, target: side.data.target || target };
    resize();
  }
  function render() {
    for (const { mesh, button } of handles) {
      mesh.scale.setScalar(mesh.position.distanceTo(camera.position) / 4);
      const [x, y] = onScreen(mesh.position);
      button.style.transform = `translate(${x}px, ${y}px)`;
    }
    for (const { at, text } of labels) {
      const [x, y] = onScreen(vec(at));
      text.style.transform = `translate(${x}px, ${y}px)`;
    }
    renderer.render(world, camera);
  }
  function resize() {
    const { clientWidth: w, clientHeight: h } = place;
    renderer.setSize(w, h);
    camera.aspect = w / Math.max(h, 1);
    camera.updateProjectionMatrix();
    if (home) {
      const far = Math.max(1, 1.25 / camera.aspect);
      camera.position.copy(vec(home.target)).addScaledVector(vec(home.eye).sub(vec(home.target)), far);
      controls.target.set(...home.target);
      controls.update();
    }
    render();
  }
  new ResizeObserver(resize).observe(place);
  controls.addEventListener("change", render);
  side.onChange(render);

  // ---- handles: balls that follow the mouse in the plane that faces the reader, or the arrow keys ---
  const handles = [];
  const KEYS = { ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowDown: [0, -1, 0], ArrowUp: [0, 1, 0],
    PageDown: [0, 0, -1], PageUp: [0, 0, 1] };
  function handle(name, position, moved, color = COLOURS.handle) {
    const mesh = new THREE.Mesh(new THREE.SphereGeometry(0.045, 24, 16),
      new THREE.MeshStandardMaterial({ color, roughness: 0.5, transparent: true, depthTest: false }));
    mesh.renderOrder = 1; // in front of everything
    mesh.position.set(...position);
    world.add(mesh);
    const button = side.element("button", "", { type: "button", className: "handle" });
    button.setAttribute("aria-label", `${name}: arrow keys, page up and page down move it`);
    button.addEventListener("keydown", (event) => {
      const step = KEYS[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const size = (event.shiftKey ? 0.005 : 0.02) * mesh.position.distanceTo(camera.position);
      follow({ mesh, moved }, vec(step).multiplyScalar(size).applyQuaternion(camera.quaternion).add(mesh.position));
    });
    place.append(button);
    handles.push({ mesh, moved, button });
    return mesh;
  }
  const labels = [];
  function label(words) { // at a point, set later
    const one = { at: [0, 0, 0], text: side.element("span", words, { className: "label" }) };
    place.append(one.text);
    labels.push(one);
    return (p) => { one.at = p; };
  }
  function follow(one, p) {
    one.mesh.position.copy(p);
    one.moved(p.toArray());
    render();
  }
  const onScreen = (p) => { // in pixels of the stage, and depth
    const n = p.clone().project(camera), { clientWidth: w, clientHeight: h } = place;
    return [((n.x + 1) / 2) * w, ((1 - n.y) / 2) * h, n.z];
  };
  const canvas = renderer.domElement;
  let held = null;
  function nearest(event, reach) {
    const box = place.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    return handles.filter(({ mesh }) => mesh.visible).map((one) => ({ one, at: onScreen(one.mesh.position) }))
      .map(({ one, at }) => ({ one, depth: at[2], far: Math.hypot(at[0] - x, at[1] - y) }))
      .filter(({ far }) => far < reach).sort((a, b) => a.far - b.far)[0];
  }
  canvas.addEventListener("pointerdown", (event) => {
    held = nearest(event, event.pointerType === "touch" ? 30 : 18);
    if (!held) return;
    controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
  }, true);
  canvas.addEventListener("touchstart", (event) => { // a finger on a handle does not scroll the page
    if (nearest(event.touches[0], 30)) event.preventDefault();
  }, { passive: false });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) {
      canvas.style.cursor = nearest(event, 18) ? "grab" : "";
      return;
    }
    const box = place.getBoundingClientRect();
    const x = (2 * (event.clientX - box.left)) / box.width - 1, y = 1 - (2 * (event.clientY - box.top)) / box.height;
    follow(held.one, new THREE.Vector3(x, y, held.depth).unproject(camera));
  });
  for (const kind of ["pointerup", "pointercancel"])
    canvas.addEventListener(kind, () => { held = null; controls.enabled = true; });

  // ---- the camera, by keys and by the wheel with Ctrl --------------------------------------------
  function turn(across, up, zoom = 1) {
    const from = camera.position.clone().sub(controls.target).multiplyScalar(zoom).applyAxisAngle(camera.up, across);
    const side = new THREE.Vector3().crossVectors(camera.up, from).normalize();
    const raised = from.clone().applyAxisAngle(side, -up);
    const steep = Math.abs(raised.z) / raised.length() > 0.99; // looking along the vertical
    camera.position.copy(steep ? from : raised).add(controls.target);
    controls.update();
    render();
  }
  place.addEventListener("keydown", (event) => {
    const [x, y] = KEYS[event.key] || [0, 0], zoom = { "+": 0.9, "-": 1.1 }[event.key] || 1;
    if (event.target !== place || (!x && !y && zoom === 1)) return;
    event.preventDefault();
    turn(0.1 * x, 0.1 * y, zoom);
  });
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    turn(0, 0, Math.exp(event.deltaY / 200));
  }, { passive: false });

  return { COLOURS, world, vec, look, render, handle, label, onScreen, handles: () => handles.map(({ mesh }) => mesh.position),
    eye: () => camera.position.toArray() };
})();
