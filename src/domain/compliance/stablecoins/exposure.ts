import type { IssuerCoin } from "../../../knowledge/issuer.ts";
import { canFreeze, issuerCoins } from "../../../labels/issuers/index.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { iso } from "../../../lib/time.ts";
import type { QueryRow } from "../../../store/facts.ts";
import { EVENTS_UNREAD, type FreezeEvent, readFreezeEvents } from "../../address/freezes/events.ts";
import { type FreezeScope, readNodeEvents } from "../../address/freezes/node_events.ts";
import { eventEvidence } from "../../address/freezes/rows.ts";
import { checkSanctions, type SanctionsCheck } from "../../address/sanctions/sanctions.ts";
import type { SnapshotContext } from "../../context.ts";
import type { Operator } from "../../operator.ts";
import { withHashes } from "../../transaction_hashes.ts";
import { type SalePrice, usdOf } from "../../valuation/worth.ts";
import type { TopDealing } from "./report.ts";

type FrozenDealing = QueryRow<"stablecoins/dealings"> & { readonly tx_hash: Hex };

/** Names, decimals and prices of one network's coins. */
export interface CoinValuation {
  readonly coin: IssuerCoin;
  readonly decimals: number | null;
  readonly price: SalePrice | null;
}

/** A counterparty that an issuer has frozen, or that a list names. */
interface TaintedCounterparty {
  /** The first freeze in force; null when it is only listed. */
  readonly frozen: FreezeEvent | null;
  readonly is_listed: boolean;
}

/** One network's share of the exposure. USD at the price of the answer's block. */
export interface NetworkExposure {
  readonly frozen_counterparties: number;
  readonly received_from_frozen_usd: number;
  readonly sent_to_frozen_usd: number;
  readonly sanctioned_counterparties: number;
  readonly received_from_sanctioned_usd: number;
  /** From either, each transfer once. */
  readonly received_tainted_usd: number;
  readonly inflow_usd: number;
  readonly unvalued_dealings: number;
  readonly top: readonly TopDealing[];
  readonly faults: readonly string[];
  readonly sanctions: SanctionsCheck;
}

const usd = (valued: CoinValuation | undefined, raw: bigint): number | null =>
  valued === undefined || valued.decimals === null ? null : usdOf(raw, valued.decimals, valued.price);

const when = ({ transfers_before, transfers_after }: FrozenDealing): TopDealing["before_or_after_freeze"] =>
  transfers_after === 0 ? "before" : transfers_before === 0 ? "after" : "both";

const topOf = (
  { chain }: SnapshotContext,
  row: FrozenDealing,
  { frozen, valued }: { readonly frozen: FreezeEvent; readonly valued: CoinValuation },
): TopDealing => ({
  address: chain.formatAddress(row.peer),
  symbol: valued.coin.symbol,
  network: chain.network.id,
  amount_usd: usd(valued, row.raw_in + row.raw_out),
  frozen_at: iso(frozen.time),
  before_or_after_freeze: when(row),
  evidence: [
    eventEvidence(chain, frozen),
    { kind: "tx", ref: chain.formatHash(row.tx_hash), observed_at: iso(row.last_time) },
  ],
});

/**
 * The wallet's counterparties that are frozen by the events, or listed; with the reasons why they may be incomplete.
 */
const taintedAmong = async (
  scope: FreezeScope,
  operator: Operator,
  asked: { readonly wallet: Hex; readonly peers: readonly Hex[] },
) => {
  const { facts, snapshot, chain } = scope;
  const { family } = chain.network;
  const [{ fault, standings }, sanctions] = await Promise.all([
    readFreezeEvents(scope, asked.peers),
    checkSanctions({ facts, snapshot, family, operator }, [asked.wallet, ...asked.peers]),
  ]);
  const tainted = new Map<Hex, TaintedCounterparty>();
  for (const peer of asked.peers) {
    const freezes = standings.flatMap(({ account, frozen_since }) =>
      account === peer && frozen_since !== null ? [frozen_since] : [],
    );
    const [frozen = null] = freezes.sort((a, b) => a.block_number - b.block_number);
    const is_listed = sanctions.matches.has(peer);
    if (frozen !== null || is_listed) tainted.set(peer, { frozen, is_listed });
  }
  return { tainted, sanctions, faults: [...fault.values()].filter((reason) => reason !== null) };
};

