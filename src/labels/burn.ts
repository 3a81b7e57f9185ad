import { ADDRESSES } from "../knowledge/names.gen.ts";
import { hex } from "../lib/bytes.ts";
import type { LabelSource } from "./source.ts";

const row = (address: string, label: string) => ({
  network: "",
  address: hex(address),
  label,
  category: "burn",
  entity: "",
  confidence: 1,
  evidence: "the address was chosen by hand, so no private key for it is known",
});

/** Burn addresses: coins sent to them are lost. */
export const burn: LabelSource = {
  name: "burn",
  licence: "Facts; written for this project.",
  rank: 90,
  rows: [
    row(ADDRESSES.zero, "Zero address"),
    row("000000000000000000000000000000000000dead", "Burn address (dead)"),
    row("dead000000000000000042069420694206942069", "Burn address (dead 42069)"),
  ],
};
