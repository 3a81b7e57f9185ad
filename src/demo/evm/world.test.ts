import { getContractAddress } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BOB_SUNRISE, type EvmLedger, EXPECTED, EXPECTED_SAFE } from "../../../test/fixtures/evm_expected.ts";
import { is_long } from "../../../test/long.ts";
import {
  ADDRESSES,
  CHARACTERS,
  type CharacterName,
  type ContractName,
  DEMO_CONTRACTS,
  DEPOSIT_ADDRESS,
  LOOKALIKE,
  MNEMONIC,
} from "./characters.ts";
import { MAINNET_ADDRESSES, MAINNET_ORIGINS } from "./placement.ts";
import type { HexText } from "./rpc.ts";
import { type EvmScenarioChain, openScenarioChain } from "./scenario_chain.ts";
import { type EvmWorld, startWorld } from "./world.ts";

// 2026-08-22T00:00:00Z
const T0 = 1_787_356_800;
const DAY_S = 86_400;
const DEMO = { placement: "demo", t0: T0 } as const;

let world: EvmWorld;
let stage: EvmScenarioChain;

/** A stage on a finished world, for reads. */
const reading = (of: EvmWorld): EvmScenarioChain => {
  const opened = openScenarioChain(of.rpc, "demo", of.head.time);
  for (const [name, address] of Object.entries(of.contracts)) opened.name(name, address);
  return opened;
};

beforeAll(async () => {
  world = await startWorld(DEMO);
  stage = reading(world);
});
afterAll(() => world?.stop());

interface WorldBlock {
  readonly number: HexText;
  readonly timestamp: HexText;
  readonly baseFeePerGas: HexText;
  readonly transactions: readonly { readonly hash: HexText; readonly from: HexText }[];
}
interface PaidReceipt {
  readonly status: HexText;
  readonly from: HexText;
  readonly gasUsed: HexText;
  readonly effectiveGasPrice: HexText;
}

const blocks = async (): Promise<readonly WorldBlock[]> => {
  const numbers = Array.from({ length: world.head.number }, (_, n) => `0x${(n + 1).toString(16)}`);
  const calls = numbers.map((number) => ({ method: "eth_getBlockByNumber", params: [number, true] }));
  // eth_getBlockByNumber with full transactions.
  return (await world.rpc.batch(calls)) as WorldBlock[];
};
const receipts = async (): Promise<readonly PaidReceipt[]> => {
  const hashes = (await blocks()).flatMap(({ transactions }) => transactions.map(({ hash }) => hash));
  const calls = hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] }));
  // Receipts of mined transactions.
  return (await world.rpc.batch(calls)) as PaidReceipt[];
};

const nativeOf = async (address: string): Promise<bigint> =>
  BigInt(String(await world.rpc.call("eth_getBalance", address, "latest")));
const tokenOf = async (token: ContractName, holder: string): Promise<bigint> =>
  // balanceOf returns a uint256.
  (await stage.read(token, "balanceOf(address) view returns (uint256)", [holder])) as bigint;

test("every character's address follows from the mnemonic", () => {
  for (const { index, address } of Object.values(CHARACTERS)) {
    expect(mnemonicToAccount(MNEMONIC, { addressIndex: index }).address).toBe(address);
  }
});

test("the world's contracts are at the published addresses, for every T0", async () => {
  expect(world.contracts).toEqual(DEMO_CONTRACTS);
  const codes = await world.rpc.batch(
    Object.values(DEMO_CONTRACTS).map((address) => ({ method: "eth_getCode", params: [address, "latest"] })),
  );
  const empty = Object.keys(DEMO_CONTRACTS).filter((_, at) => codes[at] === "0x");
  // Created and destroyed in one transaction (EIP-6780); `ephemeral_emptied` keeps its code.
  expect(empty).toEqual(["ephemeral_gone"]);
});

test.skipIf(!is_long)("a second build is the same chain, and a small one", async () => {
  const again = await startWorld(DEMO);
  expect(again.head).toEqual(world.head);
  await again.stop();
  expect(world.head.number).toBeLessThan(1_500);
});

test.skipIf(!is_long)("another T0 is another chain with the same contracts", async () => {
  const later = await startWorld({ placement: "demo", t0: T0 + DAY_S });
  expect(later.head.hash).not.toBe(world.head.hash);
  expect(later.head.time).toBe(world.head.time + DAY_S);
  expect(later.contracts).toEqual(DEMO_CONTRACTS);
  await later.stop();
});

test("time runs forward from T0 and ends on the 90th day", async () => {
  const times = (await blocks()).map(({ timestamp }) => Number(timestamp));
  expect(times.every((time, at) => time > (times[at - 1] ?? T0 - 1))).toBe(true);
  expect(Math.floor((world.head.time - T0) / DAY_S)).toBe(89);
  // Every day has trades.
  expect(new Set(times.map((time) => Math.floor((time - T0) / DAY_S))).size).toBe(90);
});

