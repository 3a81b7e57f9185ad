/** The two sides of a bridge, matched by owner, coin, amount and time. */
import type { Chain } from "../../../../chains/chain.ts";
import { AssayError } from "../../../../lib/errors.ts";
import type { Snapshot } from "../../../../store/facts.ts";
import type { SnapshotContext } from "../../../context.ts";
import { metadataIn, metadataOf } from "../../../token/metadata/metadata.ts";
import { addressRiskIn, type RiskScope, readAddressRisks } from "../address_risks.ts";
import { bucketOf } from "../own_transfers.ts";
import { coinOf, tokensOf } from "./coins.ts";
import type { ProofQuestion } from "./proof.ts";
import { HOUR_S, isWithinFee, type MatchedSide, MOVES_MAX, type MovedSide, WITHDRAWAL_S } from "./side.ts";

/** Both sides name one bridge, or not. */
const CONFIDENCE = { one_bridge: 0.9, two_names: 0.7 } as const;

/** One side of a bridge. */
export interface BridgeSide extends MovedSide {
  /** The bridge's owner; null where no label names it. */
  readonly entity: string | null;
  readonly coin: string;
  /** Whole coins. */
  readonly quantity: number;
}

/** The other side of a leg, or why it is unknown. `unindexed`: networks whose movements in the time of a crossing are unknown, because they are not indexed or too many. */
export interface BridgeMatch {
  readonly found: MatchedSide | null;
  readonly unindexed: readonly string[];
}

const nameOf = (entity: string | null): string => (entity ?? "").toLowerCase().replace(/[^a-z0-9]/g, "");

/** Whether the bridge is the own one of this roll-up. */
const isOwnBridge = (entity: string | null, { network }: Chain): boolean => nameOf(entity) === nameOf(network.id);

/** Seconds from a departure to its arrival at most. Only what leaves a roll-up by its own bridge waits. */
const windowOf = ({ entity, is_arrival, scope }: BridgeSide, other: Chain): number =>
  isOwnBridge(entity, is_arrival ? other : scope.chain) ? WITHDRAWAL_S : HOUR_S;

const isFit = (side: BridgeSide, quantity: number): boolean =>
  side.is_arrival ? isWithinFee(quantity, side.quantity) : isWithinFee(side.quantity, quantity);

/** A snapshot that holds the whole time; null where the index does not. */
const snapshotOver = async (
  { scope }: BridgeSide,
  { network }: Chain,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<Snapshot | null> => {
  try {
    const snapshot = await scope.facts.snapshot(network.id, null);
    if (snapshot.block.time < until) return null;
    if (snapshot.coverage.complete) return snapshot;
    const first = await scope.facts.ask(snapshot, "block_at_time", { time: from });
    return first.length > 0 ? snapshot : null;
  } catch (error) {
    if (error instanceof AssayError && error.code === "COVERAGE_INCOMPLETE") return null;
    throw error;
  }
};

/** Other sides of a crossing on one network; null where the index does not hold its time. */
const sidesOn = async (
  side: BridgeSide,
  chain: Chain,
  { operator, scope: { snapshot: asked } }: RiskScope,
): Promise<readonly BridgeSide[] | null> => {
  const seconds = windowOf(side, chain);
  const from = side.is_arrival ? side.time - seconds : side.time;
  // Nothing after the time of the answer counts.
  const until = side.is_arrival ? side.time : Math.min(side.time + seconds, asked.block.time);
  const tokens = tokensOf(chain.network, side.coin);
  if (tokens.length === 0) return [];
  const snapshot = await snapshotOver(side, chain, { from, until });
  if (snapshot === null) return null;
  const scope: SnapshotContext = { ...side.scope, chain, snapshot };
  const moves = await scope.facts.ask(snapshot, "bridges/bridge_moves", {
    ...{ address: side.holder, direction: side.is_arrival ? -1 : 1, tokens, from, until, limit: MOVES_MAX },
  });
  if (moves.length === 0) return [];
  if (moves.length === MOVES_MAX) return null;
  const [marks, faces] = await Promise.all([
    readAddressRisks(
      { scope, operator },
      moves.map(({ peer }) => peer),
    ),
    metadataOf(scope, [...new Set(moves.map(({ token }) => token))]),
  ]);
  return moves.flatMap(({ token, peer, amount, block_number, tx_index, time }): readonly BridgeSide[] => {
    const mark = addressRiskIn(marks, peer);
    const { decimals } = metadataIn(faces, token);
    if (!mark.is_bridge || decimals === null) return [];
    const quantity = Number(amount) / 10 ** decimals;
    if (!isFit(side, quantity)) return [];
    const { holder, coin, is_arrival } = side;
    const bucket = bucketOf(scope, token, null);
    return [
      {
        ...{ scope, is_arrival: !is_arrival, holder, bridge: peer, entity: mark.party.entity, coin, quantity, bucket },
        ...{ token, amount: Number(amount), block_number, tx_index, time },
      },
    ];
  });
};

interface FoundSides {
  readonly sides: readonly BridgeSide[];
  readonly unindexed: readonly string[];
}

/** Sides that fit, without those whose transactions state another crossing. */
const sidesOf = async (side: BridgeSide, { chains, sight, statements }: ProofQuestion): Promise<FoundSides> => {
  const others = chains.filter(
    ({ network }) => network.id !== side.scope.chain.network.id && network.family === side.scope.chain.network.family,
  );
  const found = await Promise.all(others.map((chain) => sidesOn(side, chain, sight)));
  const sides = found.flatMap((one) => one ?? []);
  const is_open: boolean[] = [];
  for (const other of sides) is_open.push(await statements.isOpen(side, other));
  return {
    sides: sides.filter((_, nth) => is_open[nth]),
    unindexed: others.filter((_, nth) => found[nth] === null).map(({ network }) => network.id),
  };
};

const isSame = (a: BridgeSide, b: BridgeSide): boolean =>
  a.scope.chain.network.id === b.scope.chain.network.id &&
  a.block_number === b.block_number &&
  a.tx_index === b.tx_index &&
  a.bridge === b.bridge;

const confidenceOf = (a: BridgeSide, b: BridgeSide): number =>
  a.entity !== null && nameOf(a.entity) === nameOf(b.entity) ? CONFIDENCE.one_bridge : CONFIDENCE.two_names;

/** The only other side, of which this one is the only other side too. */
export const matchOf = async (side: BridgeSide, question: ProofQuestion): Promise<BridgeMatch> => {
  const { sides, unindexed } = await sidesOf(side, question);
  const [other, ...more] = sides;
  if (other === undefined || more.length > 0) return { found: null, unindexed };
  const back = await sidesOf(other, question);
  const [own, ...rivals] = back.sides;
  const is_mutual = own !== undefined && rivals.length === 0 && isSame(own, side);
  return { found: is_mutual ? { side: other, confidence: confidenceOf(side, other) } : null, unindexed };
};

/** A movement as one side of a bridge; null for a coin that no list names, or of unknown decimals. */
export const sideOf = async (moved: MovedSide, entity: string | null): Promise<BridgeSide | null> => {
  const { scope, token, amount } = moved;
  const coin = coinOf(scope.chain.network, token);
  if (coin === null) return null;
  const { decimals } = metadataIn(await metadataOf(scope, [token]), token);
  return decimals === null ? null : { ...moved, entity, coin, quantity: amount / 10 ** decimals };
};
