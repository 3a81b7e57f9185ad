import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { settings } from "../../src/config/settings.ts";
import { readSubjects } from "../../src/store/subjects/records.ts";
import { DEMO_EXAMPLES } from "../../src/tools/tool.ts";
import { sized } from "../long.ts";
import { comparable } from "./on_demand_figures.ts";
import { openTestService } from "./served_world.ts";
import { still } from "./still.ts";
import { openWholeAndDemand, type WholeAndDemand } from "./whole_and_demand.ts";

/** Tools about tokens on a network that is read on demand: the blocks with events of a token have all its movements. */

let both: WholeAndDemand;
let tokens: readonly string[];
beforeAll(async () => {
  both = await openWholeAndDemand(true);
  const found = await both.whole.service.facts.engine.query(
    "SELECT lower(hex(token)) FROM tokens FINAL WHERE network = 'demo' AND standard = 'erc20' ORDER BY token",
  );
  tokens = found.map(([token]) => `0x${token}`);
});
afterAll(() => both?.close());

/** Prices, funders and outcomes rest on what is not read. */
const UNREAD: readonly string[] = [
  ...["price_usd", "segment_value_usd", "transfer_volume_usd", "inflow_usd", "outflow_usd", "net_flow_usd"],
  ...["value_usd", "spot_value_usd", "value_limit", "buy_volume_usd", "sell_volume_usd", "net_usd", "dex_buy_usd"],
  ...["dex_sell_usd", "usd_value", "funding_source", "pnl", "unavailable"],
];

const read = async (tool: string, token_address: string, demand = both.demand) => {
  const asked = { token_address, network: "demo" };
  return vi.waitFor(
    async () => {
      const found = await demand.ask(tool, asked);
      expect(found.body.code).not.toBe("READING");
      return found;
    },
    { timeout: 180_000, interval: 500 },
  );
};

const MINUTE = 60_000;

test.each(["get_token_flows", "get_token_holders_traders"])(
  "%s has the amounts, holders and trades of the whole index",
  async (tool) => {
    const some = [DEMO_EXAMPLES.token, ...tokens.filter((_, i) => i % sized({ slice: 40, long: 6 }) === 0)];
    for (const token of some) {
      const expected = await both.whole.ask(tool, { token_address: token, network: "demo" });
      const found = await read(tool, token);
      expect([token, comparable(still(found.text), UNREAD)]).toEqual([token, comparable(still(expected.text), UNREAD)]);
    }
  },
  10 * MINUTE,
);

test("the example has the same values in USD, and no funder that is not read", async () => {
  const asked = { token_address: DEMO_EXAMPLES.token, network: "demo" };
  const [found, expected] = [
    await read("get_token_flows", asked.token_address),
    await both.whole.ask("get_token_flows", asked),
  ];
  expect(comparable(still(found.text))).toEqual(comparable(still(expected.text)));
  const { body } = await read("get_token_holders_traders", asked.token_address);
  for (const { funding_source } of [...body.holders, ...body.traders]) expect(funding_source).toBeNull();
  expect(body.unavailable.map(({ field }: { readonly field: string }) => field)).toContain("holders[].funding_source");
});

test.each([
  ["a cohort", { segment: "smart_trader" }],
  ["the native coin", { token_address: "native" }],
])("flows of %s are refused", async (_, more) => {
  const asked = { token_address: DEMO_EXAMPLES.token, network: "demo", ...more };
  const { body } = await both.demand.ask("get_token_flows", asked);
  expect(body).toMatchObject({ status: "error", code: "NOT_ON_DEMAND" });
});

test("the state of pools is not read: their liquidity is refused", async () => {
  const asked = { token_address: DEMO_EXAMPLES.token, network: "demo" };
  const { body } = await both.demand.ask("get_token_market_analysis", asked);
  expect(body).toMatchObject({ status: "error", code: "NOT_ON_DEMAND" });
});

test(
  "a token with more blocks than the limit is not read, until the limit is raised",
  async () => {
    const limited = settings.parse({ on_demand: { wait_seconds: 25, token_blocks: 3 } }).on_demand;
    const service = await openTestService({ networks: [both.rented], settings: { on_demand: limited } });
    try {
      const { body } = await read("get_token_flows", DEMO_EXAMPLES.token, service);
      expect(body).toMatchObject({ status: "error", code: "TOKEN_TOO_LARGE_ON_DEMAND" });
      expect(body.message).toContain("more than 3 blocks");
      const [record] = await readSubjects(service.service.facts.engine, "demo");
      expect(record).toMatchObject({ state: "too_large", found: 0 });
      // A call about the address itself has no such limit.
      const wallet = { wallet_address: DEMO_EXAMPLES.token, network: "demo" };
      await vi.waitFor(
        async () => expect((await service.ask("get_wallet_token_holdings", wallet)).body.code).toBeUndefined(),
        { timeout: MINUTE, interval: 500 },
      );
      // Its history has all movements of the token now.
      expect((await read("get_token_flows", DEMO_EXAMPLES.token, service)).body.type).toBe("token_flows");
    } finally {
      await service.close();
    }
  },
  3 * MINUTE,
);
