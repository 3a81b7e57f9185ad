/** Parts of a network's entry: addresses, coins, exchanges. */
import * as z from "zod";
import { LISTABLE_FAMILIES } from "../knowledge/pool_families.gen.ts";
import { ISSUER_FAMILY_IDS } from "../labels/issuers/families.ts";

/** In the form of its network, which is checked when the network is made. */
export const address = z.string().regex(/^[0-9A-Za-z]{32,44}$/, "expected an address");

export const stablecoin = z.strictObject({
  symbol: z.string().meta({ description: "Symbol, e.g. `USDC`." }),
  address: address.meta({ description: "Token contract." }),
  peg: z.string().default("USD").meta({ description: "Currency code; only `USD` anchors prices." }),
});

export const freezableCoin = z.strictObject({
  symbol: z.string().meta({ description: "Symbol." }),
  address: address.meta({ description: "Token contract." }),
  families: z.array(z.enum(ISSUER_FAMILY_IDS)).meta({
    description:
      "Freeze mechanisms of its issuer: several for a contract that was upgraded in place, none when it cannot freeze.",
  }),
  decimals: z
    .int()
    .min(0)
    .max(36)
    .nullable()
    .default(null)
    .meta({ description: "Decimals; null: read from the contract." }),
  start_block: z
    .int()
    .min(0)
    .nullable()
    .default(null)
    .meta({ description: "Block of the contract's creation; null: the chain's first block." }),
});

export const venue = z.strictObject({
  venue: z.string().meta({ description: "Name shown in answers." }),
  family: z.enum(LISTABLE_FAMILIES).meta({ description: "Contract family." }),
  factory: address.meta({
    description:
      "Factory contract; for Balancer the vault, for Curve the registry, for pools in one contract its pool manager.",
  }),
  fee_ppm: z
    .int()
    .min(0)
    .nullable()
    .default(null)
    .meta({ description: "Swap fee in millionths; null when each pool has its own." }),
});
