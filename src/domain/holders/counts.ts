import type { Hex } from "../../lib/bytes.ts";
import type { HeldFacts } from "../context.ts";

/**
 * How many addresses hold each of these tokens; absent: nobody. Null where the token's events add up to amounts that
 * nobody can have.
 */
export const readHolderCounts = async (
  { facts, snapshot }: HeldFacts,
  tokens: readonly Hex[],
): Promise<ReadonlyMap<Hex, number | null>> => {
  if (tokens.length === 0) return new Map();
  const rows = await facts.ask(snapshot, "holders/counts", { tokens: [...tokens] });
  const { complete, logs } = snapshot.coverage;
  return new Map(
    rows.map(({ token, holders, below_zero, beyond }) => [
      token,
      below_zero + beyond > 0 && complete && logs ? null : holders,
    ]),
  );
};
