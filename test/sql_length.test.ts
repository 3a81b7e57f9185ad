import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findQuestions } from "../scripts/gen_queries.ts";

/**
 * An engine plans a question before it runs it, and on small stores that is nearly all of what it does: a UNION, a join or
 * a subquery costs a millisecond or more even where there are no rows. So a question is short; what is known is given to it.
 */
const LINES_MAX = 40;

/** Longer ones, each with why. Who shortens one takes its line out. */
const LONGER: Readonly<Record<string, string>> = {
  "domain/wallet/flows/groups/flows.sql":
    "who belongs to which cohort follows from the ledger of everybody who moved the token",
  "domain/wallet/flows/groups/wallets.sql": "as flows.sql",
  "domain/token/holders/daily_changes.sql":
    "every holder's balance at the end of each part follows from sums and later movements",
  "domain/token/developer/liquidity.sql":
    "amounts of an event follow from the price right before it, which another table tells",
  "domain/valuation/prices/singleton_reserves.sql": "as liquidity.sql, beside what swaps changed",
  "store/queries/token_holders.sql": "sums and later movements of every holder are added where they lie",
  "store/queries/verify_balances.sql": "both tables of sums are compared with the ledger at once",
};

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");

/** As it is sent, fragments put in, without comments. */
const linesOf = (text: string): number =>
  text.split("\n").filter((line) => line.replace(/--.*/, "").trim() !== "").length;

test("a question to the facts has no more than 40 lines, unless it is named with a reason", () => {
  const long = findQuestions(ROOT)
    .map(({ path, text }) => ({ path, lines: linesOf(text) }))
    .filter(({ lines }) => lines > LINES_MAX);
  expect(long.map(({ path }) => path).sort()).toEqual(Object.keys(LONGER).sort());
});
