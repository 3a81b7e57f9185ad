import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findPostgres } from "../../src/accounts/testing/postgres_server.ts";
import { type CompiledProgram, compileProgram } from "../../src/accounts/testing/process.ts";
import { is_long } from "../../test/long.ts";
import { runFaults } from "./run.ts";
import type { EngineName } from "./setup.ts";

let compiled: CompiledProgram;
beforeAll(() => {
  compiled = compileProgram("bench/faults/quick_instance.ts");
});
afterAll(() => compiled.remove());

const FEWEST = { sqlite: 13, postgres: 21 };

/** A slice of `bench/faults.ts`: every fault once. */
const strikeOnce = (engine: EngineName) =>
  runFaults({
    engine,
    start: compiled.start,
    seed: 1,
    clients: 6,
    customers: 6,
    faults: [],
    seconds: 0,
    charges: null,
    pause_ms: 0,
  });

describe.each<EngineName>(["sqlite", "postgres"])("two services on %s", (engine) => {
  test.skipIf(engine === "postgres" && !(is_long && findPostgres() !== null))(
    "after any kill, cut, hold, garbling, full disk or clock change the answers of callers match the ledger",
    async () => {
      const report = await strikeOnce(engine);
      const { violations, unexplained, odd, died } = report;
      expect({ violations, unexplained, odd, died }).toEqual({ violations: [], unexplained: [], odd: [], died: 0 });
      // A fault that an engine, or an ordinary user, cannot produce is reported as such.
      const struck = Object.keys(report.strikes).filter((name) => report.strikes[name] === 1);
      expect(struck).toEqual(report.possible);
      expect(struck.length).toBeGreaterThanOrEqual(FEWEST[engine]);
      // 20 calls end well after each fault and before the first; none of them is lost.
      expect(report.ends.charged).toBeGreaterThanOrEqual(20 * (struck.length + 1));
      expect(report.charges.done).toBeGreaterThanOrEqual(report.ends.charged);
      expect(report.charges.running).toBeUndefined();
    },
  );
});
