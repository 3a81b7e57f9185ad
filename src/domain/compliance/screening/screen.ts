/** Screening of one transfer: the other side, the origin of the money, the operator's rules, and a verdict. */
import type { Chain } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { SourcedRule } from "../../../lib/risk_rule.ts";
import type { TraceMethod } from "../../../lib/trace_method.ts";
import type { ReadState, Snapshot } from "../../../store/facts.ts";
import type { CallContext, SnapshotContext, Source } from "../../context.ts";
import type { TransactionMovement } from "../../transaction/decoding/movements.ts";
import type { TransactionPosition } from "../../transaction_hashes.ts";
import { type AddressRisk, addressRiskIn, readAddressRisks } from "../risk/address_risks.ts";
import { freezesOf, problemsOf, sourcesOf } from "../risk/checks.ts";
import { bucketOf } from "../risk/own_transfers.ts";
import type { PaymentSelection } from "../risk/payment_origin.ts";
import { type NetworkRisk, readNetworkRisk } from "../risk/read.ts";
import { firedRules } from "../risk/rules.ts";
import { levelOf } from "../risk/score.ts";
import { combine, ownHits } from "../risk/wallet_risk.ts";
import { partiesOf, type ScreenedAsset } from "./parties.ts";
import { type JudgedParty, type MeasuredTransfer, measureTransfer } from "./transfer_exposure.ts";
import { judgeTransfer, type PartyFindings, type ScreeningReason } from "./verdict.ts";

/** Maximum number of principals that one call judges. */
const PRINCIPALS_MAX = 5;
const EVIDENCE_MAX = 10;
/** Value of unknown origin below both of these is no gap. */
const UNKNOWN = { usd: 1, percent: 1 } as const;

/** The transaction of the transfer. */
interface ScreenedTransaction extends ScreenedAsset {
  readonly chain: Chain;
  readonly status: "success" | "failed" | "pending";
  /** Null while it is pending. */
  readonly at: TransactionPosition | null;
  readonly movements: readonly TransactionMovement[];
  /** How money mixes, in the transfer and in the dealings of its counterparties. */
  readonly method: TraceMethod;
  /** Of the operator. */
  readonly rules: readonly SourcedRule[];
  readonly usd: (token: Hex, amount: bigint) => number | null;
}

interface ScreeningGap {
  readonly field: string;
  readonly reason: string;
}

/** An address that passed the asset on within the transaction. */
interface Intermediary {
  readonly wallet: Hex;
  readonly mark: AddressRisk;
}

export interface Screening {
  readonly verdict: ReturnType<typeof judgeTransfer>["verdict"];
  readonly reasons: readonly ScreeningReason[];
  readonly transfers: ReturnType<typeof partiesOf>["transfers"];
  /** Value that the service received or sent; null without a price. */
  readonly usd: number | null;
  readonly parties: readonly JudgedParty[];
  readonly intermediaries: readonly Intermediary[];
  /** Null when no address could be judged. */
  readonly measured: MeasuredTransfer | null;
  readonly lists: readonly Source[];
  readonly gaps: readonly ScreeningGap[];
}

const gap = (reason: string): ScreeningGap => ({ field: "verdict", reason });

const sumOrNull = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((all, one) => (all === null || one === null ? null : all + one), 0);

/** Why there is nothing to judge; null where there is. */
const emptyBecause = (
  { status, direction }: ScreenedTransaction,
  { transfers, principals }: ReturnType<typeof partiesOf>,
): string | null => {
  if (status === "pending") return "the transaction is pending: nothing has been transferred";
  if (status === "failed") return "the transaction failed: nothing was transferred";
  if (transfers.length === 0) return "the transaction transfers nothing of the asset";
  const side = direction === "in" ? "sender" : "receiver";
  return principals.length === 0 ? `the transfer has no ${side}` : null;
};

/** Parts of the transfer by principal, 0..1; each the whole where value reached one through others. */
const shareOf = (wallet: Hex, { transfers, principals }: ReturnType<typeof partiesOf>): number => {
  const paidTo = (address: Hex): bigint =>
    transfers.reduce((all, { movement }) => all + (movement.destination === address ? movement.amount : 0n), 0n);
  const all = principals.map(paidTo);
  const total = all.reduce((sum, one) => sum + one, 0n);
  return all.some((one) => one === 0n) || total === 0n ? 1 : Number(paidTo(wallet)) / Number(total);
};

