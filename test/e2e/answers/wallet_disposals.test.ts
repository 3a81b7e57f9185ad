import { beforeAll, describe, expect, test } from "vitest";
import type { CHARACTERS } from "../../../src/demo/evm/characters.ts";
import { COST_BASES } from "../../../src/domain/wallet/pnl/position.ts";
import { sized } from "../../long.ts";
import { assertDescribed } from "../../openapi.ts";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";

/** The rows of a wallet's sales are the realized profit of get_wallet_pnl, part by part. */

let stage: SharedWorldService;
let openapi: Record<string, unknown>;
beforeAll(async () => {
  stage = await sharedWorld();
  openapi = (await (await fetch(`${stage.service.url}/api/tools/openapi.json`)).json()) as Record<string, unknown>;
});

// biome-ignore lint/suspicious/noExplicitAny: bodies of several shapes, each checked against the service's own document.
type SalesBody = any;

const read = async (path: string, args: object): Promise<SalesBody> => {
  const response = await fetch(`${stage.service.url}/api/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${stage.key}`, "content-type": "application/json" },
    body: JSON.stringify({ network: "demo", ...args }),
  });
  const body = await response.json();
  assertDescribed(openapi, { method: "post", path: `/api/${path}` }, { status: response.status, body });
  expect(response.status).toBe(200);
  return body;
};

const WALLETS = sized<readonly (keyof typeof CHARACTERS)[]>({
  slice: ["alice", "carol"],
  long: ["alice", "carol", "bob", "erin", "frank", "victor", "mallory", "tess"],
});
const DAYS = { from_date: "2026-08-20", to_date: "2026-10-29" };
const sum = (rows: readonly SalesBody[], field: string): number =>
  rows.reduce((total, row) => total + (row[field] ?? 0), 0);

describe.each(WALLETS)("sales of %s", (name) => {
  test.each(COST_BASES)("add up to the realized profit by %s, token by token", async (cost_basis_method) => {
    const wallet_address = stage.world.characters[name];
    const { disposals, summary } = await read("wallet/disposals", {
      ...{ wallet_address, ...DAYS, cost_basis_method, limit: 1_000 },
    });
    const { body } = await stage.told("get_wallet_pnl", {
      ...{ address: wallet_address, network: "demo", ...DAYS, cost_basis_method, records_per_page: 100 },
    });
    for (const { token_address, pnl, trading } of body.data) {
      const own = disposals.filter((row: SalesBody) => row.token_address === token_address);
      expect(sum(own, "gain_usd")).toBeCloseTo(pnl.realized_usd, 6);
      expect(sum(own, "proceeds_usd")).toBeCloseTo(trading.sold_usd ?? 0, 6);
    }
    expect(summary.gain_usd).toBeCloseTo(body.summary.total_realized_pnl_usd, 6);
    expect(sum(disposals, "gain_usd")).toBeCloseTo(summary.gain_usd, 6);
    const statement = await read("statement", { wallet_address, ...DAYS, cost_basis_method });
    expect(statement.summary.realized_pnl_usd).toBeCloseTo(summary.gain_usd, 6);
  });
});

test("the four methods sell the same units for the same proceeds, and value their cost apart", async () => {
  const asked = { wallet_address: stage.world.characters.alice, ...DAYS };
  const all = await Promise.all(
    COST_BASES.map((cost_basis_method) => read("wallet/disposals", { ...asked, cost_basis_method, limit: 1 })),
  );
  const [average, fifo, lifo, hifo] = all.map(({ summary }) => summary);
  for (const one of [fifo, lifo, hifo]) expect(one.proceeds_usd).toBeCloseTo(average.proceeds_usd, 6);
  // No order of lots costs more than the dearest first, sale by sale.
  expect(hifo.cost_usd).toBeGreaterThan(fifo.cost_usd);
  expect(new Set(all.map(({ summary }) => summary.cost_usd.toFixed(6))).size).toBe(4);
});

test("pages of the list follow each other, and every row names its sale", async () => {
  const asked = { wallet_address: stage.world.characters.alice, ...DAYS, cost_basis_method: "fifo" };
  const whole = await read("wallet/disposals", { ...asked, limit: 1_000 });
  expect(whole.disposals.length).toBeGreaterThan(10);
  const first = await read("wallet/disposals", { ...asked, limit: 7 });
  const second = await read("wallet/disposals", { ...asked, limit: 7, skip: 7 });
  expect([...first.disposals, ...second.disposals]).toEqual(whole.disposals.slice(0, 14));
  expect([first.listing.has_more_data, whole.listing.has_more_data]).toEqual([true, false]);
  for (const { tx_hash, acquired_at, disposed_at, held_days } of whole.disposals) {
    expect(tx_hash).toMatch(/^0x[0-9a-f]{64}$/);
    if (acquired_at === null) continue;
    expect((Date.parse(disposed_at) - Date.parse(acquired_at)) / 86_400_000).toBeCloseTo(held_days, 9);
  }
});
