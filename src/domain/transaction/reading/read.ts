import type { Transaction } from "../../../chains/chain.ts";
import type { MinedTransaction } from "../../../chains/transaction_details.ts";
import { type Hex, toHex } from "../../../lib/bytes.ts";
import { toAmount } from "../../../lib/money.ts";
import { hourOf } from "../../../lib/time.ts";
import { contractsAmong, labelsOf, type Party, UNKNOWN_PARTY } from "../../address/identity/parties.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { metadataIn, metadataOf, settlingStandard, type TokenMetadata } from "../../token/metadata/metadata.ts";
import { priceKey, pricesAtHours } from "../../valuation/prices/price_now.ts";
import { usdOf } from "../../valuation/worth.ts";
import type { Action, PoolTokens } from "../actions/action.ts";
import { poolsIn } from "../actions/exchange.ts";
import { actionsOf } from "../actions/index.ts";
import { approvalsOf, type TokenApproval } from "../decoding/approvals.ts";
import { movementsOf, settleMovements, type TransactionMovement } from "../decoding/movements.ts";
import { actsHeadlineOf, tradeOfSender } from "../headline/acts_headline.ts";
import { attributed } from "../headline/attribution.ts";
import { requestedCallsIn } from "../headline/calls.ts";
import { dollarsOf, endsOf, type HeadlineCase } from "../headline/case.ts";
import { headlineOf } from "../headline/headline.ts";
import { protocolAt } from "../headline/names.ts";
import type { Headline } from "../headline/types.ts";
import type { TransactionMatch } from "./find.ts";
import { type Mev, mevOf } from "./mev.ts";

/** Facts from the transaction's own bytes. */
export interface TransactionReading {
  readonly movements: readonly TransactionMovement[];
  readonly approvals: readonly TokenApproval[];
  readonly actions: readonly Action[];
}

/** Names, prices and other facts about all parties and tokens of a transaction. */
export interface TransactionKnowledge {
  readonly reading: TransactionReading;
  /** The headline; null without evidence, and on networks without headlines. */
  readonly headline: Headline | null;
  readonly mev: Mev;
  readonly party: (address: Hex) => Party;
  readonly is_contract: (address: Hex) => boolean | null;
  readonly face: (token: Hex) => TokenMetadata;
  /** In whole tokens; null when the token does not report its decimals. An NFT counts as 1. */
  readonly amount: (token: Hex, amount: bigint, is_piece: boolean) => number | null;
  /** At the hour of the block; null without a price. */
  readonly usd: (token: Hex, amount: bigint) => number | null;
  readonly warnings: readonly Warning[];
}

/** Limit of addresses whose labels are read for one transaction; airdrops have thousands. */
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

/** The layout of a log does not show the kind of its token. */
const readMovements = async (scope: SnapshotContext, transaction: Transaction) => {
  const suggested = movementsOf(transaction, scope.chain.network);
  const faces = await metadataOf(
    scope,
    suggested.map(({ token }) => token),
  );
  return settleMovements(suggested, (token) => settlingStandard(metadataIn(faces, token)));
};

const readingOf = async (scope: SnapshotContext, { seen }: TransactionMatch): Promise<TransactionReading> => {
  const { mined } = seen;
  if (mined === null) return NOTHING;
  const { transaction, trace } = mined;
  const { wrapped_native } = scope.chain.network;
  const movements = await readMovements(scope, transaction);
  const approvals = approvalsOf(transaction, trace);
  const pools = await poolTokens(scope, mined);
  // An authorization list is bound to a chain by its id; 0 means any chain.
  const chain_id = BigInt(scope.chain.network.chain_id);
  const authorizations = seen.authorizations.filter((one) => one.chain_id === 0n || one.chain_id === chain_id);
  const actions = actionsOf({ transaction, movements, approvals, authorizations, pools, wrapped_native });
  return { movements, approvals, actions };
};

/** Reports whether the block's own facts are indexed. */
export const isIndexed = ({ snapshot, seen }: Pick<TransactionMatch, "snapshot" | "seen">): boolean => {
  const number = seen.mined?.block.number ?? null;
  return number !== null && number >= snapshot.from_block && number <= snapshot.block.number;
};

const MEV_UNCHECKED: Warning = {
  code: "MEV_NOT_CHECKED",
  message: "The block is not indexed, so the transactions before and after this one were not checked.",
};

const readMev = async (
  scope: SnapshotContext,
  found: TransactionMatch,
  actions: readonly Action[],
): Promise<Mev & { unchecked: boolean }> => {
  const { mined, hash } = found.seen;
  const pools = mined === null ? [] : poolsIn(mined.transaction, ["swap"]);
  const tx_hash = toHex(hash);
  if (mined === null || pools.length === 0) return { ...mevOf({ tx_hash, actions, swaps: [] }), unchecked: false };
  if (!isIndexed(found)) return { ...mevOf({ tx_hash, actions, swaps: null }), unchecked: true };
  const rows = await scope.facts.ask(scope.snapshot, "reading/block_swaps", {
    block: mined.block.number,
    pools: [...pools].sort(),
  });
  return { ...mevOf({ tx_hash, actions, swaps: rows }), unchecked: false };
};

