import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Block } from "../../src/chains/chain.ts";
import { openChain } from "../../src/chains/families.ts";
import { networkFromConfig } from "../../src/chains/networks/from_config.ts";
import type { OpenChain } from "../../src/chains/open_chain.ts";
import { ASSET, ASSET_ID } from "../../src/demo/tron/ledger.ts";
import type { TronJson } from "../../src/demo/tron/shapes.ts";
import { decodeBlock } from "../../src/indexer/decode.ts";
import type { TransfersRow } from "../../src/indexer/rows.ts";
import { EMPTY, fromHex, type Hex, hex, toHex } from "../../src/lib/bytes.ts";
import { silentLog } from "../../src/lib/log.ts";
import { venuesOf } from "../../src/protocols/venues.ts";
import { startTronWorld, TRX, type TronWorld } from "./traffic.ts";

const signal = AbortSignal.timeout(120_000);

let world: TronWorld;
let chain: OpenChain;
let blocks: readonly Block[];
let transfers: readonly TransfersRow[];

const hexOf = (name: string): Hex => hex(world.stage.address(name).slice(2).toLowerCase());
const networkOf = (chain_id: number) =>
  networkFromConfig({ id: "test-tron", family: "tron", chain_id, native: { symbol: "TRX", decimals: 6 } });

beforeAll(async () => {
  world = await startTronWorld({ seed: 5, acts: 120 });
  const network = { ...networkOf(world.facade.chain_id), wrapped_native: hexOf("wtrx") };
  chain = await openChain(network, { rpc: [world.facade.url], log: silentLog }, signal);
  const { number } = await chain.head(signal);
  blocks = await chain.blocks(0, number, signal);
  transfers = blocks.flatMap((block) => decodeBlock(block, network, new Map()).transfers);
}, 120_000);

afterAll(async () => {
  await chain?.close();
  await world?.stop();
});

test("movements add up to the node's balances: TRX, TRC-20 with fees and mints, TRC-10, stakes, rewards, failures", async () => {
  const sums = new Map<string, bigint>();
  const add = (token: Hex, holder: Hex, amount: bigint): void => {
    if (holder !== "") sums.set(`${token}:${holder}`, (sums.get(`${token}:${holder}`) ?? 0n) + amount);
  };
  for (const row of transfers) {
    add(toHex(row.token), toHex(row.source), -row.amount);
    add(toHex(row.token), toHex(row.destination), row.amount);
  }
  // No log states the supply that Tether's constructor issued to its owner.
  sums.delete(`${hexOf("usdt")}:${hexOf("carol")}`);
  const pairs = [...sums.keys()].map((key) => {
    const [token = "", holder = ""] = key.split(":");
    return { token: hex(token), holder: hex(holder) };
  });
  const coins = pairs.filter(({ token }) => token === "").map(({ holder }) => holder);
  const tokens = pairs.filter(({ token }) => token !== "");
  const natives = await chain.nativeBalances(coins, signal);
  const others = await chain.tokenBalances(tokens, signal);
  const theirs = new Map<string, bigint | null | undefined>([
    ...coins.map((holder, i) => [`:${holder}`, natives[i]] as const),
    ...tokens.map(({ token, holder }, i) => [`${token}:${holder}`, others[i]] as const),
  ]);
  expect(Object.fromEntries(theirs)).toEqual(Object.fromEntries(sums));
  expect(pairs.length).toBeGreaterThan(60);
  // TRX, MNT, TAX, WTRX, USDT, OIL
  expect(new Set(pairs.map(({ token }) => token)).size).toBe(6);
  expect([...new Set(transfers.map(({ kind }) => kind))].sort()).toEqual([
    "fee",
    "internal",
    "native",
    "reward",
    "trc10",
    "trc20",
    "withdrawal",
    "wrap",
  ]);
});

