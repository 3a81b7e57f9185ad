// @long: alone
import { afterAll, beforeAll, expect, test } from "vitest";
import { ETHER } from "../../src/demo/evm/act.ts";
import { tools } from "../../src/tools/index.ts";
import type { AnyTool } from "../../src/tools/tool.ts";
import { openDemoWorld, type WorldService } from "./served_world.ts";
import type { TransactionAnswerRow } from "./transaction_rows.ts";
import { openTruth, runMore, type Truth } from "./truth.ts";

/** The story continues, and answers at an earlier block stay the same. Each test starts where the previous one ended. */

let stage: WorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await openDemoWorld();
  truth = await openTruth(stage.world);
});
afterAll(() => stage.close());

const addressOf = (name: string): string => truth.addressOf(name);

const toolOf = (wanted: string): AnyTool => {
  const tool = tools.find(({ name }) => name === wanted);
  if (tool === undefined) throw new Error(`${wanted} is not in the list`);
  return tool;
};

const transactionsOf = async (wallet: string, args: Readonly<Record<string, unknown>>) => {
  const asked = { address: addressOf(wallet), network: "demo", records_per_page: 100, ...args };
  return (await stage.ask("get_wallet_transactions", asked)).body;
};

const wholeOf = async (wallet: string, as_of_block: number): Promise<readonly TransactionAnswerRow[]> => {
  const rows: TransactionAnswerRow[] = [];
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await transactionsOf(wallet, { page, as_of_block });
    rows.push(...data);
    if (!pagination.has_more_data) return rows;
  }
};

test("neither repeats nor skips a row on pages at a block while the wallet continues", async () => {
  const { head } = stage.world;
  const whole = await wholeOf("alice", head.number);
  const rows: TransactionAnswerRow[] = [];
  let newest = head.number;
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await transactionsOf("alice", {
      page,
      records_per_page: 20,
      as_of_block: head.number,
    });
    rows.push(...data);
    if (!pagination.has_more_data) break;
    newest = await runMore(stage, async (world) => {
      await world.act({ from: "alice", to: "bob", value: ETHER / 100n, gas: 21_000 });
      await world.act({ from: "nina", to: "usdc", call: ["transfer(address,uint256)", ["@alice", 7n]] });
    });
  }
  expect(rows.length).toBeGreaterThan(60);
  expect(rows).toEqual(whole);
  expect(newest).toBeGreaterThan(head.number + 5);
  const now = await transactionsOf("alice", { to_date: "2026-10-31", from_date: "2026-10-29" });
  const fresh = now.data.filter(({ block_number }: { block_number: number }) => block_number > head.number);
  expect(fresh.map(({ block_number }: { block_number: number }) => block_number)).toEqual(
    Array.from({ length: newest - head.number }, (_, i) => newest - i),
  );
});

/** Tools whose answer the caller can pin to a block. */
const BOUND = [
  ...["get_wallet_pnl", "get_wallet_transactions", "get_token_holders_traders", "get_wallet_deployed_contracts"],
  ...["get_wallet_portfolio_breakdown", "get_wallet_token_holdings", "get_contract_creation", "get_token_info"],
  ...["get_wallet_account_meta", "resolve_ens", "resolve_token_symbol"],
].filter((name) => "as_of_block" in toolOf(name).input.shape);