const sum = (amounts: readonly (number | null)[]): number =>
  amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0);

/** Frozen accounts of one query: servers limit its length. */
const FROZEN_PER_QUERY = 1_000;

/** Accounts that issuers ever froze, where the index does not know them, and why some may be missing. */
const everFrozen = async (
  scope: FreezeScope,
): Promise<{ readonly accounts: readonly Hex[]; readonly faults: readonly string[] }> => {
  if (scope.snapshot.followed === undefined) return { accounts: [], faults: [] };
  const coins = issuerCoins(scope.chain.network).filter(canFreeze);
  const known = await Promise.all(coins.map((coin) => readNodeEvents(scope, coin)));
  const accounts = new Set(known.flatMap((one) => one?.events.map(({ account }) => account) ?? []));
  return { accounts: [...accounts].sort(), faults: known.includes(null) ? [EVENTS_UNREAD] : [] };
};

/**
 * Transfers of a wallet in these coins since a time (unix seconds) with counterparties that are frozen or listed now.
 */
export const readExposure = async (
  scope: FreezeScope,
  operator: Operator,
  asked: { readonly wallet: Hex; readonly since: number; readonly valued: readonly CoinValuation[] },
): Promise<NetworkExposure> => {
  const { facts, snapshot, chain } = scope;
  const { wallet, since } = asked;
  const valuedBy = new Map(asked.valued.map((valued) => [valued.coin.address, valued]));
  const tokens = [...valuedBy.keys()].sort();
  const window = { wallet, since, tokens };
  const { accounts: frozen_ever, faults: unread } = await everFrozen(scope);
  const parts = Array.from({ length: Math.max(1, Math.ceil(frozen_ever.length / FROZEN_PER_QUERY)) }, (_, i) =>
    frozen_ever.slice(i * FROZEN_PER_QUERY, (i + 1) * FROZEN_PER_QUERY),
  );
  const family = chain.network.family;
  const [peers, inflow] = await Promise.all([
    Promise.all(parts.map((part) => facts.ask(snapshot, "stablecoins/peers", { ...window, family, frozen: part }))),
    facts.ask(snapshot, "stablecoins/inflow", window),
  ]);
  const named = [...new Set(peers.flat().map(({ peer }) => peer))].sort();
  const found = await taintedAmong(scope, operator, { wallet, peers: named });
  const names = [...found.tainted.keys()].sort();
  const splits = names.map((peer) => found.tainted.get(peer)?.frozen?.time ?? 0);
  const dealings =
    names.length === 0 ? [] : await facts.ask(snapshot, "stablecoins/dealings", { ...window, peers: names, splits });
  const rows = await withHashes(scope, dealings);
  const of = (is_wanted: (one: TaintedCounterparty) => boolean) =>
    rows.filter(({ peer }) => {
      const one = found.tainted.get(peer);
      return one !== undefined && is_wanted(one);
    });
  const received = (some: readonly FrozenDealing[]) => sum(some.map((row) => usd(valuedBy.get(row.token), row.raw_in)));
  const [frozen, listed] = [of((one) => one.frozen !== null), of((one) => one.is_listed)];
  return {
    frozen_counterparties: new Set(frozen.map(({ peer }) => peer)).size,
    received_from_frozen_usd: received(frozen),
    sent_to_frozen_usd: sum(frozen.map((row) => usd(valuedBy.get(row.token), row.raw_out))),
    sanctioned_counterparties: new Set(listed.map(({ peer }) => peer)).size,
    received_from_sanctioned_usd: received(listed),
    received_tainted_usd: received(rows),
    inflow_usd: sum(inflow.map(({ token, raw }) => usd(valuedBy.get(token), raw))),
    unvalued_dealings: rows.filter((row) => row.raw_in > 0n && usd(valuedBy.get(row.token), row.raw_in) === null)
      .length,
    top: frozen.flatMap((row) => {
      const [one, valued] = [found.tainted.get(row.peer)?.frozen ?? null, valuedBy.get(row.token)];
      return one === null || valued === undefined ? [] : [topOf(scope, row, { frozen: one, valued })];
    }),
    faults: [...found.faults, ...unread],
    sanctions: found.sanctions,
  };
};