test("blocks are complete: parents, inner calls, created contracts, failed transactions", async () => {
  expect(chain.can).toMatchObject({ traces: true, archive: false });
  expect(blocks.every(({ has_traces }) => has_traces)).toBe(true);
  const all = blocks.flatMap(({ transactions }) => transactions);
  const created = all.flatMap(({ created_contract }) => (created_contract === null ? [] : [toHex(created_contract)]));
  expect(created).toEqual(["minted", "taxed", "wtrx", "forwarder", "factory", "usdt"].map(hexOf));
  const failed = all.filter(({ succeeded }) => !succeeded);
  expect(failed.length).toBeGreaterThan(3);
  for (const { calls, logs, moves, fee } of failed) {
    expect({ calls, logs, moves }).toEqual({ calls: [], logs: [], moves: undefined });
    expect(fee).toBeGreaterThan(0n);
  }
  expect(all.flatMap(({ calls }) => calls.map(({ kind }) => kind))).toContain("selfdestruct");
});

test("reads the newest, the confirmed and any other block, and null beyond the end", async () => {
  const head = await chain.head(signal);
  expect(head.number).toBe(blocks.length - 1);
  expect(head.hash).toBe(toHex(blocks.at(-1)?.hash ?? EMPTY));
  // The façade confirms five blocks behind its head.
  expect(await chain.finalized(signal)).toBe(head.number - 5);
  expect(await chain.ref(3, signal)).toMatchObject({ number: 3, parent_hash: toHex(blocks[2]?.hash ?? EMPTY) });
  expect(await chain.ref(head.number + 1, signal)).toBeNull();
});

test("reads a transaction by its hash with its block, and null for an unknown hash", async () => {
  const wanted = blocks.at(-1)?.transactions[0];
  if (wanted === undefined) throw new Error("the last block is empty");
  const seen = await chain.transaction(toHex(wanted.hash), signal);
  expect(seen?.mined?.transaction).toEqual(wanted);
  expect(seen?.mined?.block.number).toBe(blocks.length - 1);
  expect(await chain.transaction(hex("ab".repeat(32)), signal)).toBeNull();
});

describe("state", () => {
  test("accounts, code and calls; a contract that fails or does not exist is a result", async () => {
    const usdt = hexOf("usdt");
    const { code } = await chain.account(usdt, signal);
    expect(code.length).toBeGreaterThan(1_000);
    const nobody = hex("12".repeat(20));
    expect(await chain.account(nobody, signal)).toEqual({ balance: 0n, nonce: 0, code: EMPTY });
    const frozen = hex(`e47d6060${hexOf("bob").padStart(64, "0")}`); // isBlackListed(bob)
    const [is_frozen, fails, absent] = await chain.call(
      [
        { to: usdt, data: frozen },
        { to: hexOf("minted"), data: hex("12345678") },
        { to: nobody, data: frozen },
      ],
      signal,
    );
    expect(is_frozen).toEqual({ ok: true, data: fromHex("1".padStart(64, "0")) });
    expect([fails?.ok, absent?.ok]).toEqual([false, false]);
  });

  test("an account has its stakes, its resources and the keys that it needs", async () => {
    const [alice, dave, usdt] = await Promise.all(
      ["alice", "dave", "usdt"].map((name) => chain.describe?.(hexOf(name), signal)),
    );
    // The traffic repeats its twenty acts six times: each time 700 TRX are staked and the stake of 300 ends.
    const staked = 6n * (700n - 300n) * TRX;
    // Ten points of energy for each staked TRX.
    expect(alice?.resources).toEqual({
      frozen_v2: [{ resource: "energy", amount: staked }],
      bandwidth: { free_limit: 600, free_used: 268, staked_limit: 0, staked_used: 0 },
      energy: { limit: 24_000, used: 65 },
      caller_energy_percent: null,
      owner_permission: null,
      active_permissions: [],
    });
    expect([alice?.kind, alice?.exists, alice?.program]).toEqual([null, true, null]);
    const keys = ["alice", "bob", "carol"].map((name) => ({ address: hexOf(name), weight: 1 }));
    expect(dave?.kind).toBe("tron_multisig");
    expect(dave?.resources?.owner_permission).toEqual({ name: "owner", threshold: 2, keys });
    expect(dave?.resources?.active_permissions).toMatchObject([{ id: 2, name: "active", threshold: 2, keys }]);
    expect([usdt?.kind, usdt?.code.length !== 0, usdt?.resources?.caller_energy_percent]).toEqual([null, true, 100]);
    expect(await chain.describe?.(hex("12".repeat(20)), signal)).toMatchObject({ exists: false, resources: null });
  });

  test("tokens have their names, TRC-10 tokens too", async () => {
    const oil = toHex(Buffer.from(ASSET_ID));
    const [usdt, asset, nothing] = await chain.tokenMetadata([hexOf("usdt"), oil, hex("39393939393939")], signal);
    expect(usdt).toMatchObject({ standard: "trc20", symbol: "USDT", decimals: 6, total_supply: 1_000_000n * TRX });
    const { name, abbr, precision, total_supply } = ASSET;
    const words = { name, symbol: abbr, has_hidden: false };
    expect(asset).toEqual({ token: oil, standard: "trc10", ...words, decimals: precision, total_supply });
    expect(nothing?.symbol).toBeNull();
  });

  test("the newest state serves a block of the last minute, and an older block is rejected", async () => {
    const head = blocks.length - 1;
    const [now] = await chain.nativeBalances([hexOf("alice")], signal);
    // Blocks of this network count as twelve seconds: five of them are a minute.
    expect(await chain.nativeBalances([hexOf("alice")], signal, head - 5)).toEqual([now]);
    await expect(chain.nativeBalances([hexOf("alice")], signal, head - 6)).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  });
});

