import type { Hex } from "../../lib/bytes.ts";
import type { Row } from "../../store/facts.ts";
import type { SnapshotContext } from "../context.ts";
import { LOOKALIKE_WINDOW_S } from "../tokens/spam.ts";

/**
 * The movements of a wallet that look-alikes in [from, until) (unix seconds) are judged by: those of the window, and of
 * the days before it in which a real peer may have been seen.
 */
export const readSightings = (
  { facts, snapshot }: Pick<SnapshotContext, "facts" | "snapshot">,
  wallet: Hex,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<readonly Row<"wallet_history/sightings">[]> =>
  facts.ask(snapshot, "wallet_history/sightings", {
    wallet,
    from_time: Math.max(0, from - LOOKALIKE_WINDOW_S),
    until_time: until - 1,
  });
