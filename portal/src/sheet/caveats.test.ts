import { expect, test } from "vitest";
import { caveatOf } from "./caveats.ts";

test("profit says how much has no known cost, held and sold apart", () => {
  const summary = {
    ...{ total_pnl_usd: 1_700, total_realized_pnl_usd: 79, total_unrealized_pnl_usd: 1_621 },
    ...{ uncosted_value_usd: 106_785, all_tokens: { proceeds_without_cost_usd: 20 } },
  };
  const caveat = (path: string) => caveatOf("get_wallet_pnl", path, { summary });
  expect(caveat("summary.total_unrealized_pnl_usd")).toBe("without $106,785.00 held at unknown cost");
  expect(caveat("summary.total_realized_pnl_usd")).toBe("without $20.00 sold at unknown cost");
  expect(caveat("summary.total_pnl_usd")).toBe(
    "without $106,785.00 held at unknown cost and $20.00 sold at unknown cost",
  );
  expect(caveat("summary.uncosted_value_usd")).toBeNull();
});

test("a figure that leaves nothing out, or is unknown itself, has no caveat", () => {
  const summary = { total_unrealized_pnl_usd: 5, uncosted_value_usd: 0 };
  expect(caveatOf("get_wallet_pnl", "summary.total_unrealized_pnl_usd", { summary })).toBeNull();
  const unknown = { summary: { total_unrealized_pnl_usd: null, uncosted_value_usd: 7 } };
  expect(caveatOf("get_wallet_pnl", "summary.total_unrealized_pnl_usd", unknown)).toBeNull();
});

test("sums name the transfers and tokens without a price, and scores their upper bound", () => {
  expect(caveatOf("get_wallet_stats", "total_in_usd", { total_in_usd: 1, unpriced_transfers: 1 })).toBe(
    "without 1 transfer that has no price",
  );
  const worth = { total_value_usd: 1, tokens_without_price: 3 };
  expect(caveatOf("get_wallet_portfolio_breakdown", "total_value_usd", worth)).toBe("without 3 tokens without a price");
  const risk = { risk_score: 24, score_range: { min: 24, max: 40 } };
  expect(caveatOf("get_wallet_risk_overview", "risk_score", risk)).toBe("up to 40, if all that is unknown were bad");
});
