import type { MinedTransaction } from "../../../chains/transaction_details.ts";
import { type Hex, toHex } from "../../../lib/bytes.ts";
import { toAmount, usdOf } from "../../../lib/money.ts";
import { hourOf } from "../../../lib/time.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { contractsAmong, labelsOf, type Party, UNKNOWN_PARTY } from "../../identity/parties.ts";
import { priceKey, pricesAtHours } from "../../prices/price_now.ts";
import { metadataIn, metadataOf, type TokenMetadata } from "../../tokens/metadata.ts";
import type { Action, PoolTokens } from "../actions/action.ts";
import { poolsIn } from "../actions/exchange.ts";
import { actionsOf } from "../actions/index.ts";
import { type Approval, approvalsOf } from "../approvals.ts";
import { type Mev, mevOf } from "../mev.ts";
import { type Movement, movementsOf } from "../movements.ts";
import type { Found } from "./find.ts";

/** What is known of a transaction from its own bytes. */
export interface TransactionReading {
  readonly movements: readonly Movement[];
  readonly approvals: readonly Approval[];
  readonly actions: readonly Action[];
}

/** Names, prices and what else was read about everybody and everything in it. */
export interface Known {
  readonly reading: TransactionReading;
  readonly mev: Mev;
  readonly party: (address: Hex) => Party;
  readonly is_contract: (address: Hex) => boolean | null;
  readonly face: (token: Hex) => TokenMetadata;
  /** In whole tokens; null when the token does not tell its decimals. A piece counts as itself. */
  readonly amount: (token: Hex, amount: bigint, is_piece: boolean) => number | null;
  /** At the hour of the block; null without a price. */
  readonly usd: (token: Hex, amount: bigint) => number | null;
  readonly warnings: readonly Warning[];
}

/** Labels are asked for this many addresses of one transaction; airdrops have thousands. */
const PARTIES_MAX = 2_000;

const NOTHING: TransactionReading = { movements: [], approvals: [], actions: [] };

const poolTokens = async ({ facts, snapshot }: SnapshotContext, mined: MinedTransaction) => {
  const pools = poolsIn(mined.transaction, ["swap", "liquidity"]);
  if (pools.length === 0) return new Map<Hex, PoolTokens>();
  const rows = await facts.ask(snapshot, "pools_among", { pools: [...pools] });
  return new Map<Hex, PoolTokens>(
    rows.map(({ pool, token0, token1, venue, family }) => [pool, { token0, token1, venue, family }]),
  );
};

const readingOf = async (place: SnapshotContext, { seen }: Found): Promise<TransactionReading> => {
  const { mined } = seen;
  if (mined === null) return NOTHING;
  const { transaction, trace } = mined;
  const { wrapped_native } = place.chain.network;
  const movements = movementsOf(transaction, place.chain.network);
  const approvals = approvalsOf(transaction, trace);
  const pools = await poolTokens(place, mined);
  // The authority of a list is bound to a chain by its own number; 0 is any.
  const chain_id = BigInt(place.chain.network.chain_id);
  const authorizations = seen.authorizations.filter((one) => one.chain_id === 0n || one.chain_id === chain_id);
  const actions = actionsOf({ transaction, movements, approvals, authorizations, pools, wrapped_native });
  return { movements, approvals, actions };
};

/** True when the block's own facts are in the index. */
export const isIndexed = ({ snapshot, seen }: Pick<Found, "snapshot" | "seen">): boolean => {
  const number = seen.mined?.block.number ?? null;
  return number !== null && number >= snapshot.from_block && number <= snapshot.block.number;
};

const MEV_UNCHECKED: Warning = {
  code: "MEV_NOT_CHECKED",
  message: "The block is not indexed, so transactions before and behind this one were not looked at.",
};

const readMev = async (
  place: SnapshotContext,
  found: Found,
  actions: readonly Action[],
): Promise<Mev & { unchecked: boolean }> => {
  const { mined, hash } = found.seen;
  const pools = mined === null ? [] : poolsIn(mined.transaction, ["swap"]);
  const tx_hash = toHex(hash);
  if (mined === null || pools.length === 0) return { ...mevOf({ tx_hash, actions, swaps: [] }), unchecked: false };
  if (!isIndexed(found)) return { ...mevOf({ tx_hash, actions, swaps: null }), unchecked: true };
  const rows = await place.facts.ask(place.snapshot, "transaction/block_swaps", {
    block: mined.block.number,
    pools: [...pools].sort(),
  });
  return { ...mevOf({ tx_hash, actions, swaps: rows }), unchecked: false };
};

const partiesOf = ({ seen }: Found, { movements, approvals, actions }: TransactionReading): readonly Hex[] => {
  const own = [toHex(seen.sender), ...(seen.recipient === null ? [] : [toHex(seen.recipient)])];
  const all = [
    ...own,
    ...movements.flatMap(({ source, destination }) => [source, destination]),
    ...approvals.flatMap(({ owner, spender }) => [owner, spender]),
    ...actions.flatMap(({ actor, contract }) => (contract === null ? [actor] : [actor, contract])),
  ];
  return [...new Set(all)].filter((address) => address !== "");
};

const CUT: Warning = {
  code: "PARTIES_CUT",
  message: `Only the first ${PARTIES_MAX} addresses of this transaction were looked up by name.`,
};

/** Everything about one transaction that tables and nodes know besides its own bytes. */
export const readKnown = async (place: SnapshotContext, found: Found): Promise<Known> => {
  const { facts, chain, snapshot } = place;
  const reading = await readingOf(place, found);
  const parties = partiesOf(found, reading);
  const { movements, approvals, actions } = reading;
  const tokens = new Set([
    ...["", ...movements.map(({ token }) => token), ...approvals.map(({ token }) => token)],
    ...actions.flatMap(({ given, received }) => [...given, ...received].map(({ token }) => token)),
  ]);
  const hour = hourOf(found.seen.mined?.block.time ?? snapshot.block.time);
  const wanted = [...tokens].map((token) => ({ token, hour }));
  const ends = [toHex(found.seen.sender), ...(found.seen.recipient === null ? [] : [toHex(found.seen.recipient)])];
  const [{ unchecked, ...mev }, labels, faces, prices, contracts] = await Promise.all([
    readMev(place, found, actions),
    labelsOf(facts, snapshot, parties.slice(0, PARTIES_MAX)),
    metadataOf(place, [...tokens]),
    pricesAtHours({ facts, network: chain.network, snapshot }, wanted),
    contractsAmong(place, ends),
  ]);
  const face = (token: Hex) => metadataIn(faces, token);
  return {
    reading,
    mev,
    party: (address) => labels.get(address) ?? UNKNOWN_PARTY,
    is_contract: (address) => contracts.get(address) ?? null,
    face,
    amount: (token, amount, is_piece) => {
      const decimals = is_piece ? 0 : face(token).decimals;
      return decimals === null ? null : toAmount(amount, decimals);
    },
    usd: (token, amount) => {
      const { decimals } = face(token);
      const price = prices.get(priceKey(token, hour))?.price_usd ?? null;
      return decimals === null ? null : usdOf(amount, decimals, price);
    },
    warnings: [...(unchecked ? [MEV_UNCHECKED] : []), ...(parties.length > PARTIES_MAX ? [CUT] : [])],
  };
};

/** Addresses that took part, in the order in which they appear. */
export const partiesIn = (found: Found, reading: TransactionReading): readonly Hex[] => partiesOf(found, reading);
