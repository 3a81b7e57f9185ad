/** Transactions in base64, in the form of `getBlock`. */
import { COMPUTE_BUDGET_KEY, TOKEN_PROGRAM_KEY, VOTE_PROGRAM_KEY } from "../../src/chains/solana/programs.ts";
import { packed } from "../../src/demo/solana/made_transaction.ts";
import { toBase58 } from "../../src/lib/base58.ts";

export const keyOf = (byte: number): Buffer => Buffer.alloc(32, byte);
const addressOf = (byte: number): string => toBase58(keyOf(byte));

export interface WireOptions {
  readonly signatures?: number;
  /** First byte of the first signature. */
  readonly serial?: number;
  readonly version?: readonly number[];
  readonly keys?: readonly Uint8Array[];
  /** Program, accounts, data. */
  readonly instructions?: readonly (readonly [number, readonly number[], Uint8Array])[];
  /** Accounts of a look-up table: writable ones, others. */
  readonly loaded?: readonly [number, number];
  readonly behind?: readonly number[];
}

export const VOTER = keyOf(11);
export const towerSync = Buffer.from([14, 0, 0, 0, 1, 2, 3]);
const VOTE_KEYS = [VOTER, keyOf(12), VOTE_PROGRAM_KEY, COMPUTE_BUDGET_KEY];

/**
 * A transaction in the layout of docs.solana.com: signatures, header, keys, a block's hash, instructions, look-up
 * tables.
 */
export const wireOf = ({
  signatures = 1,
  serial = 7,
  version = [],
  keys = VOTE_KEYS,
  instructions = [[2, [1, 0], towerSync]],
  loaded,
  behind = [],
}: WireOptions): Buffer =>
  Buffer.concat([
    Buffer.from([signatures]),
    Buffer.of(serial),
    Buffer.alloc(64 * signatures - 1, 7),
    Buffer.from([...version, signatures, 0, 1, keys.length]),
    ...keys,
    keyOf(99),
    Buffer.from([instructions.length]),
    ...instructions.map(([program, accounts, data]) =>
      Buffer.concat([Buffer.from([program, accounts.length, ...accounts, data.length]), data]),
    ),
    ...(loaded === undefined ? [] : [Buffer.from([1]), keyOf(98), ...loaded.map((n) => Buffer.alloc(n + 1, n))]),
    Buffer.from(behind),
  ]);

/** Meta data of a vote, its fields in the order of nodes. */
export const voteMeta = (more: object = {}) => ({
  computeUnitsConsumed: 2_100,
  costUnits: 3_428,
  err: null,
  fee: 5_000,
  innerInstructions: [],
  loadedAddresses: { readonly: [], writable: [] },
  logMessages: ["Program Vote111 invoke [1]", "Program Vote111 success"],
  postBalances: [94_999, 27_074_400, 1, 1],
  postTokenBalances: [],
  preBalances: [99_999, 27_074_400, 1, 1],
  preTokenBalances: [],
  rewards: [],
  status: { Ok: null },
  ...more,
});

export const listed = (wire: Uint8Array) => [Buffer.from(wire).toString("base64"), "base64"] as const;

export const voteJson = (wire: WireOptions = {}, meta: object = {}, more: object = {}): string =>
  JSON.stringify({ meta: voteMeta(meta), transaction: listed(wireOf(wire)), version: "legacy", ...more });

const TRADER = keyOf(21);
const transferData = (amount: number): Buffer => packed(["u8", 12], ["u64", amount], ["u8", 6]);

/** A call of some program that calls others, with accounts of look-up tables. */
export const tradeWire = (serial = 8): Buffer =>
  wireOf({
    serial,
    signatures: 2,
    version: [0x80],
    keys: [TRADER, keyOf(22), keyOf(23), keyOf(24), TOKEN_PROGRAM_KEY, keyOf(25)],
    instructions: [
      [5, [], Buffer.from([3, 1])],
      [5, [0, 2, 3, 6, 7, 8], Buffer.alloc(24, 9)],
      [4, [2, 6, 3, 0], transferData(5)],
    ],
    loaded: [2, 1],
  });

const balance = (account: number, owner: string | null, amount: string) => ({
  accountIndex: account,
  mint: addressOf(31),
  ...(owner === null ? {} : { owner, programId: toBase58(TOKEN_PROGRAM_KEY) }),
  uiTokenAmount: { amount, decimals: 6, uiAmount: 0.300_000_000_000_000_04, uiAmountString: "0.3" },
});

const calledFrom = (program: number, accounts: readonly number[], data: Uint8Array) => ({
  accounts,
  data: toBase58(data),
  programIdIndex: program,
  stackHeight: 2,
});

export const tradeMeta = (more: object = {}) => ({
  computeUnitsConsumed: 91_000,
  err: null,
  fee: 10_000,
  innerInstructions: [
    {
      index: 1,
      instructions: [calledFrom(4, [2, 6, 3, 0], transferData(70)), calledFrom(5, [8], Buffer.alloc(200, 8))],
    },
    { index: 2, instructions: [{ ...calledFrom(4, [3, 6, 2, 0], transferData(1)), stackHeight: null }] },
  ],
  loadedAddresses: { writable: [addressOf(41), addressOf(42)], readonly: [addressOf(43)] },
  logMessages: ['Program log: {"a":"\\u00e9"}', "Program data: \u00e9=="],
  postBalances: [1_000_000 - 10_000 - 7, 7, 2_039_280, 2_039_280, 1, 1, 100, 0, 5],
  postTokenBalances: [balance(2, addressOf(21), "25"), balance(3, null, "18446744073709551615")],
  preBalances: [1_000_000, 0, 2_039_280, 2_039_280, 1, 1, 100, 0, 5],
  preTokenBalances: [balance(2, addressOf(21), "100")],
  status: { Ok: null },
  ...more,
});

export const tradeJson = (meta: object = {}, more: object = {}, serial = 8): string =>
  JSON.stringify({ transaction: listed(tradeWire(serial)), meta: tradeMeta(meta), version: 0, ...more });
