import { expect, test } from "vitest";
import { madeKey, madeTransaction, packed, TOKEN } from "../../demo/solana/made_transaction.ts";
import { toBase58 } from "../../lib/base58.ts";
import { EMPTY } from "../../lib/bytes.ts";
import { effectsOf } from "./logless_transfers.ts";
import { readRawTransaction } from "./transaction.ts";
import { Keys } from "./wire.ts";

const LOADER = "BPFLoaderUpgradeab1e11111111111111111111111";
const LOADER_V4 = "LoaderV411111111111111111111111111111111111";
const [PAYER, PROGRAM, AUTHORITY, REST, LAUNCHPAD, MINT] = [1, 2, 3, 4, 5, 6].map(madeKey) as [
  string,
  string,
  string,
  string,
  string,
  string,
]; // six bytes, six keys

const creationsOf = (made: Parameters<typeof madeTransaction>[0]["instructions"][number], error?: unknown) => {
  const answered = madeTransaction({
    lamports: [[PAYER, 100_000n, 95_000n]],
    instructions: [made],
    ...(error === undefined ? {} : { error }),
  });
  return effectsOf(readRawTransaction(answered, new Keys())).creations.map(
    ({ address, creator, factory, is_upgrade }) => [
      toBase58(address),
      toBase58(creator),
      factory.length === 0 ? null : toBase58(factory),
      is_upgrade,
    ],
  );
};

test("a program belongs to its upgrade authority, and an upgrade is no new program", () => {
  // Payer, program data, program, buffer, rent, clock, system, authority.
  const deploy = { program: LOADER, accounts: [PAYER, REST, PROGRAM, REST, REST, REST, REST, AUTHORITY] };
  expect(creationsOf({ ...deploy, data: packed(["u32", 2], ["u64", 9]) })).toEqual([[PROGRAM, AUTHORITY, null, false]]);
  // Program data, program, buffer, spill, rent, clock, authority.
  const upgrade = { program: LOADER, accounts: [REST, PROGRAM, REST, REST, REST, REST, AUTHORITY] };
  expect(creationsOf({ ...upgrade, data: packed(["u32", 3]) })).toEqual([[PROGRAM, AUTHORITY, null, true]]);
  const newer = { program: LOADER_V4, accounts: [PROGRAM, AUTHORITY] };
  expect(creationsOf({ ...newer, data: packed(["u32", 3]) })).toEqual([[PROGRAM, AUTHORITY, null, false]]);
});

test("other instructions of loaders, truncated ones and failed ones create nothing", () => {
  const accounts = [PAYER, REST, PROGRAM, REST, REST, REST, REST, AUTHORITY];
  for (const tag of [0, 1, 4, 5, 6, 7])
    expect(creationsOf({ program: LOADER, accounts, data: packed(["u32", tag]) })).toEqual([]);
  expect(creationsOf({ program: LOADER, accounts: accounts.slice(0, 7), data: packed(["u32", 2]) })).toEqual([]);
  expect(creationsOf({ program: LOADER_V4, accounts: [PROGRAM], data: packed(["u32", 3]) })).toEqual([]);
  expect(creationsOf({ program: LOADER, accounts, data: packed(["u32", 2]) }, "AccountInUse")).toEqual([]);
});

test("a mint that a launchpad made belongs to its payer, through the launchpad", () => {
  const answered = madeTransaction({
    lamports: [
      [PAYER, 100_000n, 95_000n],
      [MINT, 0n, 0n],
    ],
    instructions: [{ program: LAUNCHPAD, accounts: [MINT, TOKEN], data: EMPTY }],
  });
  const keys = [PAYER, MINT, TOKEN, LAUNCHPAD];
  const inner = {
    // Decimals, mint authority, no freeze authority.
    data: toBase58(packed(["u8", 20], ["u8", 6], Buffer.alloc(32, 7), ["u8", 0])),
    ...{ programIdIndex: keys.indexOf(TOKEN), accounts: [keys.indexOf(MINT)], stackHeight: 2 },
  };
  const meta = { ...answered.meta, innerInstructions: [{ index: 0, instructions: [inner] }] };
  const { creations } = effectsOf(readRawTransaction({ ...answered, meta }, new Keys()));
  expect(creations.map(({ address, creator, factory }) => [address, creator, factory].map(toBase58))).toEqual([
    [MINT, PAYER, LAUNCHPAD],
  ]);
});
