import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findPostgres } from "../../src/accounts/testing/postgres_server.ts";
import { type Compiled, compileProgram } from "../../src/accounts/testing/process.ts";
import { sized } from "../../test/long.ts";
import { FAULTS_OF_SERVERS } from "./faults.ts";
import { runFaults } from "./run.ts";
import type { EngineName } from "./stage.ts";

let compiled: Compiled;
beforeAll(() => {
  compiled = compileProgram("bench/faults/quick_instance.ts");
});
afterAll(() => compiled.remove());

/** In a slice each fault strikes one of the engines: on PostgreSQL those that SQLite cannot have. `[]`: all. */
const STRIKING = { sqlite: [], postgres: sized({ slice: FAULTS_OF_SERVERS, long: [] }) };
const FEWEST = { sqlite: 13, postgres: sized({ slice: 8, long: 21 }) };

/** A slice of `bench/faults.ts`: every fault once. */
const strikeOnce = (engine: EngineName) =>
  runFaults({
    engine,
    start: compiled.start,
    seed: 1,
    clients: 6,
    customers: 6,
    faults: STRIKING[engine],
    seconds: 0,
    charges: null,
    pause_ms: 0,
  });

describe.each<EngineName>(["sqlite", "postgres"])("two services on %s", (engine) => {
  test.skipIf(engine === "postgres" && findPostgres() === null)(
    "whatever is killed, cut, held, garbled, filled or changed, what callers were told is what the ledger holds",
    async () => {
      const report = await strikeOnce(engine);
      const { violations, unexplained, odd, died } = report;
      expect({ violations, unexplained, odd, died }).toEqual({ violations: [], unexplained: [], odd: [], died: 0 });
      // What cannot be done on an engine, or by an ordinary user, is seen as such.
      const struck = Object.keys(report.strikes).filter((name) => report.strikes[name] === 1);
      const asked: readonly string[] = STRIKING[engine];
      expect(struck).toEqual(report.possible.filter((name) => asked.length === 0 || asked.includes(name)));
      expect(struck.length).toBeGreaterThanOrEqual(FEWEST[engine]);
      // 20 calls end well after each fault and before the first; none of them is lost.
      expect(report.ends.charged).toBeGreaterThanOrEqual(20 * (struck.length + 1));
      expect(report.charges.done).toBeGreaterThanOrEqual(report.ends.charged);
      expect(report.charges.running).toBeUndefined();
    },
  );
});
