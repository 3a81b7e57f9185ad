import type { Hex } from "../../lib/bytes.ts";
import type { SnapshotContext } from "../context.ts";
import { airdropsAmong } from "../holdings/airdrops.ts";
import type { Price } from "../prices/price_now.ts";
import { metadataIn, type TokenMetadata } from "../tokens/metadata.ts";
import { faceReasons } from "../tokens/spam.ts";
import type { Touched } from "./read_history.ts";

export interface SpamContext {
  readonly place: SnapshotContext;
  readonly wallet: Hex;
  readonly touched: Touched;
  readonly faces: ReadonlyMap<Hex, TokenMetadata>;
  readonly priceOf: (bucket: Hex) => Price | null;
  readonly is_wallet_contract: boolean;
}

/** Why tokens that the wallet never moved itself look like spam, by bucket. */
export const readSpam = async (context: SpamContext, buckets: readonly Hex[]): Promise<ReadonlyMap<Hex, string[]>> => {
  const { place, wallet, touched, faces, priceOf } = context;
  const suspects = buckets.filter(
    (bucket) => touched.buckets.has(bucket) && bucket !== "" && !touched.initiated.has(bucket),
  );
  const unpriced = suspects.filter((bucket) => priceOf(bucket) === null);
  const mass = await airdropsAmong(place, wallet, unpriced);
  const reasons = new Map<Hex, string[]>();
  for (const bucket of suspects) {
    const confidence = priceOf(bucket)?.confidence ?? null;
    const found: string[] = [...faceReasons(place.chain.network, metadataIn(faces, bucket), confidence)];
    if (mass.has(bucket)) found.push("mass_airdrop");
    const is_taken = !touched.received.has(bucket) && confidence === null && !context.is_wallet_contract;
    if (is_taken) found.push("unrequested_outflow");
    if (found.length > 0) reasons.set(bucket, found);
  }
  return reasons;
};
