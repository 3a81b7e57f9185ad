/** Where the money of single payments came from, and where that of single receipts went. */
import { type Hex, hex } from "../../../lib/bytes.ts";
import type { TraceMethod } from "../../../lib/trace_method.ts";
import type { SnapshotContext } from "../../context.ts";
import { type TransactionPosition, transactionHashes } from "../../transaction_hashes.ts";
import { type AddressRisk, type AddressRisks, heaviestOf } from "./address_risks.ts";
import { apart, type BridgeLegs } from "./bridges/legs.ts";
import { crossedIn, type FollowedLegs, withBeyond } from "./bridges/trails.ts";
import { type FrontierSplit, frontierOf, splitOf } from "./frontier.ts";
import type { Neighbourhood } from "./neighbourhood.ts";
import { type TraceResult, trace } from "./trace.ts";
import type { HashedTraces } from "./traced_network.ts";
import { isBetween, readSteps } from "./trail_payments.ts";
import { isTrade, type ValueEvent } from "./value_events.ts";
import type { LedgerTransfer } from "./value_events_of.ts";

/** Payments of a wallet in one transaction, or its receipts there. */
export interface PaymentSelection {
  readonly tx: TransactionPosition;
  /** As in the trace, where '' is the native coin and its wrapped form; null: of any asset. */
  readonly asset: string | null;
  /** Receivers of the payments, or payers of the receipts. Null: any address. */
  readonly peers: ReadonlySet<Hex> | null;
  readonly is_received: boolean;
}

/** Traces of the payments alone. The wallet itself is one step from the payment. */
interface PaymentTrace extends FrontierSplit {
  /** Marks of the wallet and of the addresses behind it. */
  readonly marks: AddressRisks;
  /** Of payments, `in` is what they brought, in USD; of receipts, `out` is what they were. */
  readonly traced: TraceResult;
}

export interface PaymentOrigin extends Omit<PaymentTrace, "traced"> {
  readonly traced: HashedTraces;
}

/** The neighbourhood of the wallet. */
interface PaymentContext {
  readonly wallet: Hex;
  readonly mark: AddressRisk;
  readonly found: Pick<Neighbourhood, "marks" | "flagged" | "isStop" | "transfers">;
  /** Addresses that value is followed through, without the wallet. */
  readonly through: ReadonlySet<Hex>;
  readonly method: TraceMethod;
  readonly legs: BridgeLegs;
  readonly followed: FollowedLegs;
}

/** The receiver of all selected payments, or the payer of all selected receipts. No address has one byte. */
const RECEIPT: Hex = hex("00");

const isUntil = (at: TransactionPosition, last: TransactionPosition): boolean =>
  at.block_number < last.block_number || (at.block_number === last.block_number && at.tx_index <= last.tx_index);

/**
 * Traces the selected payments as the receipts of an address of their own: with what the wallet had when it paid, by
 * asset. Selected receipts are traced as payments of that address. `events` in the order of the chain.
 */
export const tracePayments = (
  events: readonly ValueEvent[],
  { tx, asset, peers, is_received }: PaymentSelection,
  { wallet, mark, found, through, method, legs, followed }: PaymentContext,
): PaymentTrace => {
  const isSelected = (event: ValueEvent): boolean =>
    !isTrade(event) &&
    (is_received ? event.destination : event.source) === wallet &&
    event.tx.block_number === tx.block_number &&
    event.tx.tx_index === tx.tx_index &&
    (asset === null || event.asset === asset) &&
    (peers === null || peers.has(is_received ? event.source : event.destination));
  const told = events
    .filter((event) => is_received || isUntil(event.tx, tx))
    .map((event) =>
      isSelected(event) ? { ...event, [is_received ? "source" : "destination"]: RECEIPT } : apart(event, legs),
    );
  const flagged = new Set([...found.flagged(), ...crossedIn(followed)]);
  if (heaviestOf(mark) !== null) flagged.add(wallet);
  const question = {
    ...{ wallet: RECEIPT, flagged, method },
    through: mark.is_stop ? through : new Set([...through, wallet]),
  };
  const traced = trace(told, question);
  const isStop = (address: Hex): boolean => (address === wallet ? mark.is_stop : found.isStop(address));
  return {
    marks: new Map([...found.marks, [wallet, mark]]),
    traced,
    ...splitOf(frontierOf(told, question), {
      totals: traced.totals,
      flagged,
      isStop,
      legParts: (address) => followed.get(address)?.parts ?? null,
    }),
  };
};

/** Whether a transfer is one of the selected payments. Its transaction is that of the step. */
const isOfSelection = ({ source, destination, bucket }: LedgerTransfer, selected: PaymentSelection, wallet: Hex) =>
  (selected.is_received ? destination : source) === wallet &&
  (selected.asset === null || bucket === selected.asset) &&
  (selected.peers === null || selected.peers.has(selected.is_received ? source : destination));

interface SelectedPayments extends Pick<PaymentContext, "wallet" | "found" | "followed"> {
  readonly selection: PaymentSelection;
}

/** The same with the transactions. */
export const readPaymentOrigin = async (
  scope: SnapshotContext,
  { traced: { trails, totals }, ...found }: PaymentTrace,
  { wallet, found: { transfers }, followed, selection }: SelectedPayments,
): Promise<PaymentOrigin> => {
  const [hashOf, stepsOf] = await Promise.all([
    transactionHashes(
      scope,
      trails.flatMap(({ txs }) => txs),
    ),
    readSteps(scope, {
      trails,
      transfers: transfers.values(),
      isOfStep: (transfer, from, to) =>
        from === RECEIPT || to === RECEIPT ? isOfSelection(transfer, selection, wallet) : isBetween(transfer, from, to),
    }),
  ]);
  return {
    ...found,
    traced: { trails: withBeyond(trails, { hashOf, stepsOf }, followed), totals },
  };
};
