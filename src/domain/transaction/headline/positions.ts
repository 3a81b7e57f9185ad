/** Events with one layout for several acts, distinguished by the signs of their changes. */

import type { EventLog } from "../../../chains/chain.ts";
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import type { FieldPosition } from "../../../knowledge/protocol_row.ts";
import { type Hex, padHexEnd, toHex } from "../../../lib/bytes.ts";
import { intAt, WORD_BYTES } from "../../../lib/words.ts";
import { topicOf } from "../../../protocols/protocol.ts";
import { addressIn, figuresIn, type HeadlineReading } from "./case.ts";
import type { HeadlineEvidence } from "./evidence.ts";
import { netOf } from "./nets.ts";
import { isBurnt, isMinted } from "./sides.ts";
import type { HeadlineType } from "./types.ts";

interface PositionLayout {
  readonly topic: Hex;
  /** Null where several protocols have the event. */
  readonly protocol: string | null;
  readonly says: string;
  /** Field that names the account of the position; null without one. */
  readonly actor: FieldPosition | null;
  /** Change of collateral and of debt; null when the log is too short. */
  readonly changes: (log: EventLog) => readonly [collateral: bigint, debt: bigint] | null;
}

const SELECTOR_BYTES = 4;

const wordsOf = (data: Uint8Array, first: number, second: number): readonly [bigint, bigint] | null =>
  data.length < (Math.max(first, second) + 1) * WORD_BYTES ? null : [intAt(data, first), intAt(data, second)];

const FROB = "frob(bytes32,address,address,address,int256,int256)";
const BORROW = "Borrow(address,uint256,uint256)";
const REPAY = "Repay(address,uint256,uint256)";
const OPERATE = INTERFACES.fluid.LogOperate;

const LAYOUTS: readonly PositionLayout[] = [
  {
    // makerdao/dss vat.sol: the note's first topic is the selector, its payload the whole call behind offset and length.
    topic: padHexEnd(toHex(topicOf(FROB).subarray(0, SELECTOR_BYTES)), WORD_BYTES),
    ...{ protocol: "Maker", says: FROB, actor: null },
    changes: ({ data }) => wordsOf(data.subarray(2 * WORD_BYTES + SELECTOR_BYTES), 4, 5),
  },
  {
    // Instadapp/fluid-contracts-public vaultT1/coreModule/events.sol
    topic: toHex(topicOf(OPERATE)),
    ...{ protocol: "Fluid", says: OPERATE, actor: null },
    changes: ({ data }) => wordsOf(data, 2, 3),
  },
  {
    // curvefi/curve-stablecoin Controller.vy: added collateral is a loan of 0.
    topic: toHex(topicOf(BORROW)),
    ...{ protocol: null, says: BORROW, actor: "t1" },
    changes: ({ data }) => wordsOf(data, 0, 1),
  },
  {
    topic: toHex(topicOf(REPAY)),
    ...{ protocol: null, says: REPAY, actor: "t1" },
    changes: ({ data }) => {
      const lowered = wordsOf(data, 0, 1);
      return lowered === null ? null : [-lowered[0], -lowered[1]];
    },
  },
];

const layoutOf = ({ topics: [topic] }: EventLog): PositionLayout | undefined =>
  LAYOUTS.find((one) => topic !== undefined && one.topic === toHex(topic));

/** The log states its changes with their direction, and one of them is not 0. */
export const isSigned = (log: EventLog): boolean =>
  layoutOf(log)
    ?.changes(log)
    ?.some((change) => change !== 0n) === true;

const SCORE = 64;

const typesOf = (collateral: bigint, debt: bigint): readonly HeadlineType[] => [
  ...(debt > 0n ? (["borrow"] as const) : []),
  ...(debt < 0n ? (["repay"] as const) : []),
  ...(collateral > 0n ? (["supply"] as const) : []),
  ...(collateral < 0n ? (["withdraw"] as const) : []),
];

const SUPPLY = toHex(topicOf(INTERFACES.comet.Supply));
const WITHDRAW = toHex(topicOf(INTERFACES.comet.Withdraw));
/** Two indexed accounts. Deposits of other contracts name the token as the second. */
const [OWNER, OTHER] = ["t1", "t2"] as const;
const COMET_SCORE = 92;
/** A transaction with more such events has no single position. */
const COMET_MAX = 32;

const isComet = ({ topics: [topic] }: EventLog): boolean =>
  topic !== undefined && [SUPPLY, WITHDRAW].includes(toHex(topic));

/**
 * Markets of Compound v3 and their copies log one event for two acts. They mint and burn shares only for the supplied
 * part of a change, so that a change without shares is a loan or its repayment. Source: compound-finance/comet Comet.sol.
 */
const cometPositionsIn = (reading: HeadlineReading): readonly HeadlineEvidence[] =>
  reading.transaction.logs
    .filter(isComet)
    .slice(0, COMET_MAX)
    .flatMap((log) => {
      const topic = log.topics[0] === undefined ? "" : toHex(log.topics[0]);
      const [first, second] = [addressIn(log, OWNER), addressIn(log, OTHER)];
      if (first === null || second === null) return [];
      if (reading.tokens.has(second)) return [];
      const contract = toHex(log.address);
      const is_supply = topic === SUPPLY;
      const [amount] = figuresIn(log);
      const { given, received } = netOf(reading.nets, is_supply ? second : first);
      const is_paid = reading.movements.some(
        ({ token, source, destination, ...move }) =>
          move.amount === amount &&
          (is_supply ? destination : source) === contract &&
          (is_supply ? given : received).some((side) => side.token === token),
      );
      if (!is_paid) return [];
      const has_shares = is_supply ? isMinted(reading, contract) : isBurnt(reading, contract);
      const debt_type = is_supply ? "repay" : "borrow";
      const supply_type = is_supply ? "supply" : "withdraw";
      return [
        {
          ...{ type: has_shares ? supply_type : debt_type, actor: is_supply ? second : first, score: COMET_SCORE },
          ...{ protocol: null, contract, says: is_supply ? INTERFACES.comet.Supply : INTERFACES.comet.Withdraw },
          ...{ basis: "standard", names: [first, second], needs: null },
        },
      ];
    });

/** Position changes in the logs. When several change at once, the change of debt is the likelier headline. */
const signedPositionsIn = ({ transaction }: HeadlineReading): readonly HeadlineEvidence[] =>
  transaction.logs.flatMap((log) => {
    const layout = layoutOf(log);
    const changes = layout?.changes(log) ?? null;
    if (layout === undefined || changes === null) return [];
    return typesOf(...changes).map(
      (type, i): HeadlineEvidence => ({
        ...{
          type,
          actor: layout.actor === null ? null : addressIn(log, layout.actor),
          score: SCORE - i,
          protocol: layout.protocol,
          contract: toHex(log.address),
        },
        ...{ says: layout.says, basis: layout.protocol === null ? "standard" : "protocol", names: [], needs: null },
      }),
    );
  });

/** Position changes that the logs state with their direction. */
export const positionsIn = (reading: HeadlineReading): readonly HeadlineEvidence[] => [
  ...signedPositionsIn(reading),
  ...cometPositionsIn(reading),
];