/** The payments of a sender that belong to the transfer: of the asset, or what it gave for it. */
const paymentsOf = (
  asked: ScreenedTransaction & { readonly at: TransactionPosition },
  wallet: Hex,
  { transfers }: ReturnType<typeof partiesOf>,
): PaymentSelection => {
  const own = transfers.flatMap(({ movement }) => (movement.source === wallet ? [movement] : []));
  const [first] = own;
  if (first === undefined) return { tx: asked.at, asset: null, peers: null, is_received: false };
  return {
    tx: asked.at,
    asset: bucketOf(asked, first.token, first.token_id),
    peers: new Set(own.map(({ destination }) => destination)),
    is_received: false,
  };
};

interface PartyQuery extends Pick<ScreenedTransaction, "chain" | "method"> {
  readonly at: TransactionPosition;
  readonly payments: PaymentSelection | undefined;
}

const NOT_READ: Readonly<Record<ReadState, string>> = {
  ...{ read: "", partial: "" },
  reading: "the history of the address is being read on demand, ask again later",
  too_large: "the address has too many blocks to be read on demand",
  refused: "the address is not read on demand, because the limits of the account are reached",
  unread: "the address is not read on demand",
};

/** Where the network is read on demand, the facts about one address, or why there are none. */
const basisOf = async (
  { facts }: CallContext,
  [{ network }, wallet]: readonly [Chain, Hex],
  at: TransactionPosition,
): Promise<Snapshot | ReadState | undefined> =>
  facts.isOnDemand?.(network.id) === true ? facts.snapshotAbout?.(network.id, wallet, at.block_number) : undefined;

/** Reads one address after the other; null with the reason where a store or a node does not answer. */
const readParty = async (
  context: CallContext,
  { chain, at, method, payments }: PartyQuery,
  wallet: Hex,
): Promise<NetworkRisk | string> => {
  try {
    const basis = await basisOf(context, [chain, wallet], at);
    if (typeof basis === "string") return `${NOT_READ[basis]}: ${chain.formatAddress(wallet)}`;
    const asked = { as_of_block: at.block_number, basis, method, payments };
    return (await readNetworkRisk(context, asked, [chain, wallet])).value;
  } catch (error) {
    const is_expected =
      error instanceof AssayError && ["COVERAGE_INCOMPLETE", "UPSTREAM_UNAVAILABLE"].includes(error.code);
    if (!is_expected) throw error;
    return error.public;
  }
};

/** Gaps in the knowledge about a judged address. */
const gapsOf = ({ network, risk }: JudgedParty): readonly string[] => {
  const who = network.scope.chain.formatAddress(network.wallet);
  const { score, coverage_percent, tracing } = risk;
  const could_be = levelOf(score.range.max);
  return [
    ...problemsOf([network.checks]),
    ...(coverage_percent < 100
      ? [`only ${Math.floor(coverage_percent)} % of the history of ${who} is indexed`]
      : network.history.gaps.map(({ message }) => message)),
    ...(tracing.is_complete || score.service_address
      ? []
      : [`the tracing of ${who} left out addresses or older movements`]),
    ...(could_be === score.level || score.score === null
      ? []
      : [`the score of ${who} may be up to ${score.range.max}`]),
  ];
};

const originGaps = ({ origin, totals }: MeasuredTransfer): readonly string[] => {
  if (origin === null) return [];
  if (totals.in <= 0) return ["the payment has no price in the index, so its origin was not traced"];
  const least = Math.max(UNKNOWN.usd, (UNKNOWN.percent / 100) * totals.in);
  // A bridge is no origin: its other side is.
  const unknown_usd = origin.not_followed_usd + origin.bridge_unmatched_usd;
  return unknown_usd < least
    ? []
    : [`${unknown_usd.toFixed(2)} of ${totals.in.toFixed(2)} USD could not be followed to an origin`];
};

const findingsOf = (party: JudgedParty, rules: readonly SourcedRule[]): PartyFindings => {
  const { network, risk } = party;
  const { frozen_now, ever_frozen, coins } = freezesOf([network.checks]);
  return {
    address: network.scope.chain.formatAddress(network.wallet),
    categories: ownHits([network]),
    ever_frozen: ever_frozen && !frozen_now ? coins.flatMap(({ evidence }) => evidence) : [],
    level: risk.score.level,
    level_evidence: risk.reasons.flatMap(({ evidence }) => evidence).slice(0, EVIDENCE_MAX),
    rules: firedRules(rules, risk),
  };
};

const passedOn = ({ wallet, mark }: Intermediary, chain: Chain): PartyFindings => ({
  address: chain.formatAddress(wallet),
  categories: mark.hits,
  ...{ ever_frozen: [], level: null, level_evidence: [], rules: [] },
});

