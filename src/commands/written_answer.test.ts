import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { getWalletPnl } from "../tools/get_wallet_pnl/index.ts";
import { answerLines } from "./written_answer.ts";

const view = getWalletPnl.view ?? null;

const row = (token_symbol: string, total_usd: number, uncosted_value_usd: number) => ({
  token_symbol,
  token_address: `0x${"ab".repeat(20)}`,
  pnl: { realized_usd: 1.5, unrealized_usd: total_usd - 1.5, total_usd },
  holdings: { current_amount: 3, current_amount_raw: "3000", current_value_usd: 9 },
  trading: { buy_count: 2, sell_count: 1, uncosted_value_usd },
  unavailable: [],
});

const answer = { type: "pnl_detailed", data: [row("ETH", 12.25, 106_785.5), row("JUN", -3, 0)] };

const linesAt = (width: number, columns: readonly string[] | null = null): readonly string[] =>
  answerLines(answer, { width, view, columns }).map((line) => line.trim());

test("a list has the columns of the card's compact view, members of members too", () => {
  const [, , head = "", first = ""] = linesAt(300);
  expect(head.split(/ {2,}/)).toEqual([
    ...["token_symbol", "token_address", "pnl.realized_usd", "pnl.unrealized_usd", "pnl.total_usd"],
    ...["trading.uncosted_value_usd", "holdings.current_value_usd", "trading.buy_count", "trading.sell_count"],
    "holdings.current_amount",
  ]);
  expect(first).toMatch(/^ETH .* 12\.25 +106785\.5 +9 /);
});

test("columns that do not fit make room for narrower ones, and are named", () => {
  const lines = linesAt(60);
  // 12 + 2 + 42 of the first two leave no room; the address is passed over, three of profit are not.
  expect(lines[2]?.split(/ {2,}/)).toEqual(["token_symbol", "token_address"]);
  expect(lines.at(-1)).toMatch(/^hidden: pnl\.realized_usd, pnl\.unrealized_usd, pnl\.total_usd, .*--columns a,b/);
  const narrow = linesAt(50);
  expect(narrow[2]?.split(/ {2,}/)).toEqual(["token_symbol", "pnl.realized_usd", "pnl.total_usd"]);
  expect(narrow.at(-1)).toContain("hidden: token_address, pnl.unrealized_usd, ");
});

test("columns that are named are shown whatever the width, also one that the card leaves out", () => {
  const [, , head, first] = linesAt(20, ["token_symbol", "holdings.current_amount_raw"]);
  expect([head, first]).toEqual(["token_symbol  holdings.current_amount_raw", expect.stringMatching(/^ETH {11}3000$/)]);
});

test("an answer of a tool that this program does not know has every column that fits", () => {
  const lines = answerLines(answer, { width: 300, view: null, columns: null }).map((line) => line.trim());
  expect(lines[2]).toContain("pnl.total_usd");
  expect(lines[2]).not.toContain("_raw");
});

test("the example of the documentation shows a profit at the width of a terminal", () => {
  const path = join(import.meta.dirname, "../../docs/examples/get_wallet_pnl.json");
  const lines = answerLines(JSON.parse(readFileSync(path, "utf8")), { width: 120, view, columns: null });
  expect(lines.some((line) => /token_symbol +token_address +pnl\.realized_usd/.test(line))).toBe(true);
});
