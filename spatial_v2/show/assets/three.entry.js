// What the page uses of three.js 0.187.0. `.ci/javascript` makes three.min.js of it.
export { WebGLRenderer, Scene, PerspectiveCamera, Group, Mesh, Color, Vector3, Vector2, Quaternion, Matrix4, Box3,
  BufferGeometry, BoxGeometry, CylinderGeometry, ConeGeometry, SphereGeometry, Float32BufferAttribute, InstancedMesh, MeshStandardMaterial, MeshBasicMaterial,
  DirectionalLight, HemisphereLight, Sprite, SpriteMaterial, CanvasTexture, PCFSoftShadowMap, PCFShadowMap, DoubleSide, ShadowMaterial, PlaneGeometry, PMREMGenerator,
  WebGLRenderTarget, DepthTexture, ShaderMaterial, OrthographicCamera, MultiplyBlending } from "three";
export { RoomEnvironment } from "three/examples/jsm/environments/RoomEnvironment.js";
export { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
export { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
export { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
export { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
