import type { Hex } from "../../../lib/bytes.ts";
import { hourOf } from "../../../lib/time.ts";
import type { SnapshotContext } from "../../context.ts";
import { pricesAtHours } from "../../valuation/prices/price_now.ts";
import type { TokenPool } from "./pools.ts";
import { readHolders } from "./read.ts";

/** Start of the token's trading, as far back as the index reaches. */
const tradedSince = async (
  { facts, snapshot }: SnapshotContext,
  pools: readonly TokenPool[],
): Promise<number | null> => {
  const created = pools.map(({ created_block }) => created_block ?? snapshot.from_block);
  const [row] = await facts.ask(snapshot, "block_times", { blocks: [created.reduce((a, b) => Math.min(a, b))] });
  return row?.time ?? null;
};

/** The current price of the native coin, the token's holders, and the start of its trading. */
export const readMarketContext = (scope: SnapshotContext, token: Hex, pools: readonly TokenPool[]) => {
  const { facts, snapshot, chain } = scope;
  return Promise.all([
    pricesAtHours({ facts, network: chain.network, snapshot }, [{ token: "", hour: hourOf(snapshot.block.time) }]),
    readHolders(scope, token),
    pools.length === 0 ? null : tradedSince(scope, pools),
  ]);
};