test("returns the same answer at a block for ever, whatever is mined after it", async () => {
  expect(BOUND.length).toBeGreaterThanOrEqual(7);
  const number = Number(await stage.world.rpc.call("eth_blockNumber"));
  const asked = BOUND.flatMap((name) => [number, 450].map((as_of_block) => ({ name, as_of_block })));
  const ask = ({ name, as_of_block }: (typeof asked)[number]) =>
    stage.ask(name, { ...toolOf(name).example, network: "demo", as_of_block });
  const before = await Promise.all(asked.map(ask));
  const latest = await Promise.all(BOUND.map((name) => stage.ask(name, { ...toolOf(name).example, network: "demo" })));
  for (const [i, { name, as_of_block }] of asked.entries()) {
    expect([name, before[i]?.body.metadata.as_of.block_number]).toEqual([name, as_of_block]);
    // The newest block, given explicitly, gives the same answer as by default.
    if (as_of_block === number) expect(before[i]?.text).toBe(latest[BOUND.indexOf(name)]?.text);
  }
  // The subjects of the examples continue: alice trades, dave deploys and pays, prices change.
  await runMore(stage, async (world) => {
    await world.act({ from: "alice", to: "bob", value: ETHER, gas: 21_000 });
    await world.act({ from: "alice", to: "harbor", call: ["transfer(address,uint256)", ["@dave", ETHER]] });
    await world.act({ from: "dave", to: "vault", call: ["upgradeTo(address)", ["@vault_v1"]] });
    await world.create("another", { from: "dave", code: "0x6001600055600a6011600039600a6000f300602a60005260206000f3" });
    await world.act({ from: "trent", to: "usdc", call: ["mint(address,uint256)", ["@alice", 5_000_000n]] });
  });
  const after = await Promise.all(asked.map(ask));
  for (const [i, { name, as_of_block }] of asked.entries()) {
    expect([name, as_of_block, after[i]?.text]).toEqual([name, as_of_block, before[i]?.text]);
  }
  const now = await Promise.all(BOUND.map((name) => stage.ask(name, { ...toolOf(name).example, network: "demo" })));
  for (const [i, name] of BOUND.entries()) {
    expect([name, now[i]?.body.metadata.as_of.block_number]).toEqual([name, number + 5]);
    expect(now[i]?.text).not.toBe(latest[i]?.text);
  }
});

test("matches the node's holdings at an earlier block, whatever happens later", async () => {
  const wallets = ["bob", "erin", "carol", "alice", "judys_safe", "mallory"];
  const blocks = [stage.world.head.number, 420, 300, 257, 256, 150, 60];
  const asked = wallets.flatMap((name) => blocks.map((block) => ({ name, block })));
  const texts = new Map<string, string>();
  for (const { name, block } of asked) {
    const args = { wallet_address: addressOf(name), network: "demo", as_of_block: block, include_spam: true };
    const answer = await stage.ask("get_wallet_token_holdings", args);
    texts.set(`${name} ${block}`, answer.text);
    if (answer.body.status === "no_data") {
      expect(await truth.balance("native", addressOf(name), block)).toBe(0n);
      continue;
    }
    expect(answer.body.metadata.as_of.block_number).toBe(block);
    for (const { token_address, balance_raw, token_type } of answer.body.holdings) {
      // Collectibles: some contracts report no number of items.
      if (token_type !== "native" && token_type !== "erc20") continue;
      expect([name, block, token_address, BigInt(balance_raw)]).toEqual([
        name,
        block,
        token_address,
        await truth.balance(token_address, addressOf(name), block),
      ]);
    }
    // The list is complete: it has the node's dollars and wrapped ether.
    const listed = new Set(answer.body.holdings.map((row: { token_address: string }) => row.token_address));
    for (const token of ["usdc", "usdt", "weth", "sunrise", "harbor"]) {
      const code = await stage.world.rpc.call("eth_getCode", stage.world.contracts[token], `0x${block.toString(16)}`);
      const balance = code === "0x" ? 0n : await truth.balance(token, addressOf(name), block);
      expect([name, block, token, listed.has(stage.world.contracts[token])]).toEqual([
        name,
        block,
        token,
        balance > 0n,
      ]);
    }
  }
  const newest = await runMore(stage, async (world) => {
    await world.act({ from: "exchange", to: "bob", value: ETHER, gas: 21_000 });
    await world.act({ from: "bob", to: "usdt", call: ["transfer(address,uint256)", ["@carol", 5n]] });
    await world.act({ from: "alice", to: "erin", value: ETHER, gas: 21_000 });
  });
  for (const { name, block } of asked) {
    const args = { wallet_address: addressOf(name), network: "demo", as_of_block: block, include_spam: true };
    expect((await stage.ask("get_wallet_token_holdings", args)).text).toBe(texts.get(`${name} ${block}`));
  }
  const now = (await stage.ask("get_wallet_token_holdings", { wallet_address: addressOf("bob"), network: "demo" }))
    .body;
  expect(now.holdings[0].balance_raw).toBe((await truth.balance("native", "bob", newest)).toString());
  expect(now.holdings.find(({ symbol }: { symbol: string }) => symbol === "USDT").balance_raw).toBe("499999995");
});
