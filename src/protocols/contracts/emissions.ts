import type { WrittenGroup } from "./contract.ts";

const emission = (name: string, at: WrittenGroup["at"]): WrittenGroup => ({
  ...{ name, version: null, role: "emission", at },
});

/** Tokens that one protocol pays out as rewards. Sources: each protocol's documentation. */
export const EMISSIONS: readonly WrittenGroup[] = [
  emission("Velodrome", { optimism: ["9560e827af36c94d2ac33a39bce1fe78631088db"] }),
  emission("Aerodrome", { base: ["940181a94a35a4569e4529a3cdfb74e38fd98631"] }),
  emission("Convex", { ethereum: ["4e3fbd56cd56c3e72c1403e103b45db9da5b9d2b"] }),
  emission("Aura", { ethereum: ["c0c293ce456ff0ed870add98a0828dd4d2903dbf"] }),
  emission("Curve", { ethereum: ["d533a949740bb3306d119cc777fa900ba034cd52"] }),
  emission("Balancer", { ethereum: ["ba100000625a3754423978a60c9317c58a424e3d"] }),
  emission("Liquity", { ethereum: ["6dea81c8171d0ba574754ef6f8b412f2ed88c54d"] }),
  emission("Pickle", { ethereum: ["429881672b9ae42b8eba0e26cd9c73711b891ca5"] }),
  emission("Harvest Finance", { ethereum: ["a0246c9032bc3a600820415ae600c6388619a14d"] }),
  emission("QuickSwap", { polygon: ["831753dd7087cac61ab5644b308642cc1c33dc13"] }),
  emission("PancakeSwap", { bsc: ["0e09fabb73bd3ade0a17ecc321fd13a19e81ce82"] }),
  emission("SushiSwap", { ethereum: ["6b3595068778dd592e39a122f4f5a5cf09c90fe2"] }),
  emission("EigenLayer", { ethereum: ["ec53bf9167f50cdeb3ae105f56099aaab9061f83"] }),
  emission("Morpho", {
    ethereum: ["58d97b57bb95320f9a05dc918aef65434969c2b2"],
    base: ["baa5cc21fd487b8fcc2f632f3f4e8d37262a0842"],
  }),
  emission("Spark", { ethereum: ["c20059e0317de91738d13af027dfc4a50781b066"] }),
  emission("Hop", { ethereum: ["c5102fe9359fd9a28f877a67e36b0f050d81a3cc"] }),
];
