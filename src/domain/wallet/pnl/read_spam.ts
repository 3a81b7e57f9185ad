import type { Hex } from "../../../lib/bytes.ts";
import type { ReadMovements } from "../../address/movements/read_movements.ts";
import type { SnapshotContext } from "../../context.ts";
import { metadataIn, type TokenMetadata } from "../../token/metadata/metadata.ts";
import { isCanonical, registryOf } from "../../token/metadata/registry.ts";
import { faceReasons } from "../../token/metadata/spam.ts";
import { readHistory } from "../history/history.ts";
import { spamTokens } from "../history/token_spam.ts";
import type { TouchedBuckets } from "./read_history.ts";
import type { PnlRow } from "./rows.ts";

export interface SpamContext {
  readonly scope: SnapshotContext;
  readonly wallet: Hex;
  readonly touched: TouchedBuckets;
  readonly faces: ReadonlyMap<Hex, TokenMetadata>;
  readonly read: ReadMovements;
  /** The last counted second. */
  readonly end: number;
}

/**
 * Reasons why tokens look like spam, by bucket: the wallet never moved them itself, and its history flags every
 * movement of them. Tokens held before the first block are judged by name only.
 */
export const readSpam = async (
  { scope, wallet, touched, faces, read, end }: SpamContext,
  rows: readonly PnlRow[],
): Promise<ReadonlyMap<Hex, readonly string[]>> => {
  const { network } = scope.chain;
  const suspects = rows
    .map(({ entry }) => entry.bucket)
    .filter((bucket) => touched.buckets.has(bucket) && !isCanonical(network, bucket) && !touched.initiated.has(bucket));
  if (suspects.length === 0) return new Map();
  const moved = suspects.filter((bucket) => touched.moved.has(bucket));
  const registry = await registryOf(scope);
  const named = suspects
    .filter((bucket) => !touched.moved.has(bucket))
    .map((bucket) => [bucket, faceReasons(registry, metadataIn(faces, bucket), null)] as const)
    .filter(([, reasons]) => reasons.length > 0);
  const history = moved.length === 0 ? null : await readHistory(scope, wallet, { from: 0, until: end + 1, read });
  return new Map([...named, ...(history === null ? [] : spamTokens(history, moved))]);
};
