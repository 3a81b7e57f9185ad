import type { Hex } from "../../lib/bytes.ts";
import { toAmount } from "../../lib/money.ts";
import { HOUR_S, hourOf } from "../../lib/time.ts";
import type { SnapshotContext } from "../context.ts";
import { readHolderSums } from "../holders/sums.ts";
import { metadataIn, type TokenMetadata } from "../tokens/metadata.ts";

/** The highest that any of the tokens' supply of now was worth in an hour, USD; null when none had a price. */
export const highestMcap = async (
  { facts, snapshot }: SnapshotContext,
  tokens: readonly Hex[],
  faces: ReadonlyMap<Hex, TokenMetadata>,
): Promise<number | null> => {
  const until = hourOf(snapshot.block.time) - HOUR_S;
  const prices = await facts.ask(snapshot, "developer/highest_prices", { tokens: [...tokens], until });
  const values = prices.map(async ({ token, price_usd }) => {
    const { decimals } = metadataIn(faces, token);
    const { supply, is_doubtful } = await readHolderSums({ facts, snapshot }, token);
    return decimals === null || is_doubtful ? null : toAmount(supply, decimals) * price_usd;
  });
  const known = (await Promise.all(values)).flatMap((value) => value ?? []);
  return known.length === 0 ? null : Math.max(...known);
};
