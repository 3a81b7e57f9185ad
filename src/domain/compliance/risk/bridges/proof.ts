/** The other side of a crossing, proven by an id that both sides state. */
import type { Chain } from "../../../../chains/chain.ts";
import type { Hex } from "../../../../lib/bytes.ts";
import { AssayError } from "../../../../lib/errors.ts";
import { isOneCrossing, mayCrossTo, type StatedCrossing, statesIds } from "../../../../protocols/bridge_ids.ts";
import type { QueryRow } from "../../../../store/facts.ts";
import type { SnapshotContext } from "../../../context.ts";
import { metadataIn, metadataOf } from "../../../token/metadata/metadata.ts";
import type { RiskScope } from "../address_risks.ts";
import { bucketOf } from "../own_transfers.ts";
import { coinOf } from "./coins.ts";
import {
  HOUR_S,
  isSameAmount,
  isWithinFee,
  type MatchedSide,
  MOVES_MAX,
  type MovedSide,
  WITHDRAWAL_S,
} from "./side.ts";
import type { StatementReader } from "./statements.ts";

/** Both sides state one id, by contracts of the bridge itself. */
const CONFIDENCE = 0.99;
/** Clocks of two networks differ. */
const SKEW_S = 60;
/** The nearest transactions of an account in time, of which the most likely are read from the node. */
const NEAREST_MAX = 100;
const READ_MAX = 8;

type BridgeMove = QueryRow<"bridges/bridge_moves">;

export interface ProofQuestion {
  readonly chains: readonly Chain[];
  readonly sight: RiskScope;
  readonly statements: StatementReader;
}

/** The newest state of a network; null where nothing is indexed. */
const newestOf = async ({ scope }: MovedSide, chain: Chain): Promise<SnapshotContext | null> => {
  try {
    return { ...scope, chain, snapshot: await scope.facts.snapshot(chain.network.id, null) };
  } catch (error) {
    if (error instanceof AssayError && error.code === "COVERAGE_INCOMPLETE") return null;
    throw error;
  }
};

interface Candidate {
  readonly hash: Hex;
  readonly moves: readonly BridgeMove[];
}

const placeOf = ({ block_number, tx_index }: Pick<BridgeMove, "block_number" | "tx_index">): string =>
  `${block_number}:${tx_index}`;

/** Transactions with movements, those with a bridge that states ids first, then the nearest in time. */
const candidatesIn = async (
  there: SnapshotContext,
  moves: readonly BridgeMove[],
  { time }: MovedSide,
): Promise<readonly Candidate[]> => {
  const grouped = new Map<string, readonly BridgeMove[]>();
  for (const move of moves) grouped.set(placeOf(move), [...(grouped.get(placeOf(move)) ?? []), move]);
  const away = ({ moves: [first] }: Pick<Candidate, "moves">): number => Math.abs((first?.time ?? 0) - time);
  const nearest = [...grouped.values()].sort((a, b) => away({ moves: a }) - away({ moves: b })).slice(0, NEAREST_MAX);
  const heads = nearest.flatMap(([head]) => head ?? []);
  if (heads.length === 0) return [];
  const details = await there.facts.ask(there.snapshot, "transaction_details", {
    blocks: heads.map(({ block_number }) => block_number),
    indexes: heads.map(({ tx_index }) => tx_index),
  });
  const { network } = there.chain;
  return details
    .map(({ hash, recipient, ...place }) => {
      const own = grouped.get(placeOf(place)) ?? [];
      return {
        hash,
        moves: own,
        is_bridge: [recipient, ...own.map(({ peer }) => peer)].some((one) => statesIds(network, one)),
      };
    })
    .sort((a, b) => Number(b.is_bridge) - Number(a.is_bridge) || away(a) - away(b))
    .slice(0, READ_MAX);
};

