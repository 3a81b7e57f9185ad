/** Actions that the chain itself reports, on chains whose contracts write no logs. */
import { expect, test } from "vitest";
import { bareTransaction } from "../../../../test/activity_scenario.ts";
import { ALICE, BOB, bytes } from "../../../../test/sample_logs.ts";
import type { Transaction } from "../../../chains/chain.ts";
import type { PoolAct } from "../../../chains/pool_act.ts";
import { EMPTY, type Hex, hex } from "../../../lib/bytes.ts";
import { approvalsOf } from "../decoding/approvals.ts";
import { movementsOf } from "../decoding/movements.ts";
import { categoryOf } from "../headline/category.ts";
import { poolsIn } from "./exchange.ts";
import { actionsOf } from "./index.ts";

const [POOL, COIN, TOKEN, PROGRAM, SHARES] = ["9a", "70", "71", "72", "73"].map((byte) => hex(byte.repeat(32))) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
]; // five bytes, five addresses
const NETWORK = { wrapped_native: COIN };

const seen = (change: Partial<Transaction>) => {
  const transaction = bareTransaction(change);
  const movements = movementsOf(transaction, NETWORK);
  const pools = new Map([[POOL, { token0: COIN, token1: TOKEN, venue: "raydium_cpmm", family: "vault_product" }]]);
  const approvals = approvalsOf(transaction, null);
  return {
    transaction,
    movements,
    scene: { transaction, movements, approvals, authorizations: [], pools, ...NETWORK },
  };
};

const act = (change: Partial<PoolAct>): PoolAct => ({
  ...{ program: bytes(PROGRAM), name: null, pool: bytes(POOL), token0: bytes(COIN), token1: bytes(TOKEN) },
  ...{ is_new: false, swap: null, state: null, shares: null },
  ...change,
});

test("a trade has the trader's cost and proceeds, fees included, and the pool's venue", () => {
  const parties = { caller: bytes(ALICE), recipient: bytes(BOB), trader: bytes(BOB) };
  const trade = { ...parties, amount0: 7n, amount1: -90n, given: 8n, received: 89n };
  const { transaction, scene, movements } = seen({ pool_acts: [act({ swap: trade })] });
  const actions = actionsOf(scene);
  const amount = (token: string, of: bigint) => [{ token, token_id: null, amount: of }];
  expect(actions).toEqual([
    {
      ...{ type: "swap", protocol: "raydium_cpmm", actor: BOB, contract: POOL, log_index: null },
      ...{ given: amount(COIN, 8n), received: amount(TOKEN, 89n) },
    },
  ]);
  expect(categoryOf(transaction, actions, movements)).toBe("swap");
  expect(poolsIn(transaction, ["swap"])).toEqual([POOL]);
});

test("a new pool is created, and a mentioned pool is no action", () => {
  expect(actionsOf(seen({ pool_acts: [act({ is_new: true })] }).scene).map(({ type }) => type)).toEqual([
    "create_pool",
  ]);
  const { transaction, scene } = seen({ pool_acts: [act({})] });
  expect([actionsOf(scene), poolsIn(transaction, ["swap"])]).toEqual([[], []]);
});

