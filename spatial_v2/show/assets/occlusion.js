// Ambient occlusion: darkens corners, and the ground under bodies, which less of the room's light reaches.
//
// Depths of the solids are drawn first. A pixel's surface is closed by the points within `radius` that lie above its
// tangent plane, as in McGuire, Mara and Luebke, "Scalable ambient obscurance" (2012). The mean of 4 x 4 pixels at
// nearly the same depth multiplies the picture.
"use strict";
function ambientOcclusion(renderer, layer, radius) {
  const solids = new THREE.WebGLRenderTarget(1, 1, { depthTexture: new THREE.DepthTexture(1, 1) });
  const closed = new THREE.WebGLRenderTarget(1, 1);
  const plain = new THREE.MeshBasicMaterial({ side: THREE.DoubleSide });
  const uniforms = {
    depths: { value: solids.depthTexture }, closed: { value: closed.texture }, radius: { value: radius },
    back: { value: new THREE.Matrix4() }, size: { value: new THREE.Vector2() }, scale: { value: 1 },
  };
  const common = `
    uniform sampler2D depths, closed;
    uniform mat4 back;
    uniform vec2 size;
    uniform float radius, scale;
    varying vec2 at;
    vec3 place(vec2 x) {  // the point that is seen, in coordinates of the camera
      vec4 p = back * vec4(2.0 * vec3(x, texture2D(depths, x).x) - 1.0, 1.0);
      return p.xyz / p.w;
    }`;
  const screen = (fragmentShader, more) => {
    const material = new THREE.ShaderMaterial({
      uniforms, fragmentShader: common + fragmentShader, depthTest: false, depthWrite: false, ...more,
      vertexShader: "varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }",
    });
    const one = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), material), scene = new THREE.Scene();
    one.frustumCulled = false;
    scene.add(one);
    return scene;
  };
  const estimate = screen(`
    vec3 shorter(vec3 a, vec3 b) { return abs(a.z) < abs(b.z) ? a : b; }
    void main() {
      gl_FragColor = vec4(1.0);
      if (texture2D(depths, at).x >= 1.0) return;
      vec3 p = place(at);
      vec2 dx = vec2(1.0 / size.x, 0.0), dy = vec2(0.0, 1.0 / size.y);
      vec3 n = normalize(cross(shorter(place(at + dx) - p, p - place(at - dx)),
                               shorter(place(at + dy) - p, p - place(at - dy))));
      float reach = min(radius * scale / -p.z, 0.2 * size.y), sum = 0.0;
      float turn = 6.2832 * fract(52.9829 * fract(dot(gl_FragCoord.xy, vec2(0.0671106, 0.0058372))));
      for (int i = 0; i < 16; i++) {
        float part = (float(i) + 0.5) / 16.0, angle = turn + 44.0 * part;
        vec3 v = (place(at + part * reach * vec2(cos(angle), sin(angle)) / size) - p) / radius;
        float s = dot(v, v);
        sum += pow(max(1.0 - s, 0.0), 3.0) * max(dot(v, n) - 0.03, 0.0) / (s + 0.01);
      }
      gl_FragColor = vec4(vec3(max(1.0 - 1.6 * sum / 16.0, 0.0)), 1.0);
    }`);
  const multiply = screen(`
    void main() {
      float z = place(at).z, sum = 0.0, weights = 0.0;
      for (int i = -2; i < 2; i++) for (int j = -2; j < 2; j++) {
        vec2 x = at + (vec2(i, j) + 0.5) / size;
        float weight = max(1.001 - abs(place(x).z - z) / (0.5 * radius), 0.0);
        sum += weight * texture2D(closed, x).x;
        weights += weight;
      }
      gl_FragColor = vec4(vec3(weights > 0.0 ? sum / weights : 1.0), 1.0);
    }`, { blending: THREE.MultiplyBlending, premultipliedAlpha: true, transparent: true });
  const flat = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1);

  return (world, camera) => {
    const { background } = world, { mask } = camera.layers;
    renderer.getSize(uniforms.size.value);
    const [width, height] = uniforms.size.value.toArray();
    if (solids.width !== width || solids.height !== height)
      [solids, closed].forEach((target) => target.setSize(width, height));
    uniforms.back.value.copy(camera.projectionMatrixInverse);
    uniforms.scale.value = (height / 2) * camera.projectionMatrix.elements[5];
    Object.assign(world, { background: null, overrideMaterial: plain });
    camera.layers.set(layer);
    renderer.shadowMap.autoUpdate = false;
    renderer.setRenderTarget(solids);
    renderer.render(world, camera);
    renderer.shadowMap.autoUpdate = true;
    camera.layers.mask = mask;
    Object.assign(world, { background, overrideMaterial: null });
    renderer.setRenderTarget(closed);
    renderer.render(estimate, flat);
    renderer.setRenderTarget(null);
    renderer.autoClear = false;
    renderer.render(multiply, flat);
    renderer.autoClear = true;
  };
}
