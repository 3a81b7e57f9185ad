import type { Hex } from "../../../lib/bytes.ts";
import type { HeldFacts } from "../../context.ts";

/** Where a token is traded, as questions about its trades want it. */
export interface PoolSides {
  /** Pools of known factories. */
  readonly pools: readonly Hex[];
  /** Those of them of which the token is the first coin. */
  readonly firsts: readonly Hex[];
}

/** What is known of pools stands in memory: a question that is told them reads their trades alone. token: never ''. */
export const poolSidesOf = async ({ facts, snapshot }: HeldFacts, token: Hex): Promise<PoolSides> => {
  const found = await facts.ask(snapshot, "pools_of_tokens", { tokens: [token] });
  const known = found.filter(({ venue }) => venue !== "");
  return {
    pools: known.map(({ pool }) => pool),
    firsts: known.filter(({ token0 }) => token0 === token).map(({ pool }) => pool),
  };
};
