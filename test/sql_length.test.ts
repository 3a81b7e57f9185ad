import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findQuestions } from "../scripts/gen_queries.ts";

/**
 * An engine plans a query before it runs it, and on small stores that takes nearly all of the time: a UNION, a join or
 * a subquery costs a millisecond or more even without rows. So queries are short, and take known values as parameters.
 */
const LINES_MAX = 40;

/** Longer ones, each with a reason. Remove a line when you shorten its query. */
const LONGER: Readonly<Record<string, string>> = {
  "domain/wallet/flows/groups/flows.sql":
    "the cohort of a wallet follows from the ledger of every wallet that moved the token",
  "domain/compliance/risk/indirect.sql": "each movement counts at its worth, by the price and the depth of its hour",
  "domain/compliance/risk/partners.sql": "as indirect.sql",
  "domain/wallet/flows/groups/top_pnl.sql": "as indirect.sql, for purchases and for what is left of them",
  "domain/wallet/flows/groups/wallets.sql": "as flows.sql",
  "domain/token/holders/daily_changes.sql":
    "every holder's balance at the end of each part follows from sums and later movements",
  "domain/token/developer/liquidity.sql":
    "amounts of an event follow from the price right before it, which is in another table",
  "domain/valuation/prices/singleton_reserves.sql": "as liquidity.sql, beside what swaps changed",
  "store/queries/token_holders.sql": "sums and later movements of every holder are added in the store",
  "store/queries/verify_balances.sql": "both tables of sums are compared with the ledger at once",
};

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");

/** The query as sent, with fragments and without comments. */
const linesOf = (text: string): number =>
  text.split("\n").filter((line) => line.replace(/--.*/, "").trim() !== "").length;

test("limits queries to 40 lines, unless they are listed with a reason", () => {
  const long = findQuestions(ROOT)
    .map(({ path, text }) => ({ path, lines: linesOf(text) }))
    .filter(({ lines }) => lines > LINES_MAX);
  expect(long.map(({ path }) => path).sort()).toEqual(Object.keys(LONGER).sort());
});
