import { describe, expect, test } from "vitest";
import { BadAnswer } from "./answer.ts";
import { FailedCheck, FailedChecks, ofBlock, RefusedBlock, underCheck } from "./refused_block.ts";

const network = { id: "ethereum", name: "Ethereum" };
const thrown = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};
const fail = (error: unknown) => (): never => {
  throw error;
};

describe("a rejected block", () => {
  test("names the block, the check, the endpoints and the setting that skips the check", () => {
    const failed = new FailedCheck(66, new BadAnswer("transactions are out of order", "transaction_order"));
    const refused = new RefusedBlock({
      network,
      failed,
      endpoints: ["http://a"],
      configured: ["http://a", "http://b"],
    });
    expect(refused.message).toBe(
      "ethereum: block 66 is refused by the check transaction_order: transactions are out of order (asked: http://a; " +
        'networks.ethereum.verify: "header" leaves this check out)',
    );
    expect(refused).toMatchObject({ block: 66, check: "transaction_order", retryable: true, unasked: ["http://b"] });
    expect(refused.public).not.toContain("http");
  });

  test("says so if the setting does not help", () => {
    const failed = new FailedCheck(7, new BadAnswer("2 transactions have 1 receipts", "receipt_count"));
    const { message } = new RefusedBlock({ network, failed, endpoints: ["http://a"], configured: ["http://a"] });
    expect(message).toContain("networks.ethereum.verify does not change this check");
  });

  test("a bad answer while a block is read is a failed check of that block, of its form unless it names another", () => {
    expect(thrown(() => ofBlock(5, fail(new BadAnswer("value is not a quantity"))))).toMatchObject({
      block: 5,
      check: "form",
    });
    const traces = () => underCheck("traces", fail(new BadAnswer("a transaction has no trace")));
    expect(thrown(() => ofBlock(5, traces))).toMatchObject({ block: 5, check: "traces" });
    const inner = () => ofBlock(6, fail(new BadAnswer("x", "signature")));
    expect(thrown(() => ofBlock(5, inner))).toMatchObject({ block: 6, check: "signature" });
    const other = new Error("a bug");
    expect(thrown(() => ofBlock(5, fail(other)))).toBe(other);
  });

  test("a question that met failed checks of two blocks reports the last of them and its endpoints", () => {
    const checks = new FailedChecks();
    checks.note("a", new Error("HTTP 500"));
    const slots = ["a", "b", "c"].map((name) => ({ endpoint: { name } }));
    expect(checks.refusal(network, slots)).toBeNull();
    checks.note("a", new FailedCheck(1, new BadAnswer("x", "signature")));
    checks.note("a", new FailedCheck(2, new BadAnswer("x", "signature")));
    checks.note("b", new FailedCheck(2, new BadAnswer("x", "gas_used")));
    checks.note("c", new Error("HTTP 500"));
    expect(checks.refusal(network, slots)).toMatchObject({
      block: 2,
      check: "gas_used",
      endpoints: ["a", "b"],
      unasked: ["c"],
    });
  });
});
