import { expect, test } from "vitest";
import { solana } from "../chains/networks/known.gen.ts";
import type { PoolAct } from "../chains/pool_act.ts";
import type { ProgramAct } from "../chains/program_act.ts";
import { fromBase58 } from "../lib/base58.ts";
import { EMPTY } from "../lib/bytes.ts";
import { venuesOf } from "../protocols/venues.ts";
import { decodeBlock } from "./decode.ts";

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const [PAYER, POOL, TOKEN0, TOKEN1, SHARES] = [key(1), key(2), key(3), key(4), key(5)];
const CPMM = fromBase58("CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C") ?? EMPTY;

const act = (more: Partial<PoolAct>): PoolAct => ({
  program: CPMM,
  name: "Raydium CPMM",
  pool: POOL,
  token0: TOKEN0,
  token1: TOKEN1,
  is_new: false,
  swap: null,
  shares: null,
  state: null,
  ...more,
});

const rowsOf = (pool_acts: readonly PoolAct[], succeeded = true, program_acts: readonly ProgramAct[] = []) => {
  const coins = { value: 0n, gas_used: 0n, fee: 5_000n, tip: 0n };
  const nothing = { logs: [], calls: [], nonce: 0, input: EMPTY, created_contract: null };
  const transaction = {
    index: 3,
    hash: key(9),
    sender: PAYER,
    recipient: PAYER,
    succeeded,
    ...coins,
    ...nothing,
    pool_acts,
    program_acts,
  };
  const place = { number: 7, hash: key(7), parent_hash: key(6), time: 1_700_000_000, producer: PAYER, base_fee: null };
  const block = { ...place, transactions: [transaction], issuance: [], has_traces: true, verified: "none" as const };
  return decodeBlock(block, solana, venuesOf("solana"));
};

const STATE = { reserve0: 110n, reserve1: 91n, sqrt_price_x96: 0n, liquidity: 0n };

test("a trade in a pool that began earlier is a swap, a state and an announced pool", () => {
  const swap = {
    caller: key(8),
    recipient: key(8),
    trader: PAYER,
    amount0: 10n,
    amount1: -9n,
    given: 11n,
    received: 8n,
  };
  const rows = rowsOf([act({ swap }), act({ swap, state: STATE })]);
  // Positions within the block: the transaction's index times 1,024, and one after the other.
  expect(rows.swaps.map(({ log_index, amount0, trader }) => [log_index, amount0, trader])).toEqual([
    [3_072, 10n, PAYER],
    [3_073, 10n, PAYER],
  ]);
  expect(rows.pool_states).toMatchObject([{ pool: POOL, log_index: 3_073, ...STATE, tick: 0 }]);
  expect([rows.pools, rows.pools_told.length]).toEqual([[], 2]);
  const listed = { venue: "raydium_cpmm", family: "vault_product", fee_ppm: 0 };
  expect(rows.pools_told[0]).toMatchObject({ pool: POOL, factory: CPMM, token0: TOKEN0, token1: TOKEN1, ...listed });
});

test("a pool that begins has a creator, and shares are minted and burnt", () => {
  const shares = { token: SHARES, holder: PAYER, amount: 50n };
  const rows = rowsOf([act({ is_new: true, shares, state: STATE }), act({ shares: { ...shares, amount: -20n } })]);
  expect(rows.pools).toMatchObject([{ pool: POOL, creator: PAYER, venue: "raydium_cpmm", log_index: 3_072 }]);
  expect(rows.position_events).toMatchObject([
    { kind: "vault_deposit", subject: PAYER, contract: SHARES, pool: POOL, liquidity: 50n },
    { kind: "vault_withdraw", subject: PAYER, contract: SHARES, pool: POOL, liquidity: 20n },
  ]);
});

test("programs that are not venues make no pools, and failed transactions make no rows", () => {
  const told = [act({ is_new: true, state: STATE })];
  const stranger = rowsOf([act({ ...told[0], program: key(66) })]);
  expect([stranger.pools, stranger.pool_states, stranger.pools_told]).toEqual([[], [], []]);
  const failed = rowsOf(told, false);
  expect([failed.pools, failed.pool_states]).toEqual([[], []]);
});

test("a trade with an unknown pool is no row", () => {
  const swap = {
    caller: key(8),
    recipient: key(8),
    trader: PAYER,
    amount0: 10n,
    amount1: -9n,
    given: 10n,
    received: 9n,
  };
  const rows = rowsOf([act({ swap, pool: null })]);
  expect([rows.swaps, rows.pools, rows.pools_told, rows.pool_states]).toEqual([[], [], [], []]);
});

test("loans are events of their account's position, in their asset; routes and stakes for a receipt are not", () => {
  const coins = [{ token: EMPTY, amount: 7n }];
  const tokens = [{ token: TOKEN0, amount: 50n }];
  const did = (kind: ProgramAct["kind"], given: ProgramAct["given"], received: ProgramAct["given"]): ProgramAct => ({
    ...{ program: CPMM, name: "Kamino", account: PAYER, kind, given, received },
  });
  const shares = [{ token: SHARES, amount: 3n }];
  const { position_events } = rowsOf([], true, [
    did("supply", coins, shares),
    did("withdraw", shares, tokens),
    did("borrow", [], tokens),
    did("repay", tokens, []),
    did("swap", tokens, coins),
    did("stake", coins, shares),
  ]);
  const wrapped = fromBase58("So11111111111111111111111111111111111111112");
  expect(
    position_events.map(({ kind, log_index, asset, amount0 }) => [kind, log_index, Buffer.from(asset), amount0]),
  ).toEqual([
    ["lend", 3_584, Buffer.from(wrapped ?? EMPTY), 7n],
    ["unlend", 3_585, Buffer.from(TOKEN0), 50n],
    ["borrow", 3_586, Buffer.from(TOKEN0), 50n],
    ["repay", 3_587, Buffer.from(TOKEN0), 50n],
  ]);
  expect(position_events.every(({ subject, contract }) => subject === PAYER && contract === CPMM)).toBe(true);
  expect(rowsOf([], false, [did("repay", tokens, [])]).position_events).toEqual([]);
});

test("coins staked without a receipt are events, and a withdrawal without coins is not", () => {
  const did = (kind: ProgramAct["kind"], given: bigint, received: bigint): ProgramAct => ({
    ...{ program: CPMM, name: "Solana Stake", account: PAYER, kind },
    given: given === 0n ? [] : [{ token: EMPTY, amount: given }],
    received: received === 0n ? [] : [{ token: EMPTY, amount: received }],
  });
  const { position_events } = rowsOf([], true, [did("stake", 9n, 0n), did("unstake", 0n, 0n), did("unstake", 0n, 4n)]);
  expect(position_events.map(({ kind, amount0, subject, contract }) => [kind, amount0, subject, contract])).toEqual([
    ["stake", 9n, PAYER, CPMM],
    ["unstake", 4n, PAYER, CPMM],
  ]);
});
