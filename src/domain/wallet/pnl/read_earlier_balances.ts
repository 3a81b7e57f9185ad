import type { Hex } from "../../../lib/bytes.ts";
import type { ReadMovements } from "../../address/movements/read_movements.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { metadataIn, metadataOf } from "../../token/metadata/metadata.ts";
import type { OpeningBalance } from "./pnl.ts";

interface EarlierBalancesQuery {
  readonly wallet: Hex;
  readonly read: ReadMovements;
  /** The last counted second. */
  readonly end: number;
}

/** Warning for a wallet with more movements than its books hold. */
export const largeLedger = (block: number): Warning => ({
  code: "LARGE_WALLET",
  message: `The wallet has too many movements for its books, which begin with block ${block}. Earlier holdings are included without a cost, and earlier realized profits are not.`,
});

/** Balances at the end of the window, by token. */
const readClosing = async (scope: SnapshotContext, { wallet, end }: EarlierBalancesQuery) => {
  const { facts, snapshot } = scope;
  if (end >= snapshot.block.time) return facts.walletBalances(snapshot, wallet);
  const [last] = await facts.ask(snapshot, "block_at_time", { time: end });
  const number = last?.block_number ?? snapshot.block.number;
  return facts.walletBalances({ ...snapshot, block: { ...snapshot.block, number } }, wallet);
};

/** Net amount of the read rows by token. */
const sumsByToken = ({ movements, first, end }: ReadMovements): ReadonlyMap<Hex, bigint> => {
  const sums: bigint[] = [];
  for (let row = first; row < end; row += 1) {
    const [token, amount] = [movements.token[row] ?? 0, movements.amountAt(row)];
    sums[token] = (sums[token] ?? 0n) + (movements.direction[row] === 1 ? amount : -amount);
  }
  return new Map([...sums.entries()].map(([code, sum = 0n]) => [movements.tokens.textOf(code), sum]));
};

const COLLECTIBLES: readonly (string | null)[] = ["erc721", "erc1155"];

/**
 * Holdings of a wallet before the first of the read rows: its closing holdings less the net amount of the rows. So the
 * books end with the wallet's balances; the cost of these holdings is unknown.
 */
export const readEarlierBalances = async (
  scope: SnapshotContext,
  asked: EarlierBalancesQuery,
): Promise<readonly OpeningBalance[]> => {
  const { chain } = scope;
  const { movements, first } = asked.read;
  const moved = sumsByToken(asked.read);
  const closing = new Map((await readClosing(scope, asked)).map(({ token, amount }) => [token, amount]));
  const tokens = [...new Set([...closing.keys(), ...moved.keys()])];
  const before = tokens
    .map((token) => ({ token, amount: (closing.get(token) ?? 0n) - (moved.get(token) ?? 0n) }))
    .filter(({ amount }) => amount !== 0n);
  const faces = await metadataOf(
    scope,
    before.map(({ token }) => token),
  );
  const time = movements.time[first] ?? scope.snapshot.block.time;
  const sums = new Map<Hex, bigint>();
  for (const { token, amount } of before) {
    if (COLLECTIBLES.includes(metadataIn(faces, token).standard)) continue;
    const bucket = token === chain.network.wrapped_native ? "" : token;
    sums.set(bucket, (sums.get(bucket) ?? 0n) + amount);
  }
  return [...sums].filter(([, amount]) => amount > 0n).map(([bucket, amount]) => ({ bucket, amount, time }));
};
