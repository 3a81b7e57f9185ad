/** Where the money of single payments came from. */
import { type Hex, hex } from "../../../lib/bytes.ts";
import type { SnapshotContext } from "../../context.ts";
import { type TransactionPosition, transactionHashes } from "../../transaction_hashes.ts";
import { type AddressRisk, type AddressRisks, heaviestOf } from "./address_risks.ts";
import { type FrontierSplit, frontierOf, splitOf } from "./frontier.ts";
import type { Neighbourhood } from "./neighbourhood.ts";
import type { TraceMethod } from "./taint_pools.ts";
import { type TraceResult, type Trail, trace } from "./trace.ts";
import { isTrade, type ValueEvent } from "./value_events.ts";

/** Payments of a wallet in one transaction. */
export interface PaymentSelection {
  readonly tx: TransactionPosition;
  /** As in the trace, where '' is the native coin and its wrapped form; null: of any asset. */
  readonly asset: string | null;
  /** Null: to any address. */
  readonly receivers: ReadonlySet<Hex> | null;
}

/** Traces of the payments alone. The wallet itself is one step from the payment. */
interface PaymentTrace extends FrontierSplit {
  /** Marks of the wallet and of the addresses behind it. */
  readonly marks: AddressRisks;
  /** `in` is what the payments brought, in USD; nothing is `out`. */
  readonly traced: TraceResult;
}

export interface PaymentOrigin extends Omit<PaymentTrace, "traced"> {
  readonly traced: {
    readonly trails: readonly (Trail & { readonly tx_hashes: readonly Hex[] })[];
    readonly totals: TraceResult["totals"];
  };
}

/** The neighbourhood of the wallet. */
interface PaymentContext {
  readonly wallet: Hex;
  readonly mark: AddressRisk;
  readonly found: Pick<Neighbourhood, "marks" | "flagged" | "isStop">;
  /** Addresses that value is followed through, without the wallet. */
  readonly through: ReadonlySet<Hex>;
  readonly method: TraceMethod;
}

/** The receiver of all selected payments. No address has one byte. */
const RECEIPT: Hex = hex("00");

const isUntil = (at: TransactionPosition, last: TransactionPosition): boolean =>
  at.block_number < last.block_number || (at.block_number === last.block_number && at.tx_index <= last.tx_index);

/**
 * Traces the selected payments as the receipts of an address of their own: with what the wallet had when it paid, by
 * asset. `events` in the order of the chain.
 */
export const tracePayments = (
  events: readonly ValueEvent[],
  { tx, asset, receivers }: PaymentSelection,
  { wallet, mark, found, through, method }: PaymentContext,
): PaymentTrace => {
  const isSelected = (event: ValueEvent): boolean =>
    !isTrade(event) &&
    event.source === wallet &&
    event.tx.block_number === tx.block_number &&
    event.tx.tx_index === tx.tx_index &&
    (asset === null || event.asset === asset) &&
    (receivers === null || receivers.has(event.destination));
  const told = events
    .filter((event) => isUntil(event.tx, tx))
    .map((event) => (isSelected(event) ? { ...event, destination: RECEIPT } : event));
  const flagged = new Set(found.flagged());
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
    ...splitOf(frontierOf(told, question), { totals: traced.totals, flagged, isStop }),
  };
};

/** The same with the hashes of the transactions. */
export const readPaymentOrigin = async (
  scope: SnapshotContext,
  { traced: { trails, totals }, ...found }: PaymentTrace,
): Promise<PaymentOrigin> => {
  const hashOf = await transactionHashes(
    scope,
    trails.flatMap(({ txs }) => txs),
  );
  return {
    ...found,
    traced: { trails: trails.map((trail) => ({ ...trail, tx_hashes: trail.txs.map(hashOf) })), totals },
  };
};