test("SunSwap's factories are the published ones", () => {
  // SunSwap contract addresses, as sun-protocol lists them for its own tools.
  const known = [...venuesOf("tron").values()].map(({ venue, factory }) => [venue, chain.formatAddress(factory)]);
  expect(known).toEqual([
    ["sunswap_v1", "TXk8rQSAvPvBBNtqSoY6nCfsXWCSSpTVQF"],
    ["sunswap_v2", "TKWJdrQkqHisa1X8HUdHEfREvTzw4pMAaY"],
    ["sunswap_v3", "TThJt8zaJzJMhCEScH7zWKnp5buVZqys9x"],
  ]);
});

test("an endpoint of another chain is not used", async () => {
  const other = await openChain(networkOf(7), { rpc: [world.facade.url], log: silentLog }, signal);
  const [report] = await other.probe(signal);
  expect(report?.problem).toContain("but test-tron is chain 7");
  await expect(other.head(signal)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  await other.close();
});

/** Names of the members of an answer, to the depth of a contract's value. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
};

const FOLDER = join(import.meta.dirname, "../../../shared/data/tron/metamask");

test.skipIf(!existsSync(FOLDER)).each([
  ["native-transfer", "TransferContract"],
  ["trc20-transfer", "TriggerSmartContract"],
])("a transaction of the façade has the members of the recorded %s", async (name, type) => {
  const post = async (path: string, body: TronJson): Promise<TronJson> =>
    // The façade answers with objects.
    (await (
      await fetch(`${world.facade.url}${path}`, { method: "POST", body: JSON.stringify(body) })
    ).json()) as TronJson;
  const recorded: TronJson = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8"));
  let found: TronJson | undefined;
  for (let num = 1; found === undefined; num += 1) {
    const block = await post("/wallet/getblockbynum", { num });
    const list = (block.transactions ?? []) as readonly {
      readonly raw_data: { readonly contract: readonly TronJson[] };
    }[];
    found = list.find(({ raw_data }) => raw_data.contract[0]?.type === type);
  }
  const { ret, signature, txID, raw_data_hex, raw_data } = recorded;
  // The recording is TronGrid's: `fee` is in `ret`; a node states usage and block in its info.
  const [first] = ret as readonly TronJson[];
  const plain = { ret: [{ contractRet: first?.contractRet }], signature, txID, raw_data_hex, raw_data };
  expect(shapeOf(found)).toEqual(shapeOf(plain));
});
