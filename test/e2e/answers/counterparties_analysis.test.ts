import { beforeAll, expect, test } from "vitest";
import { ADDRESSES, DEMO_CONTRACTS, LOOKALIKE } from "../../../src/demo/evm/characters.ts";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";

let stage: SharedWorldService;
beforeAll(async () => {
  stage = await sharedWorld();
}, 120_000);

const analyze = async (args: object) => {
  const { status, body } = await stage.ask("get_wallet_counterparties_analysis", {
    network: "demo",
    from_date: "2026-08-01",
    ...args,
  });
  expect(status).toBe(200);
  return body;
};

const of = (relationships: readonly { relation: string; address: string }[], relation: string) =>
  relationships.filter((one) => one.relation === relation).map(({ address }) => address);

test("carol's books: the exchange paid 2,000, frank got 1,200 and bob 500", async () => {
  const { summary, by_entity, exchange_use, concentration, recurrence, relationships } = await analyze({
    address: ADDRESSES.carol,
  });
  // bank, exchange, frank and bob; the bank's ether came before any price.
  expect(summary).toMatchObject({
    counterparty_count: 4,
    labeled_count: 1,
    total_out_usd: 1_700,
    unpriced_transfers: 1,
  });
  expect(by_entity).toEqual([
    { entity: "Harbour Exchange", category: "exchange", in_usd: 2_000, out_usd: 0, addresses_count: 1 },
  ]);
  expect(exchange_use).toMatchObject({ deposits_usd: 0, withdrawals_usd: 2_000 });
  expect(concentration.hhi_out).toBeCloseTo((1_200 ** 2 + 500 ** 2) / 1_700 ** 2, 9);
  // Only frank was met twice: he got 1,200 and paid 0.1 ether back.
  expect(recurrence).toEqual({ new_peers: 4, recurring_peers: 1, one_off_percent: 75 });
  expect(of(relationships, "first_funder")).toEqual([ADDRESSES.bank]);
  expect(of(relationships, "mutual")).toEqual([ADDRESSES.frank]);
});

test("heidi's poisoner is named with whom he imitates", async () => {
  const { poisoning_attempts } = await analyze({ address: ADDRESSES.heidi });
  // A transfer of nothing to the look-alike, and a cent from it.
  expect(poisoning_attempts.count).toBe(2);
  expect(poisoning_attempts.lookalikes).toHaveLength(1);
  expect(poisoning_attempts.lookalikes[0].address.toLowerCase()).toBe(LOOKALIKE.toLowerCase());
  expect(poisoning_attempts.lookalikes[0].imitates).toBe(ADDRESSES.peggy);
});

test("judy shares her Safe with grace and peggy, and made it", async () => {
  const { relationships } = await analyze({ address: ADDRESSES.judy });
  expect(of(relationships, "shared_safe_signer").sort()).toEqual([ADDRESSES.grace, ADDRESSES.peggy].sort());
  expect(of(relationships, "contract_deployed")).toEqual([DEMO_CONTRACTS.judys_safe]);
  for (const { evidence } of relationships) expect(evidence.length).toBeGreaterThan(0);
});

test("over all networks the picture is that of the only one, at any time the same", async () => {
  const one = await analyze({ address: ADDRESSES.carol, hops: 2 });
  const all = await analyze({ address: ADDRESSES.carol, hops: 2, network: "all" });
  expect({ ...all, metadata: null }).toEqual({ ...one, metadata: null });
  expect(all.metadata).toMatchObject({ chain: "all", hops: 2 });
});

test("a stranger is no data; too many hops and dates in disorder are refused", async () => {
  const stranger = `0x${"77".repeat(20)}`;
  expect(await analyze({ address: stranger })).toMatchObject({ status: "no_data", type: "counterparties_analysis" });
  for (const wrong of [{ hops: 3 }, { from_date: "2026-09-02", to_date: "2026-09-01" }]) {
    const { status } = await stage.ask("get_wallet_counterparties_analysis", {
      address: ADDRESSES.carol,
      network: "demo",
      ...wrong,
    });
    expect(status).toBe(422);
  }
});
