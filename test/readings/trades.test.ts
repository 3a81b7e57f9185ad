/** Compares the trades in the books of PnL with the swaps of the readings, over recorded transactions, one by one. */
import { describe, expect, test } from "vitest";
import type { TransactionMovement } from "../../src/domain/transaction/decoding/movements.ts";
import type { HeadlineCase } from "../../src/domain/transaction/headline/case.ts";
import { headlineOf } from "../../src/domain/transaction/headline/headline.ts";
import type { Headline } from "../../src/domain/transaction/headline/types.ts";
import type { BucketDelta } from "../../src/domain/wallet/pnl/legs.ts";
import { computePnl } from "../../src/domain/wallet/pnl/pnl.ts";
import type { PositionEvent } from "../../src/domain/wallet/pnl/position_events.ts";
import { EMPTY, type Hex, toHex } from "../../src/lib/bytes.ts";
import { decodeLog } from "../../src/protocols/index.ts";
import { readings } from "./readings.ts";
import { is_recorded } from "./recorded.ts";

const NOBODY = /^0*$/;

/** Movements of one party as in the books: quantities, the wrapped coin as the coin. */
const partyTransfers = ({ movements, wrapped_native }: HeadlineCase, actor: Hex): readonly BucketDelta[] =>
  movements.flatMap(
    ({ kind, token, token_id, source, destination, amount }: TransactionMovement): readonly BucketDelta[] => {
      if (kind === "rent" || token_id !== null || source === destination) return [];
      const bucket = token === wrapped_native ? "" : token;
      const peer = (side: Hex): Hex => (!NOBODY.test(side) ? side : token === wrapped_native ? token : "");
      if (source === actor) return [{ bucket, peer: peer(destination), delta: -amount }];
      return destination === actor ? [{ bucket, peer: peer(source), delta: amount }] : [];
    },
  );

/** Events of its vaults and loans, as protocols emit them. */
const eventsOf = ({ transaction, wrapped_native }: HeadlineCase, actor: Hex): readonly PositionEvent[] =>
  transaction.logs.flatMap((log) =>
    decodeLog(log).flatMap((fact): readonly PositionEvent[] => {
      if (fact.fact !== "position" || fact.position_id !== null || toHex(fact.account) !== actor) return [];
      const contract = toHex(log.address);
      const token = toHex(fact.asset ?? EMPTY);
      const about = { asset: token === wrapped_native ? "" : token, amount: fact.amount0, contract };
      switch (fact.kind) {
        case "vault_deposit":
        case "vault_withdraw":
          return [{ kind: "vault", vault: contract }];
        case "lend":
        case "unlend":
        case "borrow":
        case "repay":
          return [{ kind: fact.kind, ...about }];
        default:
          return [];
      }
    }),
  );

/** A coin is worth more than any dollar lent on it; other prices decide nothing. */
const quote = (bucket: Hex) => ({ usd: bucket === "" ? 3_000 : 1, rank: 1 });

/** Bought (+) and sold (-) in one transaction, by the books. */
const byBooks = (told: HeadlineCase, actor: Hex): readonly string[] => {
  const nothing = { fee: 0n, rent: 0n, is_claim: false, valued_by: null, balances: [], pool_worth: new Map() };
  const transaction = { ...nothing, time: 1, moves: partyTransfers(told, actor), events: eventsOf(told, actor) };
  const { entries } = computePnl(
    {
      ...{ from: 0, basis: "average", decimals: told.decimals, quote },
      ...{ peer: () => "other", is_share: () => false, is_debt: () => false },
    },
    { openings: [], transactions: [transaction], closing: { time: 2, balances: [] } },
  );
  return [...entries.values()]
    .flatMap(({ bucket, trading }) => [
      ...(trading.buy_count > 0 ? [`+${trading.bought} ${bucket}`] : []),
      ...(trading.sell_count > 0 ? [`-${trading.sold} ${bucket}`] : []),
    ])
    .sort();
};

const byReading = ({ wrapped_native }: HeadlineCase, headline: Headline | null): readonly string[] => {
  if (headline?.type !== "swap") return [];
  const nets = new Map<Hex, bigint>();
  const add = (token: Hex, amount: bigint): void => {
    const bucket = token === wrapped_native ? "" : token;
    nets.set(bucket, (nets.get(bucket) ?? 0n) + amount);
  };
  for (const { token, amount } of headline.given) add(token, -amount);
  for (const { token, amount } of headline.received) add(token, amount);
  return [...nets]
    .filter(([, net]) => net !== 0n)
    .map(([bucket, net]) => `${net > 0n ? "+" : ""}${net} ${bucket}`)
    .sort();
};

/**
 * Exchanges that only a name distinguishes from a trade: shares traded for in a savings module, liquidity of one asset,
 * a seized collateral, a loan for its collateral, a deposit and a withdrawal that are paid out with coins beside them.
 */
const NAMED_ONLY = [
  ...["withdraw Spark", "supply Spark", "deposit Beefy", "unstake Beefy", "withdraw Beefy", "stake Liquity"],
  ...["add_liquidity Balancer", "add_liquidity Curve", "remove_liquidity Curve"],
  ...["borrow Curve", "repay Compound", "liquidation Compound v2 or a fork", "claim_reward Omni"],
];

describe.skipIf(!is_recorded)("recorded transactions", () => {
  const rows = (is_recorded ? readings() : []).map(({ told }) => {
    const headline = headlineOf(told);
    const actor = headline?.actor ?? told.sender;
    return { headline, books: byBooks(told, actor), reading: byReading(told, headline) };
  });

  test("every swap of a reading is a trade of the books, of the same tokens and amounts", () => {
    const swaps = rows.filter(({ reading }) => reading.length > 0);
    expect(swaps.length).toBeGreaterThanOrEqual(35);
    for (const { books, reading } of swaps) expect(books).toEqual(reading);
  });

  test("every trade of the books is a swap of its reading, except those that only a name distinguishes", () => {
    const others = rows.filter(({ books, reading }) => books.length > 0 && reading.length === 0);
    expect(others.map(({ headline }) => `${headline?.type} ${headline?.protocol?.name}`).sort()).toEqual(
      [...NAMED_ONLY].sort(),
    );
  });
});
