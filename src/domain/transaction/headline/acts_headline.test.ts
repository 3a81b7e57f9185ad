import { describe, expect, test } from "vitest";
import type { ProgramAct } from "../../../chains/program_act.ts";
import { TIP_ACCOUNTS } from "../../../labels/tips.ts";
import { EMPTY, fromHex, type Hex, toHex } from "../../../lib/bytes.ts";
import type { TransactionMovement } from "../decoding/movements.ts";
import { actsHeadlineOf, tradeOfSender } from "./acts_headline.ts";

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const [ALICE, OTHER, USDC, SHARES, PROGRAM] = [1, 2, 3, 4, 5].map((byte) => toHex(key(byte)));
const bytes = (hex = ""): Uint8Array => fromHex(hex) ?? EMPTY;

const move = (token: Hex = "", source: Hex = "", destination: Hex = "", amount = 0n): TransactionMovement => ({
  ...{ kind: token === "" ? "native" : "spl", token, token_id: null, source, destination, amount, log_index: null },
});

const act = (kind: ProgramAct["kind"], more: Partial<ProgramAct> = {}): ProgramAct => ({
  ...{ program: bytes(PROGRAM), name: "Kamino", kind, account: bytes(ALICE), given: [], received: [] },
  ...more,
});

const told = (program_acts: readonly ProgramAct[], movements: readonly TransactionMovement[], succeeded = true) => ({
  ...{ transaction: { sender: bytes(ALICE), succeeded, program_acts }, movements, actions: [], called: null },
});

const typeOf = (...asked: Parameters<typeof told>): string | null => actsHeadlineOf(told(...asked))?.type ?? null;

const paid = move(USDC, ALICE, OTHER, 500n);
const got = move(USDC, OTHER, ALICE, 500n);

describe("acts of programs", () => {
  test("have the actor's net over the whole transaction and the program's name", () => {
    const fee = move("", ALICE, OTHER, 7n);
    expect(actsHeadlineOf(told([act("supply")], [paid, move(SHARES, "", ALICE, 450n), fee]))).toMatchObject({
      ...{ type: "supply", category: "lend", actor: ALICE, protocol: { name: "Kamino", version: null } },
      given: [
        { token: USDC, amount: 500n },
        { token: "", amount: 7n },
      ],
      received: [{ token: SHARES, amount: 450n }],
    });
    const routed = [act("swap", { name: "Jupiter v6" })];
    expect(actsHeadlineOf(told(routed, [paid, move(SHARES, OTHER, ALICE, 2n)]))).toMatchObject({
      ...{ type: "swap", protocol: { name: "Jupiter", version: "v6" } },
    });
  });

  test("leave out a tip to the block producer, and report it as a fee", () => {
    const [TIPPED] = TIP_ACCOUNTS;
    const routed = told([act("swap")], [paid, move(SHARES, OTHER, ALICE, 2n), move("", ALICE, TIPPED, 9n)]);
    expect(actsHeadlineOf(routed)).toMatchObject({
      ...{ type: "swap", given: [{ token: USDC, amount: 500n }], received: [{ token: SHARES, amount: 2n }] },
      fee: [{ token: "", token_id: null, amount: 9n }],
    });
    // A tip alone is no side of a trade.
    expect(typeOf([act("swap")], [got, move("", ALICE, TIPPED, 9n)])).toBeNull();
  });

  test("count only when the actor's net changes match the act", () => {
    expect([typeOf([act("repay")], [paid]), typeOf([act("repay")], [got])]).toEqual(["repay", null]);
    expect([typeOf([act("borrow")], [got]), typeOf([act("borrow")], [paid])]).toEqual(["borrow", null]);
    expect(typeOf([act("swap")], [paid])).toBeNull();
    expect(typeOf([act("repay")], [paid], false)).toBeNull();
    expect(typeOf([], [paid])).toBeNull();
  });

  test("of several acts the loan wins over the trade; a deactivated stake has moved nothing yet", () => {
    const both = [paid, move(SHARES, OTHER, ALICE, 2n)];
    expect(typeOf([act("swap"), act("borrow")], both)).toBe("borrow");
    expect(typeOf([act("claim_reward"), act("swap")], both)).toBe("swap");
    expect(typeOf([act("unstake")], [])).toBe("queue_withdrawal");
    expect(typeOf([act("unstake", { received: [{ token: EMPTY, amount: 5n }] })], [move("", OTHER, ALICE, 5n)])).toBe(
      "unstake",
    );
  });
});

test.each([
  ["FreezeBalanceV2Contract", [move("", ALICE, "", 9n)], "stake"],
  ["UnfreezeBalanceV2Contract", [], "queue_withdrawal"],
  ["WithdrawExpireUnfreezeContract", [move("", "", ALICE, 9n)], "unstake"],
  ["WithdrawBalanceContract", [move("", "", ALICE, 9n)], "claim_reward"],
  ["VoteWitnessContract", [], "vote"],
  ["TransferContract", [move("", ALICE, OTHER, 9n)], null],
  ["WithdrawBalanceContract", [], null],
] as const)("the network's own %s is reported as %s", (name, movements, type) => {
  const called = { selector: null, name, is_protocol: true };
  expect(actsHeadlineOf({ ...told([], movements), called })?.type ?? null).toBe(type);
  // Any program may give itself that name.
  expect(actsHeadlineOf({ ...told([], movements), called: { ...called, is_protocol: false } })).toBeNull();
});

describe("a trade of the sender", () => {
  const swap = { type: "swap", protocol: null, actor: OTHER ?? "", given: [], received: [] } as const;
  const scene = (movements: readonly TransactionMovement[], has_swap = true) => ({
    ...told([], movements),
    actions: has_swap ? [{ ...swap, contract: null, log_index: 0 }] : [],
  });
  const sides = [paid, move("", OTHER, ALICE, 3n)];

  test("is not a swap between pools on its way", () => {
    expect(tradeOfSender(scene(sides), null)).toMatchObject({ type: "swap", actor: ALICE, basis: "movements" });
  });

  test("needs a pool trade and both sides, and yields to an act of the sender", () => {
    expect(tradeOfSender(scene(sides, false), null)).toBeNull();
    expect(tradeOfSender(scene([paid]), null)).toBeNull();
    const own = actsHeadlineOf(told([act("repay")], [paid]));
    expect(tradeOfSender(scene(sides), own)).toBeNull();
    const others = actsHeadlineOf(told([act("repay", { account: bytes(OTHER) })], [got]));
    expect(others).toMatchObject({ type: "repay", actor: OTHER });
    expect(tradeOfSender(scene(sides), others)).toBeNull();
  });
});