describe("the books", () => {
  const books: readonly (readonly [string, EvmLedger])[] = Object.entries(EXPECTED);
  const isCharacter = (name: string): name is CharacterName => Object.hasOwn(CHARACTERS, name);

  test.each(books)("%s holds the computed amounts", async (name, book) => {
    if (!isCharacter(name)) throw new Error(`${name} is no character`);
    const address = ADDRESSES[name];
    const own = (await receipts()).filter(({ from }) => from === address.toLowerCase());
    expect(own.length).toBe(book.sent);
    expect(own.filter(({ status }) => status === "0x0").length).toBe(book.failed);
    const fees = own.reduce(
      (sum, { gasUsed, effectiveGasPrice }) => sum + BigInt(gasUsed) * BigInt(effectiveGasPrice),
      0n,
    );
    expect(await nativeOf(address)).toBe(book.native_before_fees - fees);
    for (const token of ["weth", "usdc", "usdt", "sunrise", "harbor", "juniper", "fake_usdc", "spam"] as const) {
      expect([token, await tokenOf(token, address)]).toEqual([token, book.tokens[token] ?? 0n]);
    }
  });

  test("bob's Sunrise is the constant product, computed by hand", () => {
    // 1,000 USDC: 997,000,000,000 · 10^23 / (10^14 + 997,000,000,000) = 987158034397061298850
    expect(BOB_SUNRISE.bought).toBe(987_158_034_397_061_298_850n);
    expect(BOB_SUNRISE.left).toBe(493_579_017_198_530_649_425n);
    // s = 493579017198530649425: s · 997 · 101,000,000,000 / ((10^23 - bought) · 1000 + s · 997) = 499.492047 USDC
    expect(BOB_SUNRISE.proceeds).toBe(499_492_047n);
  });

  test("the Sunrise pool holds the rest of bob's trades", async () => {
    expect(await tokenOf("usdc", DEMO_CONTRACTS.pair_sunrise_usdc)).toBe(BOB_SUNRISE.pool.usdc);
    expect(await tokenOf("sunrise", DEMO_CONTRACTS.pair_sunrise_usdc)).toBe(BOB_SUNRISE.pool.sunrise);
  });

  test("the Safe paid with two signatures, and pays no fees", async () => {
    expect(await nativeOf(DEMO_CONTRACTS.judys_safe)).toBe(EXPECTED_SAFE.native);
    expect(await tokenOf("usdc", DEMO_CONTRACTS.judys_safe)).toBe(EXPECTED_SAFE.usdc);
    const threshold = await stage.read("judys_safe", "getThreshold() view returns (uint256)");
    const owners = await stage.read("judys_safe", "getOwners() view returns (address[])");
    expect([threshold, owners]).toEqual([2n, [ADDRESSES.judy, ADDRESSES.grace, ADDRESSES.peggy]]);
  });

  test("the validator has exactly the tips, and at genesis alice had nothing", async () => {
    const paid = await receipts();
    const mined = await blocks();
    const fees = paid.reduce(
      (sum, { gasUsed, effectiveGasPrice }) => sum + BigInt(gasUsed) * BigInt(effectiveGasPrice),
      0n,
    );
    const fee_of = new Map(
      mined.flatMap((block) => block.transactions.map(({ hash }) => [hash, BigInt(block.baseFeePerGas)])),
    );
    const burnt = [...fee_of.values()].reduce((sum, base, at) => sum + base * BigInt(paid[at]?.gasUsed ?? 0), 0n);
    expect(await nativeOf(ADDRESSES.validator)).toBe(fees - burnt);
    expect(BigInt(String(await world.rpc.call("eth_getBalance", ADDRESSES.alice, "0x0")))).toBe(0n);
  });
});

