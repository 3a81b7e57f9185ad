/** The transfers of each step of a path. */
import type { Hex } from "../../../lib/bytes.ts";
import { toAmount } from "../../../lib/money.ts";
import type { SnapshotContext } from "../../context.ts";
import { metadataIn, metadataOf } from "../../token/metadata/metadata.ts";
import type { TransactionPosition } from "../../transaction_hashes.ts";
import type { LedgerTransfer } from "./value_events_of.ts";

/** Payment of one token by an address to the next one, in one transaction. */
export interface StepPayment {
  /** '' is the native coin. */
  readonly token: Hex;
  readonly symbol: string | null;
  /** Null with unknown decimals. Pieces of a collectible. */
  readonly amount: number | null;
  /** Null without a price. */
  readonly usd: number | null;
}

export interface PaidStep {
  /** Unix seconds. */
  readonly time: number;
  readonly payments: readonly StepPayment[];
}

interface PathWithTxs {
  readonly path: readonly Hex[];
  readonly txs: readonly TransactionPosition[];
}

export type StepsOf = (trail: PathWithTxs) => readonly PaidStep[];

const txKey = ({ block_number, tx_index }: TransactionPosition): string => `${block_number}:${tx_index}`;

/** Whether a transfer belongs to the step from one address to the next. */
type IsOfStep = (transfer: LedgerTransfer, from: Hex, to: Hex) => boolean;

export const isBetween: IsOfStep = ({ source, destination }, from, to) => source === from && destination === to;

interface TokenSum {
  readonly token: Hex;
  readonly is_collectible: boolean;
  amount: bigint;
  usd: number | null;
}

const sumsOf = (transfers: readonly LedgerTransfer[]): readonly TokenSum[] => {
  const sums = new Map<string, TokenSum>();
  for (const { token, is_collectible, amount, usd } of transfers) {
    const known = sums.get(token);
    if (known === undefined) sums.set(token, { token, is_collectible, amount, usd });
    else {
      known.amount += amount;
      known.usd = usd === null || known.usd === null ? null : known.usd + usd;
    }
  }
  return [...sums.values()];
};

interface PathPayments {
  readonly trails: readonly PathWithTxs[];
  readonly transfers: Iterable<LedgerTransfer>;
  readonly isOfStep?: IsOfStep;
}

/** Reads the tokens of the transfers on these paths. @returns the steps of each of them */
export const readSteps = async (
  scope: SnapshotContext,
  { trails, transfers, isOfStep = isBetween }: PathPayments,
): Promise<StepsOf> => {
  const in_tx = new Map<string, LedgerTransfer[]>(trails.flatMap(({ txs }) => txs.map((tx) => [txKey(tx), []])));
  for (const transfer of transfers) in_tx.get(txKey(transfer))?.push(transfer);
  const faces = await metadataOf(scope, [...new Set([...in_tx.values()].flat().map(({ token }) => token))]);
  const shown = ({ token, is_collectible, amount, usd }: TokenSum): StepPayment => {
    const { symbol, decimals } = metadataIn(faces, token);
    const count = is_collectible ? Number(amount) : decimals === null ? null : toAmount(amount, decimals);
    return { token, symbol, amount: count, usd };
  };
  return ({ path, txs }) =>
    txs.map((tx, i) => {
      const all = in_tx.get(txKey(tx)) ?? [];
      const [from, to] = [path[i] ?? "", path[i + 1] ?? ""];
      return {
        time: all[0]?.time ?? 0,
        payments: sumsOf(all.filter((transfer) => isOfStep(transfer, from, to))).map(shown),
      };
    });
};
