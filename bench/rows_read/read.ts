/** Rows that the engine reads for each row of its answer, query by query, over all tools. */
import { AssayError } from "../../src/lib/errors.ts";
import type { QueryName } from "../../src/store/facts.ts";
import { QUERIES } from "../../src/store/queries.gen.ts";
import { questionText } from "../../src/store/question_text.ts";
import { tools } from "../../src/tools/index.ts";
import type { BlownUp } from "../blown_up_setup.ts";
import { callTool } from "../calls.ts";
import { casesOf } from "../cases.ts";
import { progress } from "../figures.ts";
import { countQuestions, forgetConditions, type QueryFigures } from "../questions.ts";

/** Most rows read for each row of the answer. */
const ROWS_PER_ROW_MAX = 50;

/**
 * And a floor for any answer: a query reads granules of 8,192 rows, at least one in each part of each table that it
 * touches, of the final blocks and of the tail; sums come out as one row.
 */
const ROWS_FLOOR = 24 * 8_192;

const TOKEN = "All movements of a token in the window are summed: they are the subject of the query.";
const POOLS = "All trades or states of a token's pools in the window are read: they are the subject of the query.";
const WALLET = "All rows of a wallet are read, by its part of the ledger's order; few of them match.";
const MANY = "Rows of up to a thousand addresses are read, each by its part of the ledger's order.";
const SCATTERED =
  "Rows at as many places as a wallet has transactions: each place is in a granule of its own, which is read whole.";
const FRESH = "The ledgers of all accounts that moved the token show which of them are fresh.";

/** Queries that read more, with the reason. */
const REASONS: { readonly [N in QueryName]?: string } = {
  "developer/issued": TOKEN,
  "developer/liquidity": POOLS,
  "developer/mints": TOKEN,
  "developer/peaks": POOLS,
  "developer/receivers": TOKEN,
  "developer/sent_on": TOKEN,
  "developer/swaps": POOLS,
  "developer/trades": POOLS,
  "developer/funders": WALLET,
  "flows/dex_hours": POOLS,
  "groups/flows": FRESH,
  "groups/top_pnl": POOLS,
  "groups/wallets": FRESH,
  "flows/parties": TOKEN,
  "flows/token_flows": TOKEN,
  "stablecoins/inflow": WALLET,
  "stablecoins/peers": WALLET,
  "holders/changes": TOKEN,
  "holders/daily_changes": TOKEN,
  "pnl/token_moves": SCATTERED,
  "holders/volumes": POOLS,
  "market/days": POOLS,
  "market/trades": POOLS,
  "market/wash": POOLS,
  "prices/earlier":
    "Pools' prices of 24 hours are searched for each token, newest first; for a token without a price all of them are searched.",
  "prices/states": POOLS,
  "prices/states_lately": POOLS,
  "prices/volumes": POOLS,
  "risk/dealings": MANY,
  "risk/known_peers": WALLET,
  "risk/late_hubs": MANY,
  "risk/moved_tokens": MANY,
  "risk/partners": MANY,
  "risk/suspects": MANY,
  "token/airdrop_reach": TOKEN,
  "token/block_conditions":
    "The fees of all transactions of the newest blocks are read, and these blocks hold millions of copies.",
  "token/pool_callers": POOLS,
  "acts/calls": SCATTERED,
  "acts/positions": WALLET,
  "acts/trades_among": SCATTERED,
  "history/movement_spans": MANY,
  "history/peer_labels": WALLET,
  "stats/calls": SCATTERED,
  contract_peers: WALLET,
  holder_moves: TOKEN,
  holder_sums: TOKEN,
  pair_balances: "The ledger of each pair's holder has the movements above the stored sums.",
  prices_at_hours: SCATTERED,
  transaction_details: SCATTERED,
};

const firstLine = (sql: string): string => sql.slice(0, sql.indexOf("\n"));

/** Queries by the first line of their SQL. */
const NAMES: ReadonlyMap<string, QueryName> = new Map(
  (Object.keys(QUERIES) as QueryName[]).map((name) => [firstLine(questionText(name)), name]),
);

export interface QueryReads {
  /** Of a query; the store's own queries have their first line. */
  readonly name: string;
  readonly asked: number;
  /** Of the run that read most beyond the floor. */
  readonly rows_read: number;
  readonly rows: number;
  readonly tool: string;
}

const beyond = ({ rows_read, rows }: Pick<QueryFigures, "rows_read" | "rows">): number =>
  Math.max(0, rows_read - ROWS_FLOOR) / Math.max(1, rows);

/** Queries that read too much, and have no reason. */
export const unreasoned = (read: readonly QueryReads[]): readonly QueryReads[] =>
  read.filter((one) => beyond(one) > ROWS_PER_ROW_MAX && !Object.hasOwn(REASONS, one.name));

/** Reasons of queries that did not run. The rows that a query reads also depend on how many parts were merged. */
export const needless = (read: readonly QueryReads[]): readonly string[] =>
  Object.keys(REASONS).filter((name) => !read.some((one) => one.name === name));

const line = ({ name, asked, rows_read, rows, tool }: QueryReads): string =>
  `| ${[name, asked, rows_read, rows, (rows_read / Math.max(1, rows)).toFixed(1), tool].join(" | ")} |`;

/** A table of them, those that read most per row first. */
export const tableOf = (read: readonly QueryReads[]): string =>
  [
    "| question | asked | rows read | rows answered | read for each | tool |",
    "|---|---|---|---|---|---|",
    ...read.toSorted((a, b) => beyond(b) - beyond(a) || b.rows_read - a.rows_read).map(line),
  ].join("\n");

/** Runs every case of every tool once, and counts. A case that fails (no such contract) has sent queries, too. */
export const readByQuestions = async ({ place, service, facts_dir }: BlownUp): Promise<readonly QueryReads[]> => {
  const { engine } = service.facts;
  forgetConditions(engine);
  const found = new Map<string, QueryReads>();
  for (const tool of tools) {
    progress(tool.name);
    for (const { args } of casesOf(tool)) {
      const call = async (): Promise<void> => {
        try {
          await callTool(place, tool.name, args);
        } catch (error) {
          if (!(error instanceof AssayError)) throw error;
        }
      };
      for (const { says, rows_read, rows } of await countQuestions([engine, facts_dir], call)) {
        const name = NAMES.get(says) ?? says;
        const known = found.get(name);
        const asked = (known?.asked ?? 0) + 1;
        const is_most = known === undefined || beyond({ rows_read, rows }) > beyond(known);
        found.set(name, is_most ? { name, asked, rows_read, rows, tool: tool.name } : { ...known, asked });
      }
    }
  }
  return [...found.values()];
};
