import fc from "fast-check";
import { expect, test } from "vitest";
import { bareTransaction } from "../../../../test/activity_scenario.ts";
import { ALICE, BOB, bytes, logOf, ZERO_ADDRESS } from "../../../../test/sample_logs.ts";
import type { EventLog, Transaction } from "../../../chains/chain.ts";
import { hex } from "../../../lib/bytes.ts";
import { topicOf } from "../../../protocols/protocol.ts";
import { approvalsOf } from "../decoding/approvals.ts";
import { movementsOf } from "../decoding/movements.ts";
import { categoryOf } from "../headline/category.ts";
import type { Action, ActionContext, ActionType } from "./action.ts";
import { actionsOf } from "./index.ts";

/** The contract that logs, in all sample logs. */
const EMITTER = hex("ee".repeat(20));
const TOKEN = hex("70".repeat(20));
const OTHER = hex("71".repeat(20));
const TRANSFER = "Transfer(address,address,uint256)";

const moved = (token: string, words: readonly (string | number)[], amount: number): EventLog => ({
  ...logOf(TRANSFER, words, [amount]),
  address: bytes(token),
});

const sceneOf = (change: Partial<Transaction>, more: Partial<ActionContext> = {}): ActionContext => {
  const transaction = bareTransaction(change);
  return {
    transaction,
    movements: movementsOf(transaction, { wrapped_native: null }),
    approvals: approvalsOf(transaction, null),
    authorizations: [],
    pools: new Map(),
    wrapped_native: null,
    ...more,
  };
};

const readIn = (...logs: readonly EventLog[]): readonly Action[] =>
  actionsOf(sceneOf({ logs: logs.map((log, index) => ({ ...log, index })) }));

type ExpectedAmount = readonly [token: string, amount: number];
const sides = (list: readonly ExpectedAmount[]) =>
  list.map(([token, amount]) => ({ token, token_id: null, amount: BigInt(amount) }));

interface EventCase {
  readonly type: ActionType;
  readonly event: string;
  readonly indexed: readonly (string | number)[];
  readonly data: readonly (string | number)[];
  readonly actor: string;
  readonly given?: readonly ExpectedAmount[];
  readonly received?: readonly ExpectedAmount[];
  /** A transfer that confirms the event; without it the event is only a claim. */
  readonly proof?: EventLog;
}

const OUT = moved(TOKEN, [ALICE, EMITTER], 50);
const IN = moved(TOKEN, [EMITTER, ALICE], 50);
const paid: Pick<EventCase, "given" | "proof"> = { given: [[TOKEN, 50]], proof: OUT };
const got: Pick<EventCase, "received" | "proof"> = { received: [[TOKEN, 50]], proof: IN };
const WORD = "ab".repeat(32);

