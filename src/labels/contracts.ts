import { KNOWN_LABELS } from "../knowledge/protocols.gen.ts";
import type { LabelSource } from "./source.ts";

/** Routers and other contracts that most wallets meet, as `knowledge/protocols` lists them. */
export const contracts: LabelSource = {
  name: "contracts",
  licence: "Facts: addresses that each row's source publishes; written for this project.",
  rank: 80,
  rows: KNOWN_LABELS.map((label) => ({ ...label, confidence: 1 })),
};
