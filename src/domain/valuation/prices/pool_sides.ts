import type { Hex } from "../../../lib/bytes.ts";
import type { IndexedFacts } from "../../context.ts";

/** Pools of a token, as query parameters. */
export interface PoolSides {
  /** Pools of known factories. */
  readonly pools: readonly Hex[];
  /** Those with the token as their first coin. */
  readonly firsts: readonly Hex[];
}

/** Pool facts are cached, so a query that names the pools reads only their trades. token: never ''. */
export const poolSidesOf = async ({ facts, snapshot }: IndexedFacts, token: Hex): Promise<PoolSides> => {
  const found = await facts.ask(snapshot, "pools_of_tokens", { tokens: [token] });
  const known = found.filter(({ venue }) => venue !== "");
  return {
    pools: known.map(({ pool }) => pool),
    firsts: known.filter(({ token0 }) => token0 === token).map(({ pool }) => pool),
  };
};
