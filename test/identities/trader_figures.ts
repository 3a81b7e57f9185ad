/** Compares a wallet's gain with a token in get_token_holders_traders and in get_wallet_pnl. Pure. */
import type { AnyAnswer, TokenAnswers, WalletAnswers } from "./answers.ts";

/** Answers have 12 significant digits of a dollar. */
const isSame = (a: number | null, b: number | null): boolean =>
  a === null || b === null ? a === b : Math.abs(a - b) <= Math.max(1e-6, 1e-9 * Math.max(Math.abs(a), Math.abs(b)));

/** Each wallet with a gain or a loss once, from any of the lists. */
const gainsOf = ({ holders }: TokenAnswers): ReadonlyMap<string, AnyAnswer> =>
  holders.status !== undefined
    ? new Map()
    : new Map(
        [...holders.holders, ...holders.traders]
          .filter(({ pnl }: AnyAnswer) => pnl !== null)
          .map(({ address, pnl }: AnyAnswer) => [address, pnl]),
      );

/** The same figures of a wallet's books. */
const booksOf = ({ held: { pnl } }: WalletAnswers, token: string): AnyAnswer => {
  const row = (pnl.data ?? []).find((one: AnyAnswer) => one.token_address === token && one.token_id === null);
  if (row === undefined) return null;
  const { realized_usd, unrealized_usd = null, total_usd = null } = row.pnl;
  const { avg_cost_usd, uncosted_value_usd } = row.trading;
  return { realized_usd, unrealized_usd, total_usd, uncosted_value_usd, avg_cost_usd };
};

const FIGURES = ["realized_usd", "unrealized_usd", "total_usd", "uncosted_value_usd", "avg_cost_usd"] as const;

/** Wallets that ever had a position of an NFT, whose events belong to the NFT and are missing from the traders' list. */
const AT_MARKET: readonly string[] = FIGURES.filter((figure) => figure !== "realized_usd");

const hasPosition = ({ held: { pnl } }: WalletAnswers): boolean =>
  (pnl.data ?? []).some(({ token_id }: AnyAnswer) => token_id !== null);

/** Wallets and tokens with a gain in both tools. */
const pairsOf = (wallets: readonly WalletAnswers[], tokens: readonly TokenAnswers[]) =>
  tokens.flatMap((token) => {
    const gains = gainsOf(token);
    return wallets.flatMap((wallet) => {
      const gain = gains.get(wallet.held.address);
      const what = `${wallet.name} and ${token.name}`;
      // Without books, the answer gives the reason.
      if (gain === undefined || wallet.held.pnl.type === "pnl_unavailable") return [];
      const figures = FIGURES.filter((figure) => !hasPosition(wallet) || !AT_MARKET.includes(figure));
      return [{ what, gain, figures, books: booksOf(wallet, token.info.address) }];
    });
  });

/** Figures in which both tools differ, as sentences. */
export const traderContradictions = (
  wallets: readonly WalletAnswers[],
  tokens: readonly TokenAnswers[],
): readonly string[] =>
  pairsOf(wallets, tokens).flatMap(({ what, gain, figures, books }) =>
    books === null
      ? [`${what}: a gain in get_token_holders_traders, and no row in get_wallet_pnl`]
      : figures
          .filter((figure) => !isSame(gain[figure], books[figure]))
          .map(
            (figure) =>
              `${what}: ${figure} is ${gain[figure]} in get_token_holders_traders, the books say ${books[figure]}`,
          ),
  );

/** Number of compared gains. */
export const traderCount = (wallets: readonly WalletAnswers[], tokens: readonly TokenAnswers[]): number =>
  pairsOf(wallets, tokens).length;
