import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { is_long } from "../../../test/long.ts";
import { sha256Text } from "../../lib/sha256.ts";
import { ADDRESSES, DEMO_CONTRACTS } from "./characters.ts";
import { type RecordedScenario, readScenario, writeScenario } from "./recorded_scenario.ts";
import { type HexText, quantity, type RpcCall } from "./rpc.ts";
import { type EvmWorld, startWorld } from "./world.ts";

// 2026-08-22T00:00:00Z
const T0 = 1_787_356_800;
const DEMO = { placement: "demo", t0: T0 } as const;
const EMPTY: RecordedScenario = { requests: [], contracts: {}, head: "0x00" };

const folder = mkdtempSync(join(tmpdir(), "assay-play-"));
const kept = join(folder, "demo.play");
let played: EvmWorld;
let again: EvmWorld;
/** Sizes of the file after the play, and after the world that was made from it. */
let files: readonly number[];

beforeAll(async () => {
  // A file with a valid digest and key that leads to other blocks: the scenario is played again and replaces it.
  writeScenario(kept, DEMO, EMPTY);
  played = await startWorld({ ...DEMO, kept });
  const written = statSync(kept).ino;
  again = await startWorld({ ...DEMO, kept });
  files = [written, statSync(kept).ino];
});
afterAll(async () => {
  await played?.stop();
  await again?.stop();
  rmSync(folder, { recursive: true });
});

interface CachedBlock {
  readonly hash: HexText;
  readonly transactions: readonly { readonly hash: HexText }[];
}

const everyBlock = ({ head }: EvmWorld): readonly HexText[] =>
  Array.from({ length: head.number + 1 }, (_, n) => quantity(n));
const blocksOf = async (world: EvmWorld): Promise<readonly CachedBlock[]> => {
  const calls = everyBlock(world).map((number) => ({ method: "eth_getBlockByNumber", params: [number, true] }));
  // eth_getBlockByNumber with full transactions.
  return (await world.rpc.batch(calls)) as CachedBlock[];
};

/** Fails unless both worlds answer alike; returns the answers. */
const alike = async (calls: readonly RpcCall[]): Promise<readonly unknown[]> => {
  // At the same time: blocks of a reorganisation have the clock's.
  const [first, second] = await Promise.all([played, again].map(({ rpc }) => rpc.batch(calls)));
  expect(second).toEqual(first);
  return first ?? [];
};

test("a start after a play has the same blocks, and writes no file", async () => {
  const [first, second] = [await blocksOf(played), await blocksOf(again)];
  expect(first.length).toBeGreaterThan(500);
  expect(second).toEqual(first);
  const { chain_id, head, characters, contracts, network } = played;
  expect(again).toMatchObject({ chain_id, head, characters, contracts, network });
  expect(files[1]).toBe(files[0]);
});

test("only the owner can read the file, and its folder has no other file", () => {
  expect(statSync(kept).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["demo.play"]);
});

test("every receipt with its logs is the same, and so are traces of old blocks", async () => {
  const hashes = (await blocksOf(played)).flatMap(({ transactions }) => transactions.map(({ hash }) => hash));
  const receipts = await alike(hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] })));
  expect(receipts).not.toContain(null);
  const tracers = [{ tracer: "callTracer" }, { tracer: "prestateTracer", tracerConfig: { diffMode: true } }];
  // Each twentieth block: some of each scene.
  const sampled = everyBlock(played).filter((_, number) => number % 20 === 7);
  const traces = await alike(
    sampled.flatMap((number) => [
      ...tracers.map((tracer) => ({ method: "debug_traceBlockByNumber", params: [number, tracer] })),
      { method: "trace_block", params: [number] },
    ]),
  );
  expect(JSON.stringify(traces)).toContain("DELEGATECALL");
});

test("balances, nonces, code, storage and calls at old blocks are the same", async () => {
  const data = `0x70a08231${"0".repeat(24)}${ADDRESSES.alice.slice(2)}`; // balanceOf(alice)
  const usdc = DEMO_CONTRACTS.usdc;
  const answers = await alike(
    everyBlock(played)
      .filter((_, number) => number % 10 === 0 && number > 100)
      .flatMap((number) => [
        { method: "eth_getBalance", params: [ADDRESSES.alice, number] },
        { method: "eth_getBalance", params: [ADDRESSES.validator, number] },
        { method: "eth_getTransactionCount", params: [ADDRESSES.bob, number] },
        { method: "eth_getCode", params: [DEMO_CONTRACTS.vault_v2, number] },
        { method: "eth_getStorageAt", params: [DEMO_CONTRACTS.pair_weth_usdc, "0x8", number] },
        { method: "eth_call", params: [{ to: usdc, data }, number] },
      ]),
  );
  // 76 blocks or more of six answers, which change over the scenario.
  expect(new Set(answers).size).toBeGreaterThan(100);
});

