/** The blocks of an account through a service that lists its transactions, against the list of what the test did. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ListingLimits, type ListingNode, startListingNode } from "../../../../test/tron/listing_node.ts";
import { projectCode } from "../../../demo/evm/artifacts.ts";
import { type EvmScenarioChain, openScenarioChain } from "../../../demo/evm/scenario_chain.ts";
import { ASSET_ID, issue, sendAsset } from "../../../demo/tron/ledger.ts";
import { startTronNode, type TronNode } from "../../../demo/tron/node.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { silentLog } from "../../../lib/log.ts";
import type { HistorySearch } from "../../account_history.ts";
import { networkFromConfig } from "../../networks/from_config.ts";
import type { OpenChain } from "../../open_chain.ts";
import { openTronChain } from "../chain.ts";

const signal = new AbortController().signal;
const TRX = 1_000_000n;
const START = Date.UTC(2026, 0, 1) / 1_000;
const LIMITS: ListingLimits = { page_max: 2, requests_per_second: 1_000, key: "a-key-of-this-test" };
/** More than the distance of the confirmed block. */
const QUIET_BLOCKS = 8;

let node: TronNode;
let stage: EvmScenarioChain;
/** Blocks of what happened to her, in order. */
const hers: number[] = [];

const hexOf = (name: string): Hex => hex(stage.address(name).slice(2).toLowerCase());
const quiet = async (): Promise<void> => {
  for (let i = 0; i < QUIET_BLOCKS; i += 1) await stage.together([]);
};
const act = async (work: () => Promise<unknown>): Promise<void> => {
  await work();
  hers.push(await node.facade.head());
};
const payAlice = (value: bigint) => stage.act({ from: "bank", to: "alice", value, gas: 21_000 });
const send = async (made: Parameters<TronNode["facade"]["system"]>[0]): Promise<void> => {
  await node.facade.system(made);
  await stage.together([]);
};

beforeAll(async () => {
  node = await startTronNode();
  stage = openScenarioChain(node.anvil.rpc, "tron", START);
  await stage.create("forwarder", { from: "bank", code: projectCode("Forwarder") });
  const args = ["string,string,uint256", ["Beacon", "BCN", 900n]] as const;
  await stage.create("beacon", { from: "bank", code: projectCode("MintableToken"), args });
  await send(issue(stage.address("bank")));
  await act(() => payAlice(1_000n * TRX));
  const call = ["forward(address,bytes) payable", ["@alice", "0x"]] as const;
  await act(() => stage.act({ from: "bank", to: "forwarder", value: 5n * TRX, call }));
  await act(() => send(sendAsset(stage.address("bank"), stage.address("alice"), 40n)));
  await act(() => stage.act({ from: "bank", to: "beacon", call: ["transfer(address,uint256)", ["@alice", 70n]] }));
  await act(() => stage.act({ from: "alice", to: "bob", value: TRX, gas: 21_000 }));
  await quiet();
}, 100_000);
afterAll(async () => {
  await node?.stop();
});

const balanceOf = async (name: string): Promise<bigint> =>
  BigInt(String(await node.anvil.rpc.call("eth_getBalance", stage.address(name), "latest")));

const withChain = async <T>(
  limits: Partial<ListingLimits>,
  work: (chain: OpenChain, service: ListingNode) => Promise<T>,
): Promise<T> => {
  const service = await startListingNode(node.facade.url, { ...LIMITS, ...limits });
  const network = networkFromConfig({
    ...{ id: "a-tron", family: "tron", chain_id: node.facade.chain_id, finality_blocks: 5 },
    native: { symbol: "TRX", decimals: 6 },
  });
  const rpc = [{ url: service.url, headers: { "TRON-PRO-API-KEY": LIMITS.key } }];
  const chain = await openTronChain(network, { rpc, log: silentLog, open_wait_ms: 20_000 }, signal);
  try {
    return await work(chain, service);
  } finally {
    await chain.close();
    await service.close();
  }
};

const find = async (chain: OpenChain, search: Partial<HistorySearch> = {}) => {
  if (chain.past === undefined) throw new Error("the chain has no past");
  const to = search.to ?? (await chain.finalized(signal));
  return chain.past.find({ address: hexOf("alice"), after: 0, to, is_followed: false, ...search }, signal);
};

