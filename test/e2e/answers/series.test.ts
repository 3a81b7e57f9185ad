import { beforeAll, describe, expect, test } from "vitest";
import type { CHARACTERS } from "../../../src/demo/evm/characters.ts";
import { sized } from "../../long.ts";
import { assertDescribed } from "../../openapi.ts";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";
import { openTruth } from "../truth.ts";

/** Every value of a series is the one that the tool gives as of the last block of the step. */

let stage: SharedWorldService;
let openapi: Record<string, unknown>;
beforeAll(async () => {
  stage = await sharedWorld();
  openapi = (await (await fetch(`${stage.service.url}/api/tools/openapi.json`)).json()) as Record<string, unknown>;
});

// biome-ignore lint/suspicious/noExplicitAny: bodies of several shapes, each checked against the service's own document.
type AnyBody = any;

const call = async (path: string, args: object, headers: Record<string, string> = {}) => {
  const response = await fetch(`${stage.service.url}/api/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${stage.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ network: "demo", ...args }),
  });
  const text = await response.text();
  const charged = Number(response.headers.get("x-credits-charged"));
  return { status: response.status, charged, text, content: response.headers.get("content-type") };
};

const read = async (path: string, args: object): Promise<AnyBody> => {
  const { status, text } = await call(path, args);
  const body = JSON.parse(text);
  assertDescribed(openapi, { method: "post", path: `/api/${path}` }, { status, body });
  expect([path, status, body.status]).toEqual([path, 200, undefined]);
  return body;
};

const WALLETS = sized<readonly (keyof typeof CHARACTERS)[]>({
  slice: ["alice", "carol"],
  long: ["alice", "carol", "bob", "erin", "frank", "victor", "mallory", "tess"],
});
/** The scenario ends on 2026-10-29; its story is the last 90 days. */
/** They act in every month of the story. */
const BUSY: readonly string[] = ["alice", "carol"];
const DAYS = sized({
  slice: { from_date: "2026-08-12", to_date: "2026-10-29", step: "week" },
  long: { from_date: "2026-08-01", to_date: "2026-10-29", step: "day" },
});

const addressOf = (name: keyof typeof CHARACTERS): string => stage.world.characters[name];

const asOf = async (tool: string, block: number, args: object): Promise<AnyBody> => {
  const { body } = await stage.ask(tool, { network: "demo", as_of_block: block, ...args });
  return body;
};

describe("a series equals the calls as of its steps", () => {
  test.each(WALLETS)("net worth of %s", async (name) => {
    const wallet_address = addressOf(name);
    const { steps } = await read("series/net_worth", { wallet_address, ...DAYS });
    expect(steps.length).toBeGreaterThan(10);
    for (const step of steps) {
      const whole = await asOf("get_wallet_portfolio_breakdown", step.block_number, { wallet_address });
      const nothing = { total_value_usd: 0, holdings_value_usd: 0, positions_value_usd: 0, hidden_spam: 0 };
      const { total_value_usd, holdings_value_usd, positions_value_usd, tokens_without_price, hidden_spam } =
        whole.status === "no_data" ? { ...nothing, tokens_without_price: 0 } : whole;
      expect(step).toMatchObject({
        ...{ total_value_usd, holdings_value_usd, positions_value_usd, tokens_without_price, hidden_spam },
        reason: total_value_usd === null ? expect.any(String) : null,
      });
    }
    // The story moves money: a constant series would prove little.
    expect(new Set(steps.map((step: AnyBody) => step.total_value_usd)).size).toBeGreaterThan(2);
  });

  test.each(WALLETS)("holdings of %s", async (name) => {
    const wallet_address = addressOf(name);
    const { steps, holdings } = await read("series/holdings", { wallet_address, ...DAYS, limit: 100 });
    for (const { date, block_number, token_count } of steps) {
      const whole = await asOf("get_wallet_token_holdings", block_number, { wallet_address, limit: 500 });
      const rows: AnyBody[] = whole.status === "no_data" ? [] : whole.holdings;
      expect([date, token_count]).toEqual([date, rows.length]);
      expect(holdings.filter((row: AnyBody) => row.date === date)).toEqual(
        rows.map(({ token_address, symbol, balance, balance_raw, price_usd, usd_value, position_value_usd }) => ({
          ...{ date, token_address, symbol, balance, balance_raw, price_usd, usd_value, position_value_usd },
        })),
      );
    }
  });

  test("one token alone has the same rows", async () => {
    const wallet_address = addressOf("alice");
    const { holdings } = await read("series/holdings", { wallet_address, ...DAYS, limit: 100 });
    const one = await read("series/holdings", { wallet_address, ...DAYS, token_address: "native" });
    expect(one.holdings.length).toBeGreaterThan(0);
    expect(one.holdings).toEqual(holdings.filter((row: AnyBody) => row.token_address === "native"));
  });
});

describe("a statement", () => {
  test.each(WALLETS)("of %s joins: opening, in, out and fees make its closing", async (name) => {
    const wallet_address = addressOf(name);
    const args = { wallet_address, from_date: "2026-09-01", to_date: "2026-09-30", include_spam: true };
    const { opening, closing, tokens, summary } = await read("statement", args);
    if (BUSY.includes(name)) expect(tokens.length).toBeGreaterThan(0);
    for (const row of tokens) {
      const of = (field: string): bigint => BigInt(row[`${field}_raw`]);
      expect(of("opening") + of("in") - of("out") - of("fees") + of("unexplained")).toBe(of("closing"));
    }
    for (const [end, side] of [
      [opening, "opening"],
      [closing, "closing"],
    ] as const) {
      const held = await asOf("get_wallet_token_holdings", end.block_number, {
        ...{ wallet_address, include_spam: true, limit: 500 },
      });
      // A wallet that had nothing yet has no data, which is proven.
      const holdings = held.status === "no_data" ? [] : held.holdings;
      const balances = new Map(holdings.map((row: AnyBody) => [row.token_address, row.balance_raw]));
      for (const row of tokens) expect(row[`${side}_raw`]).toBe(balances.get(row.token_address) ?? "0");
      expect(
        [...balances.keys()].filter((token) => !tokens.some((row: AnyBody) => row.token_address === token)),
      ).toEqual([]);
      const worth = await asOf("get_wallet_portfolio_breakdown", end.block_number, { wallet_address });
      expect(end.total_value_usd).toBe(worth.status === "no_data" ? 0 : worth.total_value_usd);
    }
    const pnl = await asOf("get_wallet_pnl", closing.block_number, {
      ...{ address: wallet_address, from_date: args.from_date, to_date: args.to_date, records_per_page: 100 },
    });
    const { all_tokens, gas_fees_usd } = pnl.summary ?? {};
    expect([summary.realized_pnl_usd, summary.gas_fees_usd]).toEqual(
      pnl.status === "no_data" ? [0, 0] : [all_tokens.total_realized_pnl_usd, gas_fees_usd],
    );
  });
});

/** keccak-256 of `Transfer(address,address,uint256)`. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

test("a statement has what the chain's own events moved, and explains every balance of alice", async () => {
  const truth = await openTruth(stage.world);
  const alice = addressOf("alice").toLowerCase();
  const days = { from_date: "2026-08-01", to_date: "2026-10-29" };
  const { tokens } = await read("statement", { wallet_address: alice, ...days });
  const seconds = ({ time }: { readonly time: number }): boolean => time >= Date.parse(`${days.from_date}Z`) / 1000;
  for (const name of ["usdc", "harbor"]) {
    const token = truth.addressOf(name).toLowerCase();
    const sides = { in: 0n, out: 0n };
    for (const { logs } of truth.sent.filter(seconds)) {
      for (const { address, topics, data } of logs) {
        if (address.toLowerCase() !== token || topics[0] !== TRANSFER) continue;
        if (topics[1]?.slice(-40) === alice.slice(2)) sides.out += BigInt(data);
        if (topics[2]?.slice(-40) === alice.slice(2)) sides.in += BigInt(data);
      }
    }
    const row = tokens.find((one: AnyBody) => one.token_address.toLowerCase() === token);
    expect([name, row?.in_raw ?? "0", row?.out_raw ?? "0"]).toEqual([name, String(sides.in), String(sides.out)]);
  }
  const native = tokens.find((one: AnyBody) => one.token_address === "native");
  expect(native.fees_raw).toBe(String(truth.feesOf("alice")));
  for (const { symbol, unexplained_raw } of tokens) expect([symbol, unexplained_raw]).toEqual([symbol, "0"]);
});

describe("profits and tokens", () => {
  test.each(WALLETS)("profits of %s are those as of each step", async (name) => {
    const wallet_address = addressOf(name);
    const { steps } = await read("series/pnl", { wallet_address, ...DAYS });
    for (const step of steps) {
      const whole = await asOf("get_wallet_pnl", step.block_number, {
        address: wallet_address,
        from_date: DAYS.from_date,
      });
      const of: AnyBody = whole.status === "no_data" ? null : whole.summary;
      expect(step).toMatchObject({
        realized_pnl_usd: of?.all_tokens.total_realized_pnl_usd ?? 0,
        unrealized_pnl_usd: of?.all_tokens.total_unrealized_pnl_usd ?? 0,
        total_pnl_usd: of?.all_tokens.total_pnl_usd ?? 0,
        uncosted_value_usd: of?.all_tokens.uncosted_value_usd ?? 0,
        unpriced_tokens: of?.all_tokens.unpriced_tokens ?? 0,
        gas_fees_usd: of?.gas_fees_usd ?? 0,
      });
    }
  });

  test.each(WALLETS)("statistics of %s are those as of each step", async (name) => {
    const wallet_address = addressOf(name);
    const { steps } = await read("series/stats", { wallet_address, ...DAYS });
    for (const { date: _, until: __, block_number, block_time: ___, reason, ...figures } of steps) {
      const whole = await asOf("get_wallet_stats", block_number, { address: wallet_address });
      if (whole.status === "no_data") continue;
      expect(whole).toMatchObject(figures);
      expect(Object.values(figures).includes(null)).toBe(reason !== null);
    }
    if (BUSY.includes(name)) expect(new Set(steps.map((step: AnyBody) => step.tx_count)).size).toBeGreaterThan(2);
  });

  test.each(sized({ slice: ["harbor"], long: ["harbor", "sunrise", "weth", "usdc"] }))(
    "market and holders of %s are those as of each step",
    async (token) => {
      const token_address = stage.world.contracts[token];
      const [market, holders] = [
        await read("series/market", { token_address, ...DAYS }),
        await read("series/holders", { token_address, ...DAYS }),
      ];
      let compared = 0;
      for (const [i, step] of market.steps.entries()) {
        const whole = await asOf("get_token_market_analysis", step.block_number, { token_address });
        expect(holders.steps[i].block_number).toBe(step.block_number);
        if (whole.status !== undefined) continue;
        compared += 1;
        expect([step.price_usd, step.liquidity_usd, holders.steps[i].holders_count]).toEqual([
          whole.price.usd,
          whole.liquidity.total_usd,
          whole.holders_count,
        ]);
      }
      expect(compared).toBeGreaterThan(market.steps.length / 2);
    },
  );
});

describe("a call beside the tools", () => {
  const wallet_address = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

  test("is charged its own price, and refused free of charge", async () => {
    const asked = { wallet_address, from_date: "2026-10-01", step: "month" };
    expect(await call("series/net_worth", asked)).toMatchObject({ status: 200, charged: 40 });
    for (const wrong of [
      { ...asked, from_date: "2024-01-01", step: "day" },
      { ...asked, step: "hour" },
      { ...asked, from_date: "2026-10-02", to_date: "2026-10-01" },
      { ...asked, network: "nowhere" },
    ])
      expect(await call("series/net_worth", wrong)).toMatchObject({ status: 422, charged: 0 });
    const stranger = { token_address: stage.world.characters.alice, step: "week" };
    const none = await call("series/market", stranger);
    expect([none.status, none.charged, JSON.parse(none.text).code]).toEqual([200, 0, "NOT_A_TOKEN"]);
  });

  test("is a table on request", async () => {
    const asked = { wallet_address, from_date: "2026-09-01", step: "month" };
    const { text, content } = await call("series/net_worth", asked, { accept: "text/csv" });
    expect(content).toContain("text/csv");
    const lines = text.trim().split("\r\n");
    expect(lines[0]).toContain("date,until,block_number");
    expect(lines.slice(1).map((line) => line.slice(0, 10))).toEqual(["2026-09-01", "2026-10-01"]);
  });

  test("is in no list of tools, and before the chain there is no value", async () => {
    const list = await fetch(`${stage.service.url}/api/tools`, { headers: { authorization: `Bearer ${stage.key}` } });
    expect(await list.text()).not.toContain("series_net_worth");
    const early = await read("series/net_worth", { wallet_address, from_date: "2020-01-01", to_date: "2020-01-02" });
    expect(early.steps).toEqual([
      expect.objectContaining({
        block_number: null,
        total_value_usd: null,
        reason: expect.stringContaining("no block"),
      }),
      expect.objectContaining({ date: "2020-01-02", total_value_usd: null }),
    ]);
  });
});