test("minted shares are liquidity that their holder added, burned shares are liquidity that the holder removed", () => {
  const spl = (token: string, source: string, destination: string, amount: bigint) =>
    ({ kind: "spl", token: bytes(token), source: bytes(source), destination: bytes(destination), amount }) as const;
  const shares = { token: bytes(SHARES), holder: bytes(ALICE) };
  const added = seen({
    pool_acts: [act({ shares: { ...shares, amount: 6n } })],
    moves: [
      // Coins wrapped for the pool have left the holder's account, but still count as given.
      { kind: "wrap", token: bytes(COIN), source: EMPTY, destination: bytes(ALICE), amount: 4n },
      spl(COIN, ALICE, POOL, 4n),
      spl(TOKEN, ALICE, POOL, 9n),
      spl(COIN, BOB, POOL, 1n),
    ],
  });
  const amount = (token: string, of: bigint) => ({ token, token_id: null, amount: of });
  expect(actionsOf(added.scene).filter(({ type }) => type !== "wrap")).toMatchObject([
    {
      ...{ type: "add_liquidity", actor: ALICE, contract: POOL, protocol: "raydium_cpmm" },
      ...{ given: [amount(COIN, 4n), amount(TOKEN, 9n)], received: [amount(SHARES, 6n)] },
    },
  ]);
  expect(categoryOf(added.transaction, actionsOf(added.scene), added.movements)).toBe("add_liquidity");
  const removed = seen({
    pool_acts: [act({ shares: { ...shares, amount: -6n } })],
    moves: [spl(COIN, POOL, ALICE, 3n), spl(TOKEN, POOL, ALICE, 8n)],
  });
  expect(actionsOf(removed.scene)).toMatchObject([
    {
      ...{ type: "remove_liquidity", actor: ALICE, given: [amount(SHARES, 6n)] },
      received: [amount(COIN, 3n), amount(TOKEN, 8n)],
    },
  ]);
});

test("a delegate is an approval: unlimited, limited, and revoked", () => {
  const leave = (amount: bigint) => ({ token: bytes(TOKEN), owner: bytes(ALICE), spender: bytes(BOB), amount });
  const { scene } = seen({ approvals: [leave(2n ** 64n - 1n), leave(5n), { ...leave(0n), spender: EMPTY }] });
  expect(scene.approvals.map(({ is_unlimited, kind }) => [is_unlimited, kind])).toEqual([
    [true, "spl"],
    [false, "spl"],
    [false, "spl"],
  ]);
  expect(actionsOf(scene).map(({ type, contract }) => [type, contract])).toEqual([
    ["approve", BOB],
    ["approve", BOB],
    ["revoke", null],
  ]);
});

test("a new contract is a deployment by its creator, new code an upgrade", () => {
  const made = { address: bytes(TOKEN), creator: bytes(BOB), factory: EMPTY, is_upgrade: false };
  const { transaction, scene, movements } = seen({ creations: [made, { ...made, is_upgrade: true }] });
  const actions = actionsOf(scene);
  expect(actions.map(({ type, actor, contract }) => [type, actor, contract])).toEqual([
    ["deploy", BOB, TOKEN],
    ["upgrade", BOB, TOKEN],
  ]);
  expect(categoryOf(transaction, actions, movements)).toBe("deploy");
});

test("moves without a log follow those of calls, and zero moves are left out", () => {
  const move = { kind: "spl", token: bytes(TOKEN), source: bytes(ALICE), destination: bytes(BOB), amount: 5n } as const;
  const { movements } = seen({ moves: [move, { ...move, amount: 0n }, { ...move, kind: "wrap", token: bytes(COIN) }] });
  expect(movements.map(({ kind, token, amount, log_index }) => [kind, token, amount, log_index])).toEqual([
    ["spl", TOKEN, 5n, null],
    ["wrap", COIN, 5n, null],
  ]);
});

test("the network's own programs are judged by their names, other programs are not", () => {
  const asked = (name: string, is_protocol: boolean) => {
    const { transaction } = seen({});
    return categoryOf({ ...transaction, called: { selector: null, name, is_protocol } }, [], []);
  };
  expect(asked("delegateStake", true)).toBe("stake");
  expect(asked("FreezeBalanceV2Contract", true)).toBe("stake");
  expect(asked("VoteWitnessContract", true)).toBe("governance");
  expect(asked("AccountUpdateContract", true)).toBe("other");
  const { transaction, movements } = seen({
    moves: [{ kind: "spl", token: bytes(TOKEN), source: bytes(ALICE), destination: bytes(BOB), amount: 5n }],
  });
  const called = { selector: null, name: "swap", is_protocol: false };
  expect(categoryOf({ ...transaction, called }, [], movements)).toBe("transfer");
});
