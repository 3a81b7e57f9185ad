import { POSITION_EVENTS } from "../knowledge/acts.gen.ts";
import type { PositionEvent } from "../knowledge/protocol_row.ts";
import { uintAt, WORD_BYTES } from "../lib/words.ts";
import { NOTHING, type Protocol } from "./protocol.ts";
import { topicAddress } from "./topics.ts";

/** Money markets, as `knowledge/protocols` describes them. */

const decodeBy = (row: PositionEvent): Protocol["decode"] => {
  return ({ topics, data }) => {
    const [asset, holder] = [topics[row.asset], topics[row.account]];
    if (topics.length !== row.topics || data.length !== row.words * WORD_BYTES || !asset || !holder) return NOTHING;
    return [
      {
        fact: "position",
        kind: row.kind,
        asset: topicAddress(asset),
        account: topicAddress(holder),
        position_id: null,
        amount0: uintAt(data, row.amount),
        amount1: 0n,
        liquidity: 0n,
      },
    ];
  };
};

export const lendingEvents: readonly Protocol[] = POSITION_EVENTS.map((row) => ({
  name: row.name,
  source: row.source,
  event: row.event,
  decode: decodeBy(row),
}));
