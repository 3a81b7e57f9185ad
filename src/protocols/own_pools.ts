import type { EventLog } from "../chains/chain.ts";
import { type Hex, toHex } from "../lib/bytes.ts";
import { decodeLog } from "./index.ts";

/**
 * Contracts that these logs of one transaction show as constant-product pools: each emits its reserves and moves its own
 * shares. Money markets and tokens also log Mint or Burn with two numbers.
 */
export const ownPools = (logs: readonly EventLog[]): ReadonlySet<Hex> => {
  const [with_state, with_shares] = [new Set<Hex>(), new Set<Hex>()];
  for (const log of logs) {
    for (const found of decodeLog(log)) {
      if (found.fact === "pool_state") with_state.add(toHex(log.address));
      if (found.fact === "transfer" && found.kind === "erc20") with_shares.add(toHex(log.address));
    }
  }
  return new Set([...with_state].filter((address) => with_shares.has(address)));
};