const send = (from: HexText, value: number): RpcCall => ({
  method: "eth_sendTransactionSync",
  params: [{ from, to: ADDRESSES.bob, value: quantity(value), gas: "0x5208", gasPrice: quantity(10n ** 9n) }],
});
const tick = (seconds: number): RpcCall => ({
  method: "evm_setNextBlockTimestamp",
  params: [quantity(played.head.time + seconds)],
});
const newest: RpcCall = { method: "eth_getBlockByNumber", params: ["latest", true] };

test("both continue alike: transactions, strangers, a snapshot and its revert, a reorganisation", async () => {
  const stranger = "0x00000000000000000000000000000000000000ab";
  const { head } = played;
  const steps: readonly (readonly RpcCall[])[] = [
    [tick(12), send(ADDRESSES.alice, 1)],
    [{ method: "evm_snapshot", params: [] }],
    [tick(24), send(ADDRESSES.alice, 2)],
    [{ method: "evm_revert", params: ["0x0"] }],
    [newest],
    [{ method: "anvil_impersonateAccount", params: [stranger] }],
    [{ method: "anvil_setBalance", params: [stranger, quantity(10n ** 18n)] }],
    [tick(36), send(stranger, 3)],
    [{ method: "anvil_setStorageAt", params: [DEMO_CONTRACTS.weth, "0x5", `0x${"1".repeat(64)}`] }],
    [tick(48), { method: "evm_mine", params: [] }],
    [newest],
    // Deeper than the blocks made here.
    [{ method: "anvil_reorg", params: [5, []] }],
    [{ method: "eth_getBlockByNumber", params: [quantity(head.number - 4), true] }],
    [newest],
    [{ method: "eth_getBalance", params: [ADDRESSES.validator, "latest"] }],
  ];
  for (const step of steps) await alike(step);
  // Impersonated accounts, in no order.
  const [first, second] = await Promise.all([played, again].map(({ rpc }) => rpc.call("eth_accounts")));
  expect(new Set(second as string[])).toEqual(new Set(first as string[]));
  // Three blocks were made; the reorganisation replaced each by an empty one.
  expect(await alike([{ method: "eth_blockNumber", params: [] }])).toEqual([quantity(head.number + 3)]);
});

test("a file that is cut, changed, of another story or missing is ignored", () => {
  const path = join(folder, "broken.play");
  writeScenario(path, DEMO, EMPTY);
  const text = readFileSync(path, "utf8");
  const [digest = "", key = "", body = ""] = text.split("\n");
  expect(readScenario(path, DEMO)).toEqual(EMPTY);
  expect(readScenario(path, { ...DEMO, t0: T0 + 86_400 })).toBe(null);
  expect(readScenario(path, { ...DEMO, placement: "mainnet" })).toBe(null);
  // The placement, T0, and a hash of everything that makes the story.
  const otherSources = key.replace(/[0-9a-f]{64}$/, "0".repeat(64));
  expect(otherSources).not.toBe(key);
  const broken = [
    ...[text.slice(0, -1), `${text}\n`, `${text} `, "", "\n\n", body, "\u0000\u0001"],
    ...[text.replace("0x00", "0x01"), `${digest}\n${key}\n{`, `${digest}\n${key}0\n${body}`],
    `${digest.replace(/^./, (digit) => (digit === "0" ? "1" : "0"))}\n${key}\n${body}`,
    ...[otherSources, `${key} `, ""].map((other) => `${sha256Text(`${other}\n${body}`)}\n${other}\n${body}`),
  ];
  for (const one of broken) {
    writeFileSync(path, one);
    expect([one, readScenario(path, DEMO)]).toEqual([one, null]);
  }
  rmSync(path);
  expect(readScenario(path, DEMO)).toBe(null);
});

test.skipIf(!is_long)("the placement with historical creators is made again too", async () => {
  const options = { placement: "mainnet", t0: T0, kept: join(folder, "mainnet.play") } as const;
  const first = await startWorld(options);
  const second = await startWorld(options);
  expect(second.head).toEqual(first.head);
  expect(second.contracts).toEqual(first.contracts);
  expect(await blocksOf(second)).toEqual(await blocksOf(first));
  await first.stop();
  await second.stop();
});
