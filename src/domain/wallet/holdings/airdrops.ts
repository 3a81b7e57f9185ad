import type { Hex } from "../../../lib/bytes.ts";
import { readWhole } from "../../address/movements/read_whole.ts";
import type { IndexedFacts } from "../../context.ts";
import { unrequestedAmong } from "../history/mass_receipts.ts";

/** Tokens per query: servers limit the length of a query. */
const TOKENS_MAX = 1_000;

interface AirdropRecipient {
  readonly wallet: Hex;
  /** Transfers of the wallet, counted with its balances; null when they were not counted. */
  readonly transfers: number | null;
}

/**
 * Returns the tokens that the wallet never moved itself and that arrived unsolicited, in a transaction that sent them
 * to more than a hundred addresses.
 */
export const airdropsAmong = async (
  scope: IndexedFacts,
  { wallet, transfers }: AirdropRecipient,
  tokens: readonly Hex[],
): Promise<ReadonlySet<Hex>> => {
  if (tokens.length === 0) return new Set();
  const { facts, snapshot } = scope;
  const read = await readWhole(scope, wallet, transfers);
  const known = read === null ? null : await unrequestedAmong(scope, read.movements, tokens);
  if (known !== null) return known;
  const parts = Array.from({ length: Math.ceil(tokens.length / TOKENS_MAX) }, (_, i) =>
    tokens.slice(i * TOKENS_MAX, (i + 1) * TOKENS_MAX),
  );
  const found = await Promise.all(
    parts.map((part) => facts.ask(snapshot, "holdings/airdrops", { wallet, tokens: part })),
  );
  return new Set(found.flat().map(({ token }) => token));
};
