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
}

export interface MovedFigure {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Kind = "price" | "usd" | "share" | "score" | "rank";

/** Rounding of figures and fees of the player's acts. */
const USD_NOISE = 1;
const PRICE_RATIO = 0.01;
const SHARE_POINTS = 1;
const SCORE_POINTS = 1;

/** Figures that state what an amount is not worth, beside one that states what it is. */
const STATED_PRODUCTS = /^(spot_value_usd|unrealizable_market_cap_usd)$/;
/** What it costs to move the price: the more, the better. Volumes of washing are named so. */
const OF_THE_MARKET = /^(cost_to_move_usd|wash_volume_percent)$/;
const MONEY = /(^|_)(usd|wealth)(_|$)|usd_value$/;

/** The kind of a figure by its path; null for what is no figure of value. */
const kindOf = (path: readonly string[]): Kind | null => {
  const key = path.at(-1) ?? "";
  const parent = path.at(-2) ?? "";
  if (STATED_PRODUCTS.test(key) || OF_THE_MARKET.test(key)) return null;
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

/** What a row is about. Rows of both answers with the same identity are the same row. */
const IDENTITY = [
  ...["tx_hash", "transaction_hash", "hash", "log_index", "address", "token_address", "pool_address", "contract_address"],
  ...["wallet_address", "counterparty", "counterparty_address", "asset", "direction", "code", "category", "level"],
  ...["protocol", "kind", "type", "cohort", "date", "day", "hour", "time", "timestamp", "bucket", "label", "name", "symbol"],
];

const identityOf = (row: unknown): string => {
  if (!isRecord(row)) return JSON.stringify(row);
  const parts = IDENTITY.map((key) => row[key]).map((value) =>
    isRecord(value) ? String(value.address ?? value.token_address ?? "") : String(value ?? ""),
  );
  return parts.join("|").toLowerCase();
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

interface Compared {
  readonly path: readonly string[];
  /** Only one answer has the row. */
  readonly is_alone: boolean;
  readonly allowance: Allowance;
}

const isMoved = (kind: Kind, [before, after]: readonly [number, number], { is_alone, allowance }: Compared): boolean => {
  const moved = Math.abs(after - before);
  const { usd, base_usd } = allowance;
  if (kind === "usd") return moved > usd + USD_NOISE;
  if (kind === "share") return moved > SHARE_POINTS + (100 * usd) / (base_usd + usd);
  if (kind === "score") return moved > SCORE_POINTS;
  if (is_alone) return false; // the price or rank of something that nobody else has
  return kind === "rank" ? moved > 0 : moved > Math.abs(before) * PRICE_RATIO;
};

const compareNumbers = (before: unknown, after: unknown, at: Compared): MovedFigure[] => {
  const kind = kindOf(at.path);
  if (kind === null) return [];
  const path = at.path.join(".");
  if (at.is_alone) {
    const numbers = [before, after].map((value) => (typeof value === "number" ? value : 0));
    return isMoved(kind, [numbers[0] ?? 0, numbers[1] ?? 0], at) ? [{ path, before, after }] : [];
  }
  // What was known must stay known.
  if (typeof before !== typeof after) return [{ path, before, after }];
  if (typeof before !== "number" || typeof after !== "number") return [];
  return isMoved(kind, [before, after], at) ? [{ path, before, after }] : [];
};

/** Rows that are listed in both answers, in another order: a rank moved. Only rankings by value have an order to keep. */
const compareOrders = (before: readonly string[], after: readonly string[], path: readonly string[]): MovedFigure[] => {
  const kept = [before.filter((id) => after.includes(id)), after.filter((id) => before.includes(id))] as const;
  const same = kept[0].every((id, i) => id === kept[1][i]);
  return same ? [] : [{ path: [...path, "(order)"].join("."), before: kept[0], after: kept[1] }];
};

const compareRows = (before: readonly unknown[], after: readonly unknown[], at: Compared): MovedFigure[] => {
  const [old, young] = [numbered(before), numbered(after)];
  const ids = [...new Set([...old.keys(), ...young.keys()])];
  const moved = ids.flatMap((id) => {
    const { allowance } = at;
    const is_own = isOwn(id, allowance.own);
    const wider = is_own ? { ...allowance, usd: allowance.usd + allowance.own_usd } : allowance;
    const is_alone = at.is_alone || !old.has(id) || !young.has(id);
    const path = [...at.path, `[${id.replaceAll(/\|+/g, "|")}]`];
    return compare(old.get(id), young.get(id), { path, is_alone, allowance: wider });
  });
  const is_list_of_records = [...before, ...after].every(isRecord);
  return is_list_of_records ? [...moved, ...compareOrders([...old.keys()], [...young.keys()], at.path)] : moved;
};

const compare = (before: unknown, after: unknown, at: Compared): MovedFigure[] => {
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

/** Every figure of value in the answers that moved by more than the allowance, wherever it stands. */
export const movedFigures = (before: unknown, after: unknown, allowance: Allowance): readonly MovedFigure[] =>
  compare(before, after, { path: [], is_alone: false, allowance });