const CASES: readonly EventCase[] = [
  {
    ...{ type: "supply", event: "Deposit(address,address,address,uint256,uint16)", actor: ALICE, ...paid },
    ...{ indexed: [TOKEN, BOB, 0], data: [ALICE, 50] },
  },
  {
    ...{ type: "supply", event: "Supply(address,address,address,uint256,uint16)", actor: ALICE, ...paid },
    ...{ indexed: [TOKEN, BOB, 0], data: [ALICE, 50] },
  },
  {
    ...{ type: "withdraw", event: "Withdraw(address,address,address,uint256)", actor: ALICE, ...got },
    ...{ indexed: [TOKEN, ALICE, ALICE], data: [50] },
  },
  {
    ...{
      type: "borrow",
      event: "Borrow(address,address,address,uint256,uint256,uint256,uint16)",
      actor: ALICE,
      ...got,
    },
    ...{ indexed: [TOKEN, ALICE, 0], data: [ALICE, 50, 2, 0] },
  },
  {
    ...{ type: "borrow", event: "Borrow(address,address,address,uint256,uint8,uint256,uint16)", actor: ALICE, ...got },
    ...{ indexed: [TOKEN, ALICE, 0], data: [ALICE, 50, 2, 0] },
  },
  {
    ...{ type: "repay", event: "Repay(address,address,address,uint256)", actor: ALICE, ...paid },
    ...{ indexed: [TOKEN, BOB, ALICE], data: [50] },
  },
  {
    ...{ type: "repay", event: "Repay(address,address,address,uint256,bool)", actor: ALICE, ...paid },
    ...{ indexed: [TOKEN, BOB, ALICE], data: [50, 0] },
  },
  {
    ...{ type: "liquidation", event: "LiquidationCall(address,address,address,uint256,uint256,address,bool)" },
    ...{ indexed: [OTHER, TOKEN, BOB], data: [50, 7, ALICE, 0], actor: ALICE },
    ...{ given: [[TOKEN, 50]], received: [[OTHER, 7]], proof: OUT },
  },
  {
    ...{ type: "bridge_out", event: "LockedERC20(address,address,address,uint256)", actor: ALICE, ...paid },
    ...{ indexed: [ALICE, BOB, TOKEN], data: [50] },
  },
  {
    ...{ type: "bridge_in", event: "ExitedERC20(address,address,uint256)", actor: ALICE, ...got },
    ...{ indexed: [ALICE, TOKEN], data: [50] },
  },
  {
    ...{ type: "bridge_out", event: "ERC20DepositInitiated(address,address,address,address,uint256,bytes)" },
    ...{ indexed: [TOKEN, OTHER, ALICE], data: [BOB, 50, 96, 0], actor: ALICE, ...paid },
  },
  {
    ...{
      type: "bridge_out",
      event: "DepositInitiated(address,address,address,uint256,uint256)",
      actor: ALICE,
      ...paid,
    },
    ...{ indexed: [ALICE, BOB, 3], data: [TOKEN, 50] },
  },
  {
    ...{ type: "bridge_in", event: "MintAndWithdraw(address,uint256,address)", actor: ALICE, ...got },
    ...{ indexed: [ALICE, TOKEN], data: [50] },
  },
  {
    ...{ type: "bridge_out", event: "OFTSent(bytes32,uint32,address,uint256,uint256)", actor: ALICE },
    ...{ indexed: [WORD, ALICE], data: [30_101, 50, 50], given: [[EMITTER, 50]] },
    proof: moved(EMITTER, [ALICE, ZERO_ADDRESS], 50),
  },
  {
    ...{ type: "stake", event: "Deposit(address,address,uint256,uint256)", actor: ALICE },
    ...{ indexed: [ALICE, BOB], data: [50, 49], given: [[TOKEN, 50]], received: [[EMITTER, 49]], proof: OUT },
  },
  {
    ...{ type: "unstake", event: "Withdraw(address,address,address,uint256,uint256)", actor: ALICE },
    ...{ indexed: [BOB, ALICE, ALICE], data: [50, 49], given: [[EMITTER, 49]], received: [[TOKEN, 50]], proof: IN },
  },
  { type: "stake", event: "Staked(address,uint256)", indexed: [ALICE], data: [50], actor: ALICE, ...paid },
  { type: "claim_reward", event: "RewardPaid(address,uint256)", indexed: [ALICE], data: [50], actor: ALICE, ...got },
  { type: "multisig_exec", event: "ExecutionSuccess(bytes32,uint256)", indexed: [WORD], data: [0], actor: EMITTER },
  { type: "multisig_exec", event: "ExecutionSuccess(bytes32,uint256)", indexed: [], data: [WORD, 0], actor: EMITTER },
  { type: "multisig_failure", event: "ExecutionFailure(bytes32,uint256)", indexed: [WORD], data: [0], actor: EMITTER },
  {
    ...{ type: "user_operation", event: "UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)" },
    ...{ indexed: [WORD, BOB, ZERO_ADDRESS], data: [0, 1, 9, 9], actor: BOB },
  },
  {
    ...{ type: "user_operation_failure", actor: BOB, indexed: [WORD, BOB, ZERO_ADDRESS], data: [0, 0, 9, 9] },
    event: "UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)",
  },
  {
    ...{ type: "vote", event: "VoteCast(address,uint256,uint8,uint256,string)", actor: BOB },
    ...{ indexed: [BOB], data: [1, 1, 5, 128, 0] },
  },
  {
    type: "delegate_votes",
    event: "DelegateChanged(address,address,address)",
    indexed: [BOB, ALICE, ALICE],
    data: [],
    actor: BOB,
  },
];

const logIn = ({ event, indexed, data }: EventCase): EventLog => logOf(event, indexed, data);

test.each(CASES)("$type by $event", (one) => {
  const log = logIn(one);
  const found = readIn(log, ...(one.proof === undefined ? [] : [one.proof])).filter(({ log_index }) => log_index === 0);
  expect(found).toEqual([
    {
      type: one.type,
      protocol: found[0]?.protocol ?? null,
      actor: one.actor,
      given: sides(one.given ?? []),
      received: sides(one.received ?? []),
      contract: EMITTER,
      log_index: 0,
    },
  ]);
  // With one word less it is another event of the same name.
  const proofs = one.proof === undefined ? [] : [one.proof];
  const short = one.data.length > 0 ? { ...log, data: log.data.subarray(32) } : { ...log, topics: log.topics.slice(1) };
  expect(readIn(short, ...proofs).filter(({ type }) => type === one.type)).toEqual([]);
});

test.each(CASES.filter(({ proof }) => proof !== undefined))(
  "$type by $event is a mere claim when nothing moved",
  (one) => {
    expect(readIn(logIn(one)).filter(({ type }) => type === one.type)).toEqual([]);
  },
);

test("a swap is reported from the trader's side, with the tokens of the pool or, for an unknown pool, of the movements", () => {
  const swap = logOf("Swap(address,uint256,uint256,uint256,uint256,address)", [BOB, ALICE], [50, 0, 0, 8]);
  const known = { token0: TOKEN, token1: OTHER, venue: "Uniswap v2", family: "uniswap_v2" };
  const expected = { type: "swap", given: sides([[TOKEN, 50]]), received: sides([[OTHER, 8]]), contract: EMITTER };
  const with_pool = actionsOf(sceneOf({ logs: [swap] }, { pools: new Map([[EMITTER, known]]) }));
  expect(with_pool).toMatchObject([{ ...expected, protocol: "Uniswap v2" }]);
  const by_movement = readIn(swap, OUT, moved(OTHER, [EMITTER, ALICE], 8)).filter(({ type }) => type === "swap");
  expect(by_movement).toMatchObject([{ ...expected, protocol: "Uniswap v2 or a fork" }]);
});

