/** Compares the trades in a wallet's books with the trades in the readings of its transactions. Pure. */
import type { AnyAnswer } from "./answers.ts";

export interface TradeAnswers {
  readonly wallet: string;
  /** As its network writes it. */
  readonly address: string;
  /** Rows of get_wallet_pnl over all time, spam included. */
  readonly books: AnyAnswer[];
  /** analyze_transaction of every transaction listed as a trade or a possible one. */
  readonly readings: AnyAnswer[];
}

/** Types of trades in lists: a liquidator repays another wallet's debt and buys the collateral with it. */
export const LISTED_TRADES: readonly string[] = ["swap", "repay"];
const TRADES: readonly string[] = ["swap", "liquidation"];

interface TradeTotals {
  bought: bigint;
  sold: bigint;
  buys: number;
  sells: number;
}

/** Changes by one transaction, with the coin and its wrapped form as one, and without the network's fee. */
const netsOf = ({ headline }: AnyAnswer, wrapped: string | null): ReadonlyMap<string, bigint> => {
  const nets = new Map<string, bigint>();
  const add = ({ token, token_id, amount_raw }: AnyAnswer, sign: bigint): void => {
    // An item has no quantity that books could record.
    if (token_id !== null) return;
    const bucket = token === wrapped ? "native" : token;
    nets.set(bucket, (nets.get(bucket) ?? 0n) + sign * BigInt(amount_raw));
  };
  for (const side of headline.tokens_in) add(side, 1n);
  for (const side of [...headline.tokens_out, ...headline.fee]) add(side, -1n);
  return nets;
};

const tradedIn = ({ address, readings }: TradeAnswers, wrapped: string | null): ReadonlyMap<string, TradeTotals> => {
  const traded = new Map<string, TradeTotals>();
  for (const reading of readings) {
    if (!TRADES.includes(reading.headline?.type) || reading.headline.actor !== address) continue;
    for (const [bucket, net] of netsOf(reading, wrapped)) {
      if (net === 0n) continue;
      const known = traded.get(bucket) ?? { bought: 0n, sold: 0n, buys: 0, sells: 0 };
      traded.set(bucket, known);
      if (net > 0n) [known.bought, known.buys] = [known.bought + net, known.buys + 1];
      else [known.sold, known.sells] = [known.sold - net, known.sells + 1];
    }
  }
  return traded;
};

const NONE: TradeTotals = { bought: 0n, sold: 0n, buys: 0, sells: 0 };

const written = ({ bought, sold, buys, sells }: TradeTotals): string =>
  `bought ${bought} in ${buys}, sold ${sold} in ${sells}`;

/** Differences between books and readings, as sentences. */
export const tradeContradictions = (answers: TradeAnswers): readonly string[] => {
  const { wallet, books } = answers;
  const wrapped: string | null = books.find(({ token_address }) => token_address === "native")?.wrapped_address ?? null;
  const told = tradedIn(answers, wrapped);
  const booked = new Map(
    books
      .filter(({ token_id }) => token_id === null)
      .map(({ token_address, trading }): readonly [string, TradeTotals] => [
        token_address,
        {
          ...{ bought: BigInt(trading.bought_amount_raw), sold: BigInt(trading.sold_amount_raw) },
          ...{ buys: trading.buy_count, sells: trading.sell_count },
        },
      ]),
  );
  return [...new Set([...told.keys(), ...booked.keys()])].flatMap((token) => {
    const [reading, book] = [written(told.get(token) ?? NONE), written(booked.get(token) ?? NONE)];
    return reading === book ? [] : [`${wallet}: of ${token} the readings ${reading}; the books ${book}`];
  });
};
