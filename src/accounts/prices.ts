import { createHash } from "node:crypto";
import { readHidden } from "./allowlist.ts";
import type { Recorder } from "./audit.ts";
import type { Database, Queries, Scope } from "./database.ts";
import type { Catalog } from "./meter.ts";
import { refusal } from "./refusal.ts";

/** A public tool and the price on its card, which seeds the catalog. */
export interface PricedTool {
  readonly name: string;
  readonly credits: number;
}

type PriceRow = {
  readonly tool: string;
  /** Null = temporarily unavailable. */
  readonly credits: number | null;
  /** `card` = the tool's own price, `operator` = overrides it. */
  readonly source: "card" | "operator";
  readonly price_id: number;
};

/** Numbers of the newest rows of prices and of the allowlist: the cached list is valid while they are unchanged. */
export type Newest = { readonly newest_price: number; readonly newest_visibility: number };

/** Prices of the public tools, and of all tools. */
export interface PriceList {
  readonly newest: Newest;
  readonly catalog: Catalog;
  readonly rows: ReadonlyMap<string, PriceRow>;
  readonly all: readonly PriceRow[];
}

/** An operator's price. */
interface NewPrice {
  readonly tool: string;
  /** Null = temporarily unavailable. */
  readonly credits: number | null;
  readonly at: number;
  readonly record: Recorder;
}

export interface ToolPrices {
  /** The list as seen inside this transaction (or outside any), cached until a row is added. */
  current(queries: Queries): Promise<PriceList>;
  /** The same for a caller that has already read `NEWEST_COLUMNS`. */
  asOf(newest: Newest, queries: Queries): Promise<PriceList>;
  /** Whether the tool is public, as far as this process knows (at most a second old). */
  isPublic(tool: string): boolean;
  /** Includes hidden tools. */
  list(): Promise<readonly Pick<PriceRow, "tool" | "credits" | "source">[]>;
  /** @throws AssayError UNKNOWN_TOOL, BAD_CREDITS */
  set(price: NewPrice): Promise<{ catalog_version: string; tool: string; credits: number | null }>;
}

/** Price rows are numbered in sequence. Setting the same price twice in a row adds no row. */
export const CATALOG_SCOPE: Scope = { lock: "catalog", proof: null };

const ADD_SQL = `insert into prices (id, tool, credits, source, created_at)
  select coalesce(max(id), 0) + 1, $1, cast($2 as bigint), $3, cast($4 as bigint) from prices`;

// The newest row of each source. An operator's row overrides the card's.
const CURRENT_SQL = `select tool, credits, source, id as price_id from prices
  where id in (select max(id) from prices group by tool, source) order by tool, source`;

/** The columns of `Newest`, for any statement that reads them together with others. */
export const NEWEST_COLUMNS = `coalesce((select max(id) from prices), 0) as newest_price,
    coalesce((select max(id) from visibility), 0) as newest_visibility`;

const NEWEST_SQL = `select ${NEWEST_COLUMNS}`;
const NONE: Newest = { newest_price: 0, newest_visibility: 0 };

export const openPrices = (database: Database, tools: readonly PricedTool[]): ToolPrices => {
  const names = new Set(tools.map((tool) => tool.name));
  let known: PriceList | null = null;

  const asOf = async (newest: Newest, queries: Queries): Promise<PriceList> => {
    if (known !== null && isSame(known.newest, newest)) return known;
    const all = new Map<string, PriceRow>();
    // Ordered by source, so `operator` overwrites `card`.
    for (const row of await queries.all<PriceRow>(CURRENT_SQL)) if (names.has(row.tool)) all.set(row.tool, row);
    const hidden = await readHidden(queries);
    const rows = new Map([...all].filter(([tool]) => !hidden.has(tool)));
    const list: PriceList = { newest, rows, catalog: toCatalog(rows), all: [...all.values()] };
    // Inside a transaction that may roll back, a row number can be reused with another price.
    if (queries === database) known = list;
    return list;
  };

  const current = async (queries: Queries): Promise<PriceList> =>
    asOf((await queries.get<Newest>(NEWEST_SQL)) ?? NONE, queries);

  return {
    current,
    asOf,
    isPublic: (tool) => known?.rows.has(tool) ?? false,
    async list() {
      const { all } = await current(database);
      return all.map(({ tool, credits, source }) => ({ tool, credits, source }));
    },
    async set({ tool, credits, at, record }) {
      if (!names.has(tool)) throw refusal("UNKNOWN_TOOL", `Tool '${tool}' does not exist. See 'assay tools'.`);
      if (credits !== null && !(Number.isSafeInteger(credits) && credits >= 1 && credits <= 40))
        throw refusal("BAD_CREDITS", "A price is a whole number of credits from 1 to 40, or null.");
      await database.transaction(CATALOG_SCOPE, async (within) => {
        const before = { credits: (await current(within)).all.find((row) => row.tool === tool)?.credits ?? null };
        await within.run(ADD_SQL, [tool, credits, "operator", at]);
        await record(within, { action: "price.set", subject: tool, before, after: { credits } });
      });
      return { tool, credits, catalog_version: (await current(database)).catalog.version };
    },
  };
};

/** Writes a new card price for each tool whose card differs from its last card row. */
export const storeCards = async (within: Queries, tools: readonly PricedTool[], at: number): Promise<void> => {
  for (const tool of tools) {
    const last = await within.get<{ credits: number | null }>(
      "select credits from prices where tool = $1 and source = 'card' order by id desc limit 1",
      [tool.name],
    );
    if (last?.credits !== tool.credits) await within.run(ADD_SQL, [tool.name, tool.credits, "card", at]);
  }
};

const isSame = (a: Newest, b: Newest): boolean =>
  a.newest_price === b.newest_price && a.newest_visibility === b.newest_visibility;

const toCatalog = (rows: ReadonlyMap<string, PriceRow>): Catalog => {
  const pairs = [...rows.values()].map((row) => [row.tool, row.credits] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  const version = createHash("sha256").update(JSON.stringify(pairs)).digest("hex").slice(0, 12);
  return { version, credits: Object.fromEntries(pairs) };
};