test("a wrap is the network's own coin both ways", () => {
  const deposit = logOf("Deposit(address,uint256)", [ALICE], [5]);
  const transaction = bareTransaction({ logs: [deposit] });
  const movements = movementsOf(transaction, { wrapped_native: EMITTER });
  expect(actionsOf(sceneOf({ logs: [deposit] }, { movements, wrapped_native: EMITTER }))).toMatchObject([
    { type: "wrap", actor: ALICE, given: sides([["", 5]]), received: sides([[EMITTER, 5]]) },
  ]);
  expect(readIn(deposit)).toEqual([]);
});

test("a Seaport order counts when its NFT moved", () => {
  const event =
    "OrderFulfilled(bytes32,address,address,address,(uint8,address,uint256,uint256)[],(uint8,address,uint256,uint256,address)[])";
  // hash, buyer, offers at 128, considerations at 288; one of each.
  const data = [WORD, BOB, 128, 288, 1, 2, TOKEN, 7, 1, 1, 0, ZERO_ADDRESS, 0, 9, ALICE];
  const order = logOf(event, [ALICE, ZERO_ADDRESS], data);
  const piece = { ...logOf(TRANSFER, [ALICE, BOB, 7], []), address: bytes(TOKEN) };
  const sold = readIn(order, piece);
  expect(sold).toMatchObject([
    {
      ...{ type: "nft_sale", protocol: "Seaport", actor: ALICE, received: sides([["", 9]]) },
      given: [{ token: TOKEN, token_id: 7n, amount: 1n }],
    },
  ]);
  expect(readIn(order)).toEqual([]);
  expect(readIn({ ...order, data: order.data.subarray(0, 300) }, piece)).toEqual([]);
});

test("a delegation without a valid signature does nothing, one to the zero address ends it", () => {
  const authorization = (authority: string | null, delegate: string) => ({
    ...{ authority: authority === null ? null : bytes(authority), delegate: bytes(delegate), chain_id: 1n, nonce: 0n },
  });
  const authorizations = [authorization(ALICE, BOB), authorization(null, BOB), authorization(BOB, ZERO_ADDRESS)];
  expect(
    actionsOf(sceneOf({}, { authorizations })).map(({ type, actor, contract }) => [type, actor, contract]),
  ).toEqual([
    ["delegate_code", ALICE, BOB],
    ["end_delegation", BOB, null],
  ]);
});

test("contracts created by the transaction and by contracts are reported", () => {
  const call = {
    kind: "create2",
    sender: bytes(BOB),
    recipient: bytes(TOKEN),
    value: 0n,
    init_hash: null,
    code_hash: null,
  } as const;
  const made = actionsOf(sceneOf({ recipient: null, created_contract: bytes(EMITTER), calls: [call] }));
  expect(made.map(({ type, actor, contract }) => [type, actor, contract])).toEqual([
    ["deploy", ALICE, EMITTER],
    ["deploy", BOB, TOKEN],
  ]);
});

test("the category follows from the actions, else the movements, else the call", () => {
  const word = (...logs: readonly EventLog[]) => {
    const scene = sceneOf({ logs: logs.map((log, index) => ({ ...log, index })) });
    return categoryOf(scene.transaction, actionsOf(scene), scene.movements);
  };
  expect(word()).toBe("transfer");
  expect(word(OUT)).toBe("transfer");
  expect(word(moved(TOKEN, [ZERO_ADDRESS, ALICE], 5))).toBe("mint");
  expect(word(logOf("Approval(address,address,uint256)", [ALICE, BOB], [5]))).toBe("approval");
  expect(word(logOf("Repay(address,address,address,uint256)", [TOKEN, BOB, ALICE], [50]), OUT)).toBe("repay");
});

test("does not throw on arbitrary bytes", () => {
  const events = [
    ...new Set(CASES.map(({ event }) => event)),
    TRANSFER,
    "Swap(address,uint256,uint256,uint256,uint256,address)",
    "OrderFulfilled(bytes32,address,address,address,(uint8,address,uint256,uint256)[],(uint8,address,uint256,uint256,address)[])",
    "Permit(address,address,address,uint160,uint48,uint48)",
    "Lockdown(address,address,address)",
    "PunkBought(uint256,uint256,address,address)",
  ];
  const topic = fc.uint8Array({ minLength: 0, maxLength: 40 });
  const hostile = fc.record({
    address: fc.uint8Array({ minLength: 20, maxLength: 20 }),
    topics: fc
      .tuple(fc.constantFrom(...events), fc.array(topic, { maxLength: 3 }))
      .map(([event, rest]) => [topicOf(event), ...rest]),
    data: fc.uint8Array({ maxLength: 700 }),
    index: fc.nat({ max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 6 }), (logs) => {
      const scene = sceneOf({ logs });
      expect(Array.isArray(actionsOf(scene))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
