/** One round of ForceAtlas2 over both matrices, in place. */
declare module "graphology-layout-forceatlas2/iterate.js" {
  const iterate: (
    settings: Readonly<Record<string, number | boolean>>,
    nodes: Float32Array,
    edges: Float32Array,
  ) => void;
  export default iterate;
}