describe("the subjects", () => {
  const yes = (to: ContractName, signature: string, args: readonly unknown[] = []) => stage.read(to, signature, args);

  test("issuers' freezes are as the scenario left them", async () => {
    const frozen = "isBlacklisted(address) view returns (bool)";
    expect(await yes("usdc", frozen, ["@mallory"])).toBe(true);
    expect(await yes("usdc", frozen, ["@victor"])).toBe(false);
    expect(await yes("usdt", "getBlackListStatus(address) view returns (bool)", ["@walter"])).toBe(true);
  });

  test("names resolve: alice.eth is hers, grace.eth has expired", async () => {
    const { namehash, labelhash } = await import("viem/ens");
    const addr = "addr(bytes32) view returns (address)";
    expect(await yes("ens_resolver", addr, [namehash("alice.eth")])).toBe(ADDRESSES.alice);
    const reverse = namehash(`${ADDRESSES.alice.slice(2).toLowerCase()}.addr.reverse`);
    expect(await yes("ens_resolver", "name(bytes32) view returns (string)", [reverse])).toBe("alice.eth");
    const ends = await yes("eth_registrar", "nameExpires(uint256) view returns (uint256)", [
      BigInt(labelhash("grace")),
    ]);
    // Registered on day 1 for 30 days.
    expect(Math.floor((Number(ends) - T0) / DAY_S)).toBe(31);
  });

  test("the v3 pool's price agrees with the v2 pair's within 3 % and is between 1,500 and 3,500 dollars", async () => {
    const slot = await yes("pool_v3_weth_usdc", "slot0() view returns (uint160,int24,uint16,uint16,uint16,uint8,bool)");
    // slot0's first value is the square root of the price, Q64.96.
    const [root] = slot as readonly [bigint];
    const ratio = (Number(root) / 2 ** 96) ** 2;
    const isWethFirst = DEMO_CONTRACTS.weth.toLowerCase() < DEMO_CONTRACTS.usdc.toLowerCase();
    const v3_usd = (isWethFirst ? ratio : 1 / ratio) * 1e12;
    const weth = Number(await tokenOf("weth", DEMO_CONTRACTS.pair_weth_usdc)) / 1e18;
    const usdc = Number(await tokenOf("usdc", DEMO_CONTRACTS.pair_weth_usdc)) / 1e6;
    expect(v3_usd).toBeGreaterThan(1_500);
    expect(v3_usd).toBeLessThan(3_500);
    expect(Math.abs(usdc / weth / v3_usd - 1)).toBeLessThan(0.03);
  });

  test("pools are as deep as their tokens' confidence needs, and Thin Ice is not", async () => {
    // In ether, at about 2,000 dollars: high from 125, medium from 12.5, low from 2.5, none below.
    const depth = async (pool: ContractName) =>
      Number((await tokenOf("weth", DEMO_CONTRACTS[pool])) / 10n ** 15n) / 1_000;
    expect(await depth("pool_v3_weth_usdc")).toBeGreaterThan(1_000);
    expect(await depth("pair_harbor_weth")).toBeGreaterThan(12.5);
    expect(await depth("pair_honeypot_weth")).toBeGreaterThan(2.5);
    expect(await depth("pair_thin_weth")).toBeLessThan(2);
    expect(await depth("pair_moonlift_weth")).toBeLessThan(0.01);
  });

  test("the airdrop reached more than 100 wallets in one transaction", async () => {
    expect(await tokenOf("spam", ADDRESSES.heidi)).toBe(7_777n * 10n ** 18n);
    const supply = await yes("spam", "totalSupply() view returns (uint256)");
    expect(supply).toBe(129n * 7_777n * 10n ** 18n);
  });

  test("the look-alike begins and ends like peggy's address and received 300 dollars by mistake", async () => {
    const peggy = ADDRESSES.peggy.toLowerCase();
    expect([LOOKALIKE.slice(0, 6), LOOKALIKE.slice(-4)]).toEqual([peggy.slice(0, 6), peggy.slice(-4)]);
    expect(LOOKALIKE).not.toBe(peggy);
    // 5 from ivan, less the cent for heidi, and her 300
    expect(await tokenOf("usdc", LOOKALIKE)).toBe(304_990_000n);
  });

  test("the vault was upgraded, Drift grew by a tenth, the broken token has a bytes32 symbol", async () => {
    expect(await yes("vault", "version() view returns (uint256)")).toBe(2n);
    expect(await tokenOf("drift", ADDRESSES.grace)).toBe(1_100n * 10n ** 18n);
    expect(await yes("broken", "symbol() view returns (bytes32)")).toBe(`0x42524b${"0".repeat(58)}`);
  });

  test("the deposit address passed on all of its receipts within the hour", async () => {
    // Five times 0.4 ether in; 0.4 less 21,000 gas at 1 gwei out.
    expect(await nativeOf(DEPOSIT_ADDRESS)).toBe(0n);
    expect(await world.rpc.call("eth_getTransactionCount", DEPOSIT_ADDRESS, "latest")).toBe("0x5");
  });

  test("the sandwich is in one block in the right order", async () => {
    const full = (await blocks()).find(({ transactions }) => transactions.length === 3);
    const senders = full?.transactions.map(({ from }) => from);
    const [mallory, alice] = [ADDRESSES.mallory.toLowerCase(), ADDRESSES.alice.toLowerCase()];
    expect(senders).toEqual([mallory, alice, mallory]);
  });
});

test("on the mainnet placement well-known contracts are at their addresses on Ethereum", async () => {
  for (const [name, { creator, nonce }] of Object.entries(MAINNET_ORIGINS)) {
    expect(getContractAddress({ from: creator, nonce: BigInt(nonce) })).toBe(
      Object.entries(MAINNET_ADDRESSES).find(([key]) => key === name)?.[1],
    );
  }
  const mainnet = await startWorld({ placement: "mainnet", t0: T0 });
  expect(await mainnet.rpc.call("eth_chainId")).toBe("0x1");
  expect(mainnet.contracts).toMatchObject(MAINNET_ADDRESSES);
  for (const address of Object.values(MAINNET_ADDRESSES)) {
    expect(String(await mainnet.rpc.call("eth_getCode", address, "latest")).length).toBeGreaterThan(100);
  }
  // The same people, the same books: bob's trade does not depend on the contracts' addresses.
  const stage_mainnet = reading(mainnet);
  expect(await stage_mainnet.read("sunrise", "balanceOf(address) view returns (uint256)", ["@bob"])).toBe(
    BOB_SUNRISE.left,
  );
  expect(mainnet.network.wrapped_native).toBe("c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2");
  await mainnet.stop();
});
