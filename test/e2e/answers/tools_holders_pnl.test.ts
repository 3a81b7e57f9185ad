import { beforeAll, expect, test } from "vitest";
import { expectNear } from "../near.ts";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";
import { openTruth, type Truth } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
});

const listsOf = async (token: string) =>
  (
    await stage.ask("get_token_holders_traders", {
      token_address: truth.addressOf(token),
      network: "demo",
      limit: 100,
      from_date: "2026-08-01",
    })
  ).body;

test.each([
  ["harbor", "alice"],
  ["juniper", "alice"],
  ["sunrise", "bob"],
])("matches a trader's gain with %s with the books of %s", async (token, wallet) => {
  const lists = await listsOf(token);
  const trader = lists.traders.find(({ address }: { address: string }) => address === truth.addressOf(wallet));
  const { body } = await stage.ask("get_wallet_pnl", {
    address: truth.addressOf(wallet),
    network: "demo",
    from_date: "2026-08-01",
    records_per_page: 100,
  });
  const row = body.data.find((one: { token_address: string }) => one.token_address === truth.addressOf(token));
  const { realized_usd, unrealized_usd, total_usd } = row.pnl;
  expectNear(trader.pnl, { realized_usd, unrealized_usd, total_usd, avg_cost_usd: row.trading.avg_cost_usd });
});

test("has no books for a pool, and all first coins come from the bank", async () => {
  const { holders, traders, unavailable } = await listsOf("harbor");
  const pool = holders.find(({ holder_type }: { holder_type: string }) => holder_type === "lp_pool");
  expect(pool).toMatchObject({ pnl: null });
  const alice = traders.find(({ address }: { address: string }) => address === truth.addressOf("alice"));
  expect(alice.funding_source).toEqual({
    ...{ address: truth.addressOf("bank"), label: null, category: null, label_source: null },
  });
  expect(unavailable.map(({ field }: { field: string }) => field)).toContain("holders[].pnl");
});
