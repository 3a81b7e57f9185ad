import type { Hex } from "../../../lib/bytes.ts";
import type { Row } from "../../../store/facts.ts";
import type { SnapshotContext } from "../../context.ts";

type Place = Pick<SnapshotContext, "facts" | "snapshot">;

/** One wallet in the window [from, until), unix seconds. */
interface Counted {
  readonly wallet: Hex;
  readonly from: number;
  readonly until: number;
}

export type Counts = Row<"stats/counts">;

const EMPTY: Counts = {
  sightings: 0,
  tx_count: 0,
  tx_sent: 0,
  tx_received: 0,
  token_transfer_count: 0,
  nft_transfer_count: 0,
  unique_counterparties: 0,
  unique_tokens: 0,
  days: [],
  first_time: 0,
  last_time: 0,
};

/** What a wallet did in a window, counted; times are 0 where `sightings` is. */
export const readCounts = async ({ facts, snapshot }: Place, { wallet, from, until }: Counted): Promise<Counts> => {
  const [counts] = await facts.ask(snapshot, "stats/counts", { wallet, since: from, until });
  return counts ?? EMPTY;
};

/** How many contracts came out of a wallet's transactions in a window. */
export const readDeployedCount = async (
  { facts, snapshot }: Place,
  { wallet, from, until }: Counted,
): Promise<number> => {
  const [deployed] = await facts.ask(snapshot, "stats/deployed", { wallet, since: from, until });
  return deployed?.contracts ?? 0;
};
