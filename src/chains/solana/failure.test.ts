import { expect, test } from "vitest";
import { madeKey } from "../../demo/solana/made_transaction.ts";
import { failureOf } from "./failure.ts";

const [A, B] = [madeKey(5), madeKey(6)];

test("a failure two programs deep has the node's error and the last message of the program that failed", () => {
  const logMessages = [
    `Program ${A} invoke [1]`,
    "Program log: Instruction: Route",
    `Program ${B} invoke [2]`,
    "Program log: AnchorError occurred. Error Code: TooLittle. Error Number: 6001. Error Message: Too little.",
    `Program ${B} consumed 9 of 10 compute units`,
    `Program ${B} failed: custom program error: 0x1771`,
    `Program ${A} failed: custom program error: 0x1771`,
  ];
  const failure = failureOf({ err: { InstructionError: [2, { Custom: 6001 }] }, logMessages });
  // 6001 = 0x1771
  const said = "AnchorError occurred. Error Code: TooLittle. Error Number: 6001. Error Message: Too little.";
  expect(failure).toEqual({
    words: `Error processing Instruction 2: custom program error: 0x1771; ${said}`,
    instruction: 2,
    depth: 1,
  });
});

test("a message of a program that succeeded is not the reason, and the runtime's message is used if the program logged none", () => {
  const logMessages = [
    `Program ${A} invoke [1]`,
    "Program log: all is well",
    `Program ${A} success`,
    `Program ${B} invoke [1]`,
    "Program log: Instruction: Swap",
    `Program ${B} failed: exceeded CUs meter at BPF instruction`,
  ];
  expect(failureOf({ err: { InstructionError: [1, "ProgramFailedToComplete"] }, logMessages })).toEqual({
    words: "Error processing Instruction 1: program failed to complete; exceeded CUs meter at BPF instruction",
    instruction: 1,
    depth: 0,
  });
});

test("a program cannot fake another program's failure in the log", () => {
  const logMessages = [
    `Program ${A} invoke [1]`,
    `Program log: Program ${B} failed: it was not me`,
    `Program ${A} failed: custom program error: 0x0`,
  ];
  const failure = failureOf({ err: { InstructionError: [0, { Custom: 0 }] }, logMessages });
  expect(failure?.depth).toBe(0);
  expect(failure?.words).toContain(`custom program error: 0x0; Program ${B} failed: it was not me`);
});

test("errors of the transaction itself, without a log, of another shape, and success", () => {
  expect(failureOf({ err: "InvalidRentPayingAccount", logMessages: null })).toEqual({
    words: "invalid rent paying account",
    instruction: null,
    depth: null,
  });
  expect(failureOf({ err: { InsufficientFundsForRent: { account_index: 3 } } })?.words).toBe(
    "insufficient funds for rent",
  );
  for (const err of [[], {}, 7, { InstructionError: "x" }, { InstructionError: [] }, { InstructionError: [-1, null] }])
    expect(failureOf({ err, logMessages: [7, null, "x".repeat(10_000)] })?.depth).toBeNull();
  expect(failureOf({ err: null })).toBeNull();
});
