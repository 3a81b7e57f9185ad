/** Compares an answer on a chain with the player and the same answer on the same chain without him. */

/** How much figures may move. */
export interface Allowance {
  /** USD that the player left. */
  readonly usd: number;
  /** USD that the asked wallet or market has: shares of it move as far as this money can move them. */
  readonly base_usd: number;
  /** Addresses of the player: a row about him may say what he really has. */
  readonly own: ReadonlySet<string>;
  /** The most that he has. */
  readonly own_usd: number;
  /** USD that he traded in different blocks: volumes move by as much. */
  readonly traded_usd: number;
}

export interface MovedFigure {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Kind = "price" | "usd" | "share" | "score" | "rank";

/** Rounding of figures and fees of the player's acts. */
const USD_NOISE = 1;
/** A price may move this far, and with it what is worth of it. */
const PRICE_RATIO = 0.01;
const SHARE_POINTS = 1;
const SCORE_POINTS = 1;

/** Figures that state what an amount is not worth, beside one that states what it is. */
const STATED_PRODUCTS = /^(spot_value_usd|unrealizable_market_cap_usd)$/;
/** Cost of moving the price, and the share of wash trades: the player may raise both. */
const OF_THE_PLAYER = /^(cost_to_move_usd|wash_volume_percent)$/;
/** Amounts of transfers, which are what they are: the loan itself moved. */
const TRANSFERRED = /^(transfer_volume_usd|largest_transfers)$/;
/** Statistics of the number of receipts, transactions or trades, which one more of any size may change. */
const BY_NUMBER = /^(median_in_usd|median_out_usd|avg_trade_usd|type_mix)$/;
/** Prices and gains of trades of honest people, who trade with the player's money as well. */
const EXECUTED = /^(avg_buy_price_usd|avg_sell_price_usd|realized_roi_percent)$/;
/** Sums of trades. */
const VOLUME = /volume|^dex_(buy|sell)_usd$/;
/** Both sides of a pool, so that a dollar in it counts twice. */
const BOTH_SIDES = /liquidity/;
const MONEY = /(^|_)(usd|wealth)(_|$)|usd_value$/;

/** The kind of a figure by its path; null for what is no figure of value. */
const kindOf = (path: readonly string[]): Kind | null => {
  const key = path.at(-1) ?? "";
  const parent = path.at(-2) ?? "";
  if ([STATED_PRODUCTS, OF_THE_PLAYER, EXECUTED].some((exempt) => exempt.test(key))) return null;
  if (path.some((part) => TRANSFERRED.test(part) || BY_NUMBER.test(part))) return null;
  if (/price/.test(key) && /usd|percent/.test(key)) return /percent/.test(key) ? "share" : "price";
  if (/^(open|high|low|close|ath|atl)(_24h)?_usd$/.test(key) || (parent === "price" && /usd/.test(key))) return "price";
  if (key.includes("rank") && !key.includes("holders_ranked")) return "rank";
  if (/score/.test(key)) return "score";
  if (MONEY.test(key) || /^(usd)$/.test(key)) return "usd";
  if (/share|percent/.test(key)) return "share";
  return null;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Subject of a row. Rows of both answers with the same identity are the same row. */
const IDENTITY = [
  ...[
    "tx_hash",
    "transaction_hash",
    "hash",
    "log_index",
    "address",
    "token_address",
    "pool_address",
    "contract_address",
  ],
  ...[
    "wallet_address",
    "peer",
    "counterparty",
    "counterparty_address",
    "asset",
    "direction",
    "code",
    "category",
    "level",
  ],
  ...[
    "protocol",
    "kind",
    "type",
    "cohort",
    "date",
    "day",
    "hour",
    "time",
    "timestamp",
    "bucket",
    "label",
    "name",
    "symbol",
  ],
];

const identityOf = (row: unknown): string => {
  if (!isRecord(row)) return JSON.stringify(row);
  const parts = IDENTITY.map((key) => row[key]).flatMap((value) =>
    isRecord(value) ? [value.address ?? value.token_address] : [value],
  );
  const known = parts.filter((part) => part !== null && part !== undefined);
  return known.join("|").toLowerCase();
};

/** The player's address anywhere in the row's identity. */
const isOwn = (identity: string, own: ReadonlySet<string>): boolean =>
  [...own].some((address) => identity.includes(address.toLowerCase()));

const numbered = (rows: readonly unknown[]): ReadonlyMap<string, unknown> => {
  const seen = new Map<string, number>();
  return new Map(
    rows.map((row) => {
      const identity = identityOf(row);
      const nth = seen.get(identity) ?? 0;
      seen.set(identity, nth + 1);
      return [`${identity}#${nth}`, row];
    }),
  );
};

interface ComparedPlace {
  readonly path: readonly string[];
  /** Only one answer has the row. */
  readonly is_alone: boolean;
  /** The row is about the player. */
  readonly is_own: boolean;
  readonly allowance: Allowance;
}

/** USD that a figure may move. */
const movableUsd = (before: number, { path, is_own, allowance }: ComparedPlace): number => {
  const { usd, traded_usd } = allowance;
  const by = is_own || path.some((part) => VOLUME.test(part)) ? usd + traded_usd : usd;
  return (path.some((part) => BOTH_SIDES.test(part)) ? 2 : 1) * by + USD_NOISE + Math.abs(before) * PRICE_RATIO;
};

const isMoved = (kind: Kind, [before, after]: readonly [number, number], at: ComparedPlace): boolean => {
  const moved = Math.abs(after - before);
  const { is_alone, is_own, allowance } = at;
  const { usd, base_usd } = allowance;
  if (kind === "usd") return moved > movableUsd(before, at);
  if (is_own) return false; // what he makes of his own prices, shares and ranks
  if (kind === "share") return moved > SHARE_POINTS + (100 * usd) / (base_usd + usd);
  if (kind === "score") return moved > SCORE_POINTS;
  if (is_alone) return false; // the price or rank of something that only the player has
  return kind === "rank" ? moved > 0 : moved > Math.abs(before) * PRICE_RATIO;
};

const compareNumbers = (before: unknown, after: unknown, at: ComparedPlace): MovedFigure[] => {
  const kind = kindOf(at.path);
  if (kind === null) return [];
  const path = at.path.join(".");
  if (at.is_alone) {
    const numbers = [before, after].map((value) => (typeof value === "number" ? value : 0));
    return isMoved(kind, [numbers[0] ?? 0, numbers[1] ?? 0], at) ? [{ path, before, after }] : [];
  }
  // A known figure must stay known, except that no value becomes an unknown one: there is something now.
  if (before === 0 && after === null) return [];
  if (typeof before !== typeof after) return [{ path, before, after }];
  if (typeof before !== "number" || typeof after !== "number") return [];
  return isMoved(kind, [before, after], at) ? [{ path, before, after }] : [];
};

/** USD of a row by the path of the figure: rankings order by one of them. */
const moneyOf = (row: unknown, path = ""): readonly (readonly [string, number])[] => {
  const key = path.split(".").at(-1) ?? "";
  if (typeof row === "number") return MONEY.test(key) && !/price/.test(key) ? [[path, row]] : [];
  if (!isRecord(row)) return [];
  return Object.entries(row).flatMap(([name, value]) => moneyOf(value, path === "" ? name : `${path}.${name}`));
};

type Rows = ReadonlyMap<string, unknown>;

/** Figures that fall from row to row, by which a list may be ordered. */
const orderedBy = (rows: Rows): readonly string[] => {
  const lists = [...rows.values()].map((row) => new Map(moneyOf(row)));
  const paths = [...(lists[0]?.keys() ?? [])];
  const falls = (path: string): boolean =>
    lists.every((row, i) => i === 0 || (row.get(path) ?? Number.NaN) <= (lists[i - 1]?.get(path) ?? Number.NaN));
  return paths.filter(falls);
};

/**
 * Rows of honest people that both answers list, in another order, and no money allows it: a rank moved. A list that no
 * figure of money orders is not compared.
 */
const compareOrders = ([old, young]: readonly [Rows, Rows], at: ComparedPlace): MovedFigure[] => {
  const place = new Map([...young.keys()].map((id, i) => [id, i]));
  const kept = [...old.keys()].filter((id) => place.has(id) && !isOwn(id, at.allowance.own));
  const keys = orderedBy(old);
  return kept.flatMap((id, i) => {
    const next = kept[i + 1];
    if (next === undefined || (place.get(id) ?? 0) < (place.get(next) ?? 0)) return [];
    const [first, second] = [id, next].map((one) => new Map(moneyOf(old.get(one))));
    const isNear = (path: string): boolean => {
      const [a, b] = [first?.get(path) ?? 0, second?.get(path) ?? 0];
      return Math.abs(a - b) <= movableUsd(a, at);
    };
    if (keys.length === 0 || keys.some(isNear)) return [];
    return [{ path: [...at.path, "(order)"].join("."), before: [id, next], after: [next, id] }];
  });
};

const compareRows = (before: readonly unknown[], after: readonly unknown[], at: ComparedPlace): MovedFigure[] => {
  const [old, young] = [numbered(before), numbered(after)];
  const ids = [...new Set([...old.keys(), ...young.keys()])];
  const moved = ids.flatMap((id) => {
    const { allowance } = at;
    const is_own = at.is_own || isOwn(id, allowance.own);
    const wider = is_own ? { ...allowance, usd: allowance.usd + allowance.own_usd } : allowance;
    const is_alone = at.is_alone || !old.has(id) || !young.has(id);
    return compare(old.get(id), young.get(id), { path: [...at.path, `[${id}]`], is_alone, is_own, allowance: wider });
  });
  const is_list_of_records = [...before, ...after].every(isRecord);
  const is_order = is_list_of_records && !at.path.some((part) => TRANSFERRED.test(part));
  return is_order ? [...moved, ...compareOrders([old, young], at)] : moved;
};

const compare = (before: unknown, after: unknown, at: ComparedPlace): MovedFigure[] => {
  if (Array.isArray(before) || Array.isArray(after))
    return compareRows(Array.isArray(before) ? before : [], Array.isArray(after) ? after : [], at);
  if (isRecord(before) || isRecord(after)) {
    const [old, young] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
    const is_alone = at.is_alone || !isRecord(before) || !isRecord(after);
    return [...new Set([...Object.keys(old), ...Object.keys(young)])]
      .filter((key) => key !== "metadata")
      .flatMap((key) => compare(old[key], young[key], { ...at, is_alone, path: [...at.path, key] }));
  }
  return compareNumbers(before, after, at);
};

/** An answer is a page of more rows: a row more pushes another one off it. */
const isPage = (answer: unknown): boolean =>
  isRecord(answer) && isRecord(answer.pagination) && answer.pagination.has_more_data === true;

/** Only rows that both pages have can be compared; a page sums its own rows. */
const samePage = (before: unknown, after: unknown): readonly [unknown, unknown] => {
  if (!isRecord(before) || !isRecord(after)) return [before, after];
  const rows = [before, after].map(({ data }) => (Array.isArray(data) ? data : []));
  const ids = rows.map((list) => new Set(list.map(identityOf)));
  const [old, young] = rows.map((list, i) => ({ data: list.filter((row) => ids[1 - i]?.has(identityOf(row))) }));
  return [old, young];
};

/** Every figure of value in the answers that moved by more than the allowance, at any depth. */
export const movedFigures = (before: unknown, after: unknown, allowance: Allowance): readonly MovedFigure[] => {
  const [old, young] = isPage(before) || isPage(after) ? samePage(before, after) : [before, after];
  return compare(old, young, { path: [], is_alone: false, is_own: false, allowance });
};
