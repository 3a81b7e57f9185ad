import type { Hex } from "../../../lib/bytes.ts";
import { inTurns, PIECE_ROWS, type Pieces } from "../../../lib/turns.ts";
import type { QueryColumns } from "../../../store/facts.ts";
import { storedDepth } from "../worth.ts";
import { inBatches, type PriceContext } from "./pools.ts";
import type { Price, TokenHour } from "./price_cache.ts";
import type { PriceConfidence, PriceMethod } from "./quotes.ts";

/** Limit of pairs that a query names; above it, all hours of all tokens are read. */
const PAIRS_MAX = 1_000;

const METHODS: readonly string[] = ["anchor", "market", "last"] satisfies readonly PriceMethod[];
export const isMethod = (text: string): text is PriceMethod => METHODS.includes(text);

const CONFIDENCES: readonly string[] = ["low", "medium", "high"] satisfies readonly PriceConfidence[];
const isConfidence = (text: string): text is PriceConfidence => CONFIDENCES.includes(text);

/** Null: no stored price. */
export type StoredPriceAt = (token: Hex, hour: number) => Price | null;

/** Prices by hour by token. */
type StoredPrices = Map<Hex, Map<number, Price>>;

const put = (stored: StoredPrices, token: Hex, price: Price): void => {
  const hours = stored.get(token);
  if (hours === undefined) stored.set(token, new Map([[price.hour, price]]));
  else hours.set(price.hour, price);
};

interface StoredBacking {
  readonly cost_to_move_usd: number;
  readonly sell_reserve: number;
  readonly sell_payout_usd: number;
}

/** The table states what is absent as -1. */
export const backingOf = (row: StoredBacking): Pick<Price, "cost_to_move_usd" | "sells"> => ({
  cost_to_move_usd: row.cost_to_move_usd < 0 ? null : row.cost_to_move_usd,
  sells: storedDepth(row.sell_reserve, row.sell_payout_usd),
});

/** The columns of a price's backing, as the table states them. */
export const backingColumns = ({
  cost_to_move_usd,
  sells,
}: Pick<Price, "cost_to_move_usd" | "sells">): StoredBacking => ({
  cost_to_move_usd: cost_to_move_usd ?? -1,
  sell_reserve: sells?.reserve ?? -1,
  sell_payout_usd: sells?.payout_max_usd ?? -1,
});

const readPairs = async ({ facts, snapshot }: PriceContext, wanted: readonly TokenHour[]): Promise<StoredPrices> => {
  const stored: StoredPrices = new Map();
  const hours = wanted.map(({ hour }) => hour);
  const tokens = wanted.map(({ token }) => token);
  for (const { token, method, ...row } of await facts.ask(snapshot, "prices_at_hours", { tokens, hours })) {
    const { hour, price_usd, depth_usd, confidence } = row;
    if (isMethod(method)) put(stored, token, { hour, price_usd, depth_usd, method, confidence, ...backingOf(row) });
  }
  return stored;
};

/** Hours by token. */
type HoursByToken = ReadonlyMap<Hex, ReadonlySet<number>>;

/** Picks the requested prices: all hours of all tokens have many more. */
function* selectPrices(rows: QueryColumns<"prices/rows">, wanted: HoursByToken, stored: StoredPrices): Pieces<void> {
  const { token, hour, price_usd, depth_usd, method, confidence, length } = rows;
  const { cost_to_move_usd, sell_reserve, sell_payout_usd } = rows;
  const hours = token.texts.map((text) => wanted.get(text));
  for (let row = 0; row < length; row += 1) {
    if (row % PIECE_ROWS === 0) yield;
    const code = token.codes[row] ?? 0;
    const at = hour[row] ?? 0;
    if (hours[code]?.has(at) !== true) continue;
    const by = method.texts[method.codes[row] ?? 0] ?? "";
    const sure = confidence.texts[confidence.codes[row] ?? 0] ?? "";
    if (!isMethod(by) || !isConfidence(sure)) continue;
    put(stored, token.texts[code] ?? "", {
      hour: at,
      price_usd: price_usd[row] ?? 0,
      depth_usd: depth_usd[row] ?? 0,
      method: by,
      confidence: sure,
      ...backingOf({
        cost_to_move_usd: cost_to_move_usd[row] ?? -1,
        sell_reserve: sell_reserve[row] ?? 0,
        sell_payout_usd: sell_payout_usd[row] ?? 0,
      }),
    });
  }
}

const readTable = async ({ facts, snapshot }: PriceContext, pairs: readonly TokenHour[]): Promise<StoredPrices> => {
  const wanted = new Map<Hex, Set<number>>();
  const hours = new Set<number>();
  for (const { token, hour } of pairs) {
    const known = wanted.get(token);
    if (known === undefined) wanted.set(token, new Set([hour]));
    else known.add(hour);
    hours.add(hour);
  }
  const stored: StoredPrices = new Map();
  await inBatches([...wanted.keys()], (tokens) =>
    inBatches([...hours], async (part) => {
      await inTurns(
        selectPrices(await facts.columns(snapshot, "prices/rows", { tokens, hours: part }), wanted, stored),
      );
      return [];
    }),
  );
  return stored;
};

/** The stored prices of these pairs. */
export const readStored = async (context: PriceContext, wanted: readonly TokenHour[]): Promise<StoredPriceAt> => {
  const stored = await (wanted.length <= PAIRS_MAX ? readPairs : readTable)(context, wanted);
  return (token, hour) => stored.get(token)?.get(hour) ?? null;
};