const partiesOf = (
  { seen }: TransactionMatch,
  { movements, approvals, actions }: TransactionReading,
): readonly Hex[] => {
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
  message: `Only the first ${PARTIES_MAX} addresses of this transaction have names here.`,
};

/** Contracts that logged or were called: their owners name the act. */
const contractsIn = ({ seen }: TransactionMatch): readonly Hex[] => [
  ...new Set([
    ...(seen.mined?.transaction.logs ?? []).map(({ address }) => toHex(address)),
    ...requestedCallsIn(seen.recipient === null ? null : toHex(seen.recipient), seen.input).flatMap(
      ({ callee }) => callee ?? [],
    ),
  ]),
];

type PartyLabels = ReadonlyMap<Hex, Party>;

interface TransactionHeadline {
  readonly headline: Headline | null;
  readonly reading: TransactionReading;
}

/** Acts that the chain itself reports come first; contracts with logs are judged by their logs. */
const readHeadline = (
  { chain }: SnapshotContext,
  { seen }: TransactionMatch,
  {
    reading,
    labels,
    ...worth
  }: Pick<HeadlineCase, "decimals" | "usd"> & { reading: TransactionReading; labels: PartyLabels },
): TransactionHeadline => {
  if (seen.mined === null) return { headline: null, reading };
  const { transaction, trace } = seen.mined;
  const { wrapped_native, id } = chain.network;
  const acts = { ...reading, transaction, called: seen.called ?? null };
  const told = actsHeadlineOf(acts);
  if (told !== null || !chain.can.contract_logs) return { headline: told, reading };
  const name = (address: Hex) => protocolAt(id, address, labels.get(address) ?? null);
  const is_dollar = dollarsOf(chain.network);
  const about = { transaction, ...endsOf(transaction), is_untraced: trace === null };
  const given = { ...reading, ...about, wrapped_native, name, is_dollar, ...worth };
  const by_logs = headlineOf(given);
  const headline = tradeOfSender(acts, by_logs) ?? by_logs;
  return { headline, reading: { ...reading, actions: attributed(given, reading.actions, headline) } };
};

/** Facts about one transaction from tables and nodes, beyond its own bytes. */
export const readKnown = async (scope: SnapshotContext, found: TransactionMatch): Promise<TransactionKnowledge> => {
  const { facts, chain, snapshot } = scope;
  const read = await readingOf(scope, found);
  const parties = partiesOf(found, read);
  const { movements, approvals, actions } = read;
  const tokens = new Set<Hex>([
    "",
    ...movements.map(({ token }) => token),
    ...approvals.map(({ token }) => token),
    ...actions.flatMap(({ given, received }) => [...given, ...received].map(({ token }) => token)),
  ]);
  const hour = hourOf(found.seen.mined?.block.time ?? snapshot.block.time);
  const wanted = [...tokens].map((token) => ({ token, hour }));
  const ends = [toHex(found.seen.sender), ...(found.seen.recipient === null ? [] : [toHex(found.seen.recipient)])];
  const [{ unchecked, ...mev }, labels, faces, prices, contracts] = await Promise.all([
    readMev(scope, found, actions),
    labelsOf(facts, snapshot, [...new Set([...parties, ...contractsIn(found)])].slice(0, PARTIES_MAX)),
    metadataOf(scope, [...tokens]),
    pricesAtHours({ facts, network: chain.network, snapshot }, wanted),
    contractsAmong(scope, ends),
  ]);
  const face = (token: Hex) => metadataIn(faces, token);
  const decimals: HeadlineCase["decimals"] = (token) => face(token).decimals;
  const usd: HeadlineCase["usd"] = (token, amount) => {
    const places = decimals(token);
    return places === null ? null : usdOf(amount, places, prices.get(priceKey(token, hour)));
  };
  return {
    ...readHeadline(scope, found, { reading: read, labels, decimals, usd }),
    mev,
    party: (address) => labels.get(address) ?? UNKNOWN_PARTY,
    is_contract: (address) => contracts.get(address) ?? null,
    face,
    amount: (token, amount, is_piece) => {
      const decimals = is_piece ? 0 : face(token).decimals;
      return decimals === null ? null : toAmount(amount, decimals);
    },
    usd,
    warnings: [...(unchecked ? [MEV_UNCHECKED] : []), ...(parties.length > PARTIES_MAX ? [CUT] : [])],
  };
};

/** Participating addresses, in the order of their appearance. */
export const partiesIn = (found: TransactionMatch, reading: TransactionReading): readonly Hex[] =>
  partiesOf(found, reading);
