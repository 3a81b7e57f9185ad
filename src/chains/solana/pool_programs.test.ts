/** Every listed trade, made with accounts at the positions that its source states. */
import { describe, expect, test } from "vitest";
import {
  type MadeBalance,
  type MadeInstruction,
  madeKey,
  madeTransaction,
  packed,
  TOKEN,
} from "../../demo/solana/made_transaction.ts";
import { toBase58 } from "../../lib/base58.ts";
import { fromHex } from "../../lib/bytes.ts";
import { poolActsOf } from "./pool_acts.ts";
import { readRawTransaction } from "./transaction.ts";
import { Keys } from "./wire.ts";

const [ALICE, POOL, VAULT_A, VAULT_B, OWN_A, OWN_B, MINT_A, MINT_B, AUTHORITY] = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(
  madeKey,
) as [string, string, string, string, string, string, string, string, string]; // nine bytes, nine addresses

const send = (from: string, to: string, amount: bigint): MadeInstruction => ({
  program: TOKEN,
  accounts: [from, to, ALICE],
  data: packed(["u8", 3], ["u64", amount]),
});

const held = (mint: string, owner: string, amount: bigint): MadeBalance => ({ mint, owner, amount });

interface ProgramCall {
  readonly program: string;
  readonly tag: string;
  readonly count: number;
  readonly pool: number;
  readonly vaults: readonly [number, number];
}

const actsOf = ({ program, tag, count, pool, vaults: [first, second] }: ProgramCall, moved = true) => {
  const accounts = Array.from({ length: count }, (_, i) => madeKey(100 + i));
  accounts[pool] = POOL;
  accounts[first] = VAULT_A;
  accounts[second] = VAULT_B;
  const data = Buffer.concat([fromHex(tag) ?? Buffer.alloc(0), packed(["u64", 100n], ["u64", 1n])]);
  const inner = [send(OWN_A, VAULT_A, 100n), ...(moved ? [send(VAULT_B, OWN_B, 90n)] : [])];
  const out = moved ? 90n : 0n;
  const json = madeTransaction({
    lamports: [[ALICE, 1_000_000n, 995_000n]],
    tokens: [
      [VAULT_A, held(MINT_A, AUTHORITY, 1_000n), held(MINT_A, AUTHORITY, 1_100n)],
      [VAULT_B, held(MINT_B, AUTHORITY, 1_000n), held(MINT_B, AUTHORITY, 1_000n - out)],
      [OWN_A, held(MINT_A, ALICE, 100n), held(MINT_A, ALICE, 0n)],
      [OWN_B, held(MINT_B, ALICE, 0n), held(MINT_B, ALICE, out)],
    ],
    // An instruction without a listed program mentions the accounts that only balances name.
    instructions: [
      { program, accounts, data, inner },
      { program: AUTHORITY, accounts: [VAULT_A, VAULT_B, OWN_A, OWN_B], data: new Uint8Array(1) },
    ],
  });
  return poolActsOf(readRawTransaction(json, new Keys()));
};

const BYREAL = "REALQqNEomY6cQGZJUGwywTBD2UmDT32rZcNnfxQ5N2";
const DBC = "dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN";
const LAUNCHLAB = "LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj";
const CLMM = "CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK";

describe("trades with pool and vaults at the positions of the source", () => {
  test.each([
    ["Byreal", { program: BYREAL, tag: "f8c69e91e17587c8", count: 13, pool: 2, vaults: [5, 6] }],
    ["Meteora DBC", { program: DBC, tag: "f8c69e91e17587c8", count: 15, pool: 2, vaults: [5, 6] }],
    ["Meteora DBC", { program: DBC, tag: "414b3f4ceb5b5b88", count: 15, pool: 2, vaults: [5, 6] }],
    ["Raydium LaunchLab", { program: LAUNCHLAB, tag: "faea0d7bd59c13ec", count: 15, pool: 4, vaults: [7, 8] }],
    ["Raydium LaunchLab", { program: LAUNCHLAB, tag: "9527de9bd37c981a", count: 15, pool: 4, vaults: [7, 8] }],
  ] as const)("%s", (name, call) => {
    const [act, ...more] = actsOf(call);
    expect(more).toEqual([]);
    expect(act).toMatchObject({ name, swap: { amount0: 100n, amount1: -90n, given: 100n, received: 90n } });
    expect(toBase58(act?.pool ?? new Uint8Array(0))).toBe(POOL);
    expect(act?.state).toMatchObject({ reserve0: 1_100n, reserve1: 910n });
    // One side alone is no trade, and neither is another instruction of the program.
    expect(actsOf(call, false)).toEqual([]);
    expect(actsOf({ ...call, tag: "0000000000000000" })).toEqual([]);
  });

  test.each([
    ["increase_liquidity", "2e9cf3760dcdfbb2", 2, [9, 10]],
    ["decrease_liquidity", "a026d06f685b2c01", 3, [5, 6]],
  ] as const)("Raydium CLMM before token 2022: %s states what the pool holds", (_, tag, pool, vaults) => {
    expect(actsOf({ program: CLMM, tag, count: 12, pool, vaults })).toMatchObject([
      { swap: null, state: { reserve0: 1_100n, reserve1: 910n } },
    ]);
  });

  test("a curve of Pump.fun against a token, emptied by migrate_v2", () => {
    const program = "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P";
    const [act] = actsOf({ program, tag: "bbcb121fceedfe29", count: 27, pool: 4, vaults: [5, 6] });
    expect(act).toMatchObject({ name: "Pump.fun", swap: null, shares: null, state: { reserve0: 1_100n } });
  });
});
