import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { addressOf, dailyBlocks, dayOf, priceRow, tokenRow, transfersOf } from "../../../test/value_rows.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import { getWalletPnl } from "../get_wallet_pnl/index.ts";
import { detailed } from "../get_wallet_pnl/shape.ts";
import { groupPnl } from "./group_pnl.ts";

const network = "demo";
const [A, B, C, POOL, BANK] = [1, 2, 3, 4, 5].map((number) => addressOf(number + 0x100)) as [Hex, Hex, Hex, Hex, Hex];
const [USDC, WETH, TOKEN] = ["cc", "ee", "aa"].map((pair) => hex(pair.repeat(20))) as [Hex, Hex, Hex];
const DOLLAR = 10n ** 6n;
const HEAD = 106;

const usdc = (source: Hex, destination: Hex, dollars: bigint) =>
  ({ kind: "erc20", token: USDC, source, destination, amount: dollars * DOLLAR }) as const;
const token = (source: Hex, destination: Hex, amount: bigint) =>
  ({ kind: "erc20", token: TOKEN, source, destination, amount }) as const;

const story = [
  ...transfersOf({ block: 100 }, BANK, [usdc(BANK, A, 1_000n)]),
  ...transfersOf({ block: 100, tx_index: 1 }, BANK, [usdc(BANK, C, 1_000n)]),
  // A buys 10 for 100 dollars and sends them to B, who sells 10 for 150.
  ...transfersOf({ block: 101 }, A, [usdc(A, POOL, 100n), token(POOL, A, 10n)]),
  ...transfersOf({ block: 102 }, A, [token(A, B, 10n)]),
  ...transfersOf({ block: 103 }, B, [token(B, POOL, 10n), usdc(POOL, B, 150n)]),
  // C pays 200 dollars for 5, which the pool hands to B in the same transaction. B sells 2 of them for 100.
  ...transfersOf({ block: 104 }, C, [usdc(C, POOL, 200n), token(POOL, B, 5n)]),
  ...transfersOf({ block: 105 }, B, [token(B, POOL, 2n), usdc(POOL, B, 100n)]),
  // A passes 4 dollars on to C and C to the pool, for 1, in one transaction.
  ...transfersOf({ block: 105, tx_index: 1 }, A, [usdc(A, C, 4n), usdc(C, POOL, 4n), token(POOL, C, 1n)]),
];

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed({ network, from: 100, to: HEAD }, { blocks: dailyBlocks(HEAD), transfers: story });
  const days = [100, 101, 102, 103, 104, 105];
  await store.writer.insert(
    "prices",
    days.map((block) => priceRow(USDC, dayOf(block), 1)),
  );
  await store.writer.insert("tokens", [tokenRow(USDC, "USDC", 6), tokenRow(TOKEN, "TOK", 0)]);
});
afterAll(() => store.close());

const chain = fixedChain({
  network: { id: network, wrapped_native: WETH, stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] },
  accounts: { [POOL]: { code: new Uint8Array([1]) } },
});
const context = () => callContext({ facts: store.facts, chain: () => chain });

const group = async (wallets: readonly Hex[], more: Partial<z.input<typeof groupPnl.input>> = {}) => {
  const addresses = wallets.map((wallet) => `0x${wallet}`);
  const outcome = await runTool(groupPnl, { addresses, network, include_spam: true, ...more }, context());
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return groupPnl.output.parse(outcome.data);
};

const alone = async (wallet: Hex) => {
  const asked = { address: `0x${wallet}`, network, include_spam: true };
  const outcome = await runTool(getWalletPnl, asked, context());
  if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
  return detailed.parse(outcome.data);
};

const tokenRowIn = ({ data }: Pick<Awaited<ReturnType<typeof group>>, "data">) =>
  data.find(({ token_symbol }) => token_symbol === "TOK");

describe("two wallets as one", () => {
  test("what one buys and the other sells is a gain of 50", async () => {
    const found = await group([A, B], { to_date: "2026-01-04" });
    expect(tokenRowIn(found)).toMatchObject({
      pnl: { realized_usd: 50 },
      trading: { buy_count: 1, sell_count: 1, bought_usd: 100, sold_usd: 150, received_amount: 0, sent_amount: 0 },
      holdings: { current_amount_raw: "0" },
    });
    expect(found.summary).toMatchObject({ total_realized_pnl_usd: 50, proceeds_without_cost_usd: 0 });
  });

  test("alone, the sender realizes nothing, and the seller has no cost", async () => {
    const [sender, seller] = [await alone(A), await alone(B)];
    expect(tokenRowIn(sender)).toMatchObject({ pnl: { realized_usd: 0 }, trading: { sell_count: 0, sent_amount: 10 } });
    // All three sums have no known cost: 150 for the ten, 100 for two that others paid for.
    expect(tokenRowIn(seller)).toMatchObject({ pnl: { realized_usd: 0 }, trading: { proceeds_without_cost_usd: 250 } });
  });

  test("the order of the addresses makes no difference", async () => {
    const [one, other] = [await group([A, B]), await group([B, A])];
    expect(one.data).toEqual(other.data);
    expect(one.summary).toEqual(other.summary);
  });
});

describe("three wallets as one", () => {
  test("one pays and another receives: a purchase", async () => {
    // 10 for 100 are sold for 150; then 5 for 200, of which 2 are sold for 100: 100 - 80.
    const found = await group([A, B, C], { cost_basis_method: "fifo" });
    expect(tokenRowIn(found)).toMatchObject({
      pnl: { realized_usd: 50 + 20 },
      // 100, 200 and 4 dollars.
      trading: { buy_count: 3, sell_count: 2, bought_usd: 304, sold_usd: 250, cost_basis_usd: 3 * 40 + 4 },
      holdings: { current_amount_raw: "4" },
    });
    const dollars = found.data.find(({ token_symbol }) => token_symbol === "USDC");
    // 2,000 came; 304 were paid and 250 received.
    expect(dollars).toMatchObject({
      holdings: { current_amount: 2_000 - 304 + 250 },
      trading: { received_amount: 2_000, sent_amount: 0 },
    });
  });

  test("what is held adds up to what each of them holds", async () => {
    const found = await group([A, B, C]);
    const each = await Promise.all([A, B, C].map(alone));
    for (const { token_address, holdings } of found.data) {
      const held = each
        .flatMap(({ data }) => data.filter((row) => row.token_address === token_address))
        .reduce((sum, row) => sum + BigInt(row.holdings.current_amount_raw), 0n);
      expect(holdings.current_amount_raw).toBe(String(held));
    }
  });
});

test("refuses an address that is named twice, and a text that is no address, before the charge", async () => {
  await expect(group([A, A])).rejects.toThrow("twice");
  await expect(group([A, hex("12")])).rejects.toThrow("addresses[1]");
});