/** The movement of the other side: of the amount that its event states, or of the same coin less a fee. */
const movedIn = async (
  there: SnapshotContext,
  { moves, stated }: Pick<Candidate, "moves"> & { readonly stated: StatedCrossing },
  side: MovedSide,
): Promise<BridgeMove | null> => {
  const exact = moves.find(
    ({ amount }) => stated.amount !== null && isSameAmount(Number(amount), Number(stated.amount)),
  );
  if (exact !== undefined) return exact;
  const coin = coinOf(side.scope.chain.network, side.token);
  const same = moves.filter(({ token }) => coin !== null && coinOf(there.chain.network, token) === coin);
  if (same.length === 0) return null;
  const [here, faces] = await Promise.all([
    metadataOf(side.scope, [side.token]),
    metadataOf(there, [...new Set(same.map(({ token }) => token))]),
  ]);
  const wholeOf = (amount: number, decimals: number | null): number => amount / 10 ** (decimals ?? Number.NaN);
  const own = wholeOf(side.amount, metadataIn(here, side.token).decimals);
  const fits = same.find(({ amount, token }) => {
    const other = wholeOf(Number(amount), metadataIn(faces, token).decimals);
    return side.is_arrival ? isWithinFee(other, own) : isWithinFee(own, other);
  });
  return fits ?? null;
};

interface AccountQuestion extends ProofQuestion {
  readonly account: Hex;
  readonly stated: readonly StatedCrossing[];
  /** Seconds between both sides at most. */
  readonly seconds: number;
}

const provenOn = async (
  side: MovedSide,
  there: SnapshotContext,
  { account, stated, seconds, statements, sight }: AccountQuestion,
): Promise<readonly MatchedSide[]> => {
  const from = side.is_arrival ? side.time - seconds : side.time - SKEW_S;
  // Nothing after the time of the answer counts.
  const until = Math.min(side.is_arrival ? side.time + SKEW_S : side.time + seconds, sight.scope.snapshot.block.time);
  const moves = await there.facts.ask(there.snapshot, "bridges/bridge_moves", {
    ...{ address: account, direction: side.is_arrival ? -1 : 1, tokens: [], from, until, limit: MOVES_MAX },
  });
  const found: MatchedSide[] = [];
  for (const { hash, moves: own } of await candidatesIn(there, moves, side)) {
    const [place] = own;
    const read = place === undefined ? null : await statements.read(there, place, hash);
    const other = read?.find((one) => stated.some((mine) => isOneCrossing(mine, one)));
    const move = other === undefined ? null : await movedIn(there, { moves: own, stated: other }, side);
    if (move === null) continue;
    const { block_number, tx_index, time, peer, token } = move;
    const crossed = { scope: there, is_arrival: !side.is_arrival, holder: account, bridge: peer };
    const bucket = bucketOf(there, token, null);
    found.push({ side: { ...crossed, bucket, block_number, tx_index, time }, confidence: CONFIDENCE });
    if (stated.length === 1) return found;
  }
  return found;
};

/** The only other side with an id that this side states; null where neither node nor index shows it. */
export const provenSide = async (
  side: MovedSide,
  stated: readonly StatedCrossing[],
  question: ProofQuestion,
): Promise<MatchedSide | null> => {
  const here = side.scope.chain.network;
  const accounts = [...new Set(stated.map(({ other_account }) => other_account ?? side.holder))];
  const others = question.chains.filter(
    ({ network }) => network.id !== here.id && stated.some((one) => mayCrossTo(one, network)),
  );
  for (const seconds of [HOUR_S, WITHDRAWAL_S]) {
    const found: MatchedSide[] = [];
    for (const chain of others) {
      const there = await newestOf(side, chain);
      if (there === null) continue;
      for (const account of accounts)
        found.push(...(await provenOn(side, there, { ...question, account, stated, seconds })));
    }
    const [only, ...more] = found;
    if (only !== undefined) return more.length === 0 ? only : null;
  }
  return null;
};
