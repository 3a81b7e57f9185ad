// @long: alone
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CompiledProgram, compileProgram } from "../../src/accounts/testing/process.ts";
import { runOverload } from "./run.ts";

let compiled: CompiledProgram;
beforeAll(() => {
  compiled = compileProgram("bench/faults/quick_instance.ts");
});
afterAll(() => compiled.remove());

test("a caller with several times the load that a service can serve gets answers in time, and pays for no late one", async () => {
  // 48 calls at one time (three accounts, a quarter of 64 each), one after another 50 ms: the last would wait 2,400 ms.
  const report = await runOverload({
    engine: "sqlite",
    start: compiled.start,
    seed: 1,
    seconds: 5,
    clients: 60,
    slots: 64,
    deadline_ms: 1_500,
    work_ms: 50,
  });
  const { violations, unexplained, odd, overdue, seen, modest } = report;
  expect({ violations, unexplained, odd, overdue }).toEqual({ violations: [], unexplained: [], odd: [], overdue: 0 });
  expect([seen.charged_late, seen.charged_unwritten]).toEqual([0, 0]);
  expect(report.load).toBeGreaterThan(4);
  // Some answers were late, and some were not.
  expect(report.charges.refunded).toBeGreaterThan(10);
  expect(seen.charged).toBeGreaterThan(10);
  expect(report.charges.done).toBe(seen.charged);
  // Three accounts have three quarters of the slots at most.
  expect(modest.asked).toBeGreaterThan(0);
  expect(modest.crowded_out).toBe(0);
});