/** Lists and blocks alone, where no address could be read; undefined on a network that is indexed whole. */
const scopeOnDemand = async (
  { facts, signal }: CallContext,
  chain: Chain,
  { block_number }: TransactionPosition,
): Promise<SnapshotContext | undefined> => {
  const { id } = chain.network;
  if (facts.isOnDemand?.(id) !== true) return undefined;
  return { facts, chain, snapshot: await facts.snapshot(id, block_number), signal };
};

const readIntermediaries = async (
  context: CallContext,
  scope: SnapshotContext | undefined,
  wallets: readonly Hex[],
): Promise<readonly Intermediary[]> => {
  if (scope === undefined || wallets.length === 0) return [];
  const marks = await readAddressRisks({ scope, operator: context.operator }, wallets);
  return wallets.map((wallet) => ({ wallet, mark: addressRiskIn(marks, wallet) }));
};

const readParties = async (
  context: CallContext,
  asked: ScreenedTransaction & { readonly at: TransactionPosition },
  found: ReturnType<typeof partiesOf>,
) => {
  const parties: JudgedParty[] = [];
  const gaps: string[] = [];
  const unread: Hex[] = [];
  for (const wallet of found.principals.slice(0, PRINCIPALS_MAX)) {
    const payments = asked.direction === "in" ? paymentsOf(asked, wallet, found) : undefined;
    const network = await readParty(context, { ...asked, payments }, wallet);
    if (typeof network === "string") {
      gaps.push(network);
      unread.push(wallet);
    } else parties.push({ wallet, network, risk: combine([network]), share: shareOf(wallet, found) });
  }
  const left = found.principals.length - PRINCIPALS_MAX;
  if (left > 0) gaps.push(`${left} further addresses were not judged: one call judges ${PRINCIPALS_MAX}`);
  return { parties, gaps, unread };
};

/** Judges the transfers of an asset in a transaction, as of its block, by the labels, lists and rules of now. */
export const screenTransfer = async (context: CallContext, asked: ScreenedTransaction): Promise<Screening> => {
  const { chain, at } = asked;
  const found = partiesOf(asked.movements, asked, chain.network.wrapped_native);
  const usd = sumOrNull(
    found.own.map(({ movement: { token, token_id, amount } }) => (token_id === null ? asked.usd(token, amount) : null)),
  );
  const because = emptyBecause(asked, found);
  if (because !== null || at === null) {
    const nothing = { reasons: [], parties: [], intermediaries: [], measured: null, lists: [] };
    return { ...nothing, verdict: null, transfers: found.transfers, usd: null, gaps: [gap(because ?? "")] };
  }
  const { parties, gaps, unread } = await readParties(context, { ...asked, at }, found);
  const [scope = await scopeOnDemand(context, chain, at)] = parties.map(({ network }) => network.scope);
  // Lists name an address whatever is known of its history.
  const intermediaries = await readIntermediaries(context, scope, [...found.intermediaries, ...unread]);
  const measured = parties.length === 0 ? null : measureTransfer(parties, { direction: asked.direction, usd });
  const { rules } = asked;
  const unknown = [
    ...new Set([
      ...gaps,
      ...parties.flatMap(gapsOf),
      ...(measured === null ? [] : originGaps(measured)),
      ...(usd === null ? ["the transfer has no price, so limits in USD were not compared"] : []),
    ]),
  ];
  const labels = scope === undefined ? [] : await scope.facts.lists("labels_among", "last_look");
  return {
    ...judgeTransfer({
      parties: [
        ...parties.map((party) => findingsOf(party, rules)),
        ...intermediaries.map((one) => passedOn(one, chain)),
      ],
      level: measured?.score.level ?? "unknown",
      exposure: (measured?.exposure ?? []).map((one) => ({
        ...{ category: one.category, evidence: one.evidence },
        usd: (one.direct_usd ?? 0) + (one.indirect_usd ?? 0),
        percent: one.direct_percent + (one.indirect_percent ?? 0),
      })),
      rules: measured === null ? [] : firedRules(rules, measured),
      is_unsure: unknown.length > 0,
    }),
    ...{ transfers: found.transfers, usd, parties, intermediaries, measured },
    lists: [...sourcesOf(parties.map(({ network }) => network.checks)), ...labels],
    gaps: [...unknown.map(gap), ...unlistedGaps(parties)],
  };
};

/** They do not withhold a verdict: no installation has a list of every category. */
const unlistedGaps = (parties: readonly JudgedParty[]): readonly ScreeningGap[] => {
  const all = parties.flatMap(({ risk }) => risk.unavailable.filter(({ field }) => field === "categories"));
  return [...new Map(all.map((one) => [one.reason, one])).values()];
};