const sent = ({ by_path }: ListingNode): number => [...by_path.values()].reduce((sum, count) => sum + count, 0);

test("finds every block that concerns her, also those that do not name her", async () => {
  await withChain({}, async (chain, service) => {
    await find(chain, { address: hexOf("carol") });
    const to = await chain.finalized(signal);
    const before = sent(service);
    const found = await find(chain, { to });
    expect(found.blocks).toEqual(hers);
    expect(found).toMatchObject({ lost_before: null, is_proven: true, openings: [{ token: "", amount: 0n }] });
    expect(found.reached?.number).toBeGreaterThanOrEqual(to);
    const held = new Map(found.ends.map(({ token, amount }) => [token, amount]));
    expect(held).toEqual(
      new Map<string, bigint>([
        ["", await balanceOf("alice")],
        [Buffer.from(ASSET_ID).toString("hex"), 40n],
        [hexOf("beacon"), 70n],
      ]),
    );
    // Counted as they were sent.
    expect(sent(service) - before).toBe(found.requests);
    // Pages of 2: of 3 transactions (paid, OIL, her own), a TRC-20 transfer and an internal one; two blocks by their transaction. Then held
    // tokens, the state with one token, the time of the last block and empty pages.
    expect(found.requests).toBe(2 + 1 + 1 + 2 + (1 + 4 + 1) + (1 + 3));
  });
});

test("a search goes on where the last one ended, and lists the last blocks again", async () => {
  await withChain({}, async (chain) => {
    const [, second] = hers;
    const found = await find(chain, { after: second ?? 0, is_followed: true });
    expect(found.blocks).toEqual(hers);
    expect(found.again_after).toBe(0);
    expect(found.openings).toEqual([{ token: "", amount: 0n }]);
    const again = await find(chain, { after: found.reached?.number ?? 0, is_followed: true });
    // All are known: four pages, and two blocks by their transaction.
    expect(again).toMatchObject({ blocks: [], is_proven: true, requests: 4 + 2 });
    const limited = await find(chain, { blocks_max: 2 }).catch((error: unknown) => error);
    expect(limited).toMatchObject({ code: "TOO_MANY_BLOCKS" });
  });
});

test("an account without transactions is empty, and the coins of the first block are known", async () => {
  await withChain({}, async (chain) => {
    const stranger = await find(chain, { address: hex("12".repeat(20)) });
    expect(stranger).toMatchObject({ blocks: [], is_proven: true, ends: [{ token: "", amount: 0n }] });
    const bank = await find(chain, { address: hexOf("bank") });
    expect(bank.openings).toEqual([{ token: "", amount: 9_000_000_000_000_000_000n }]);
  });
});

test("payments to a contract may cancel, so nothing is proven", async () => {
  await withChain({}, async (chain) => {
    const found = await find(chain, { address: hexOf("forwarder") });
    expect(found.is_proven).toBe(false);
    expect(found.blocks).toContain(hers[1]);
  });
});

test("a list without a payment by a contract lacks its block", async () => {
  await withChain({ leaves_out: `41${hexOf("alice")}` }, async (chain) => {
    const found = await find(chain);
    expect(found.blocks).toEqual(hers.filter((block) => block !== hers[1]));
    expect(found.ends).toContainEqual({ token: "", amount: await balanceOf("alice") });
  });
});

test("a node without lists says what is missing", async () => {
  await withChain({ is_bare: true }, async (chain) => {
    const [report] = await chain.probe(signal);
    expect(report?.traits).toMatchObject({ lists_accounts: false });
    await expect(find(chain)).rejects.toThrow(/no node lists them: TronGrid does/);
  });
});

test("a state that one of her transactions interrupts is read again", async () => {
  let is_due = true;
  const before = async (path: string): Promise<void> => {
    if (!is_due || path !== "/walletsolidity/getaccount") return;
    is_due = false;
    await act(() => payAlice(3n * TRX));
    await quiet();
  };
  await withChain({ before }, async (chain) => {
    const found = await find(chain);
    expect(is_due).toBe(false);
    expect(found.blocks).toEqual(hers);
    expect(found.reached?.number).toBeGreaterThanOrEqual(hers.at(-1) ?? 0);
    expect(found.ends).toContainEqual({ token: "", amount: await balanceOf("alice") });
  });
});
