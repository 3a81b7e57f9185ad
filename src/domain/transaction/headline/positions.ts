/** Events with one layout for several acts, distinguished by the signs of their changes. */

import type { EventLog } from "../../../chains/chain.ts";
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { type Hex, padHexEnd, toHex } from "../../../lib/bytes.ts";
import { intAt, WORD_BYTES } from "../../../lib/words.ts";
import { topicOf } from "../../../protocols/protocol.ts";
import type { HeadlineReading } from "./case.ts";
import type { HeadlineEvidence } from "./evidence.ts";
import type { HeadlineType } from "./types.ts";

interface PositionLayout {
  readonly topic: Hex;
  readonly protocol: string;
  readonly says: string;
  /** Change of collateral and of debt; null when the log is too short. */
  readonly changes: (log: EventLog) => readonly [collateral: bigint, debt: bigint] | null;
}

const SELECTOR_BYTES = 4;

const wordsOf = (data: Uint8Array, first: number, second: number): readonly [bigint, bigint] | null =>
  data.length < (Math.max(first, second) + 1) * WORD_BYTES ? null : [intAt(data, first), intAt(data, second)];

const FROB = "frob(bytes32,address,address,address,int256,int256)";
const OPERATE = INTERFACES.fluid.LogOperate;

const LAYOUTS: readonly PositionLayout[] = [
  {
    // makerdao/dss vat.sol: the note's first topic is the selector, its payload the whole call behind offset and length.
    topic: padHexEnd(toHex(topicOf(FROB).subarray(0, SELECTOR_BYTES)), WORD_BYTES),
    ...{ protocol: "Maker", says: FROB },
    changes: ({ data }) => wordsOf(data.subarray(2 * WORD_BYTES + SELECTOR_BYTES), 4, 5),
  },
  {
    // Instadapp/fluid-contracts-public vaultT1/coreModule/events.sol
    topic: toHex(topicOf(OPERATE)),
    ...{ protocol: "Fluid", says: OPERATE },
    changes: ({ data }) => wordsOf(data, 2, 3),
  },
];

const SCORE = 64;

const typesOf = (collateral: bigint, debt: bigint): readonly HeadlineType[] => [
  ...(debt > 0n ? (["borrow"] as const) : []),
  ...(debt < 0n ? (["repay"] as const) : []),
  ...(collateral > 0n ? (["supply"] as const) : []),
  ...(collateral < 0n ? (["withdraw"] as const) : []),
];

/** Position changes in the logs. When several change at once, the change of debt is the likelier headline. */
export const positionsIn = ({ transaction }: HeadlineReading): readonly HeadlineEvidence[] =>
  transaction.logs.flatMap((log) => {
    const [topic] = log.topics;
    const layout = LAYOUTS.find((one) => topic !== undefined && one.topic === toHex(topic));
    const changes = layout?.changes(log) ?? null;
    if (layout === undefined || changes === null) return [];
    return typesOf(...changes).map(
      (type, i): HeadlineEvidence => ({
        ...{ type, actor: null, score: SCORE - i, protocol: layout.protocol, contract: toHex(log.address) },
        ...{ says: layout.says, confidence: "protocol", names: [], needs: null },
      }),
    );
  });
