import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CompiledProgram, compileProgram } from "../../src/accounts/testing/process.ts";
import { drawsOf } from "../../test/random.ts";
import { runRounds } from "./rounds.ts";

let compiled: CompiledProgram;
beforeAll(() => {
  compiled = compileProgram("src/accounts/testing/child.ts");
});
afterAll(() => compiled.remove());

/** A slice of `bench/ledger_rounds.ts`. */
test("charges, verifications, commands and kills on one file: no acknowledged charge is lost, and no process writes to an unlinked file", async () => {
  const report = await runRounds({
    start: compiled.start,
    command_line: { path: fileURLToPath(new URL("../../dist/bundle/cli.js", import.meta.url)), every: 4 },
    rounds: 6,
    draw: drawsOf(1),
  });
  const { lost, deleted, unlocked, broken, heard_ms, ...counts } = report;
  expect({ lost, deleted, unlocked, broken }).toEqual({ lost: [], deleted: [], unlocked: [], broken: [] });
  // Round 4 has the command line, round 5 a command that is killed; the other four revoke a key.
  expect(counts).toMatchObject({ rounds: 6, service_kills: 6, command_kills: 1, command_lines: 1 });
  expect(heard_ms).toHaveLength(4);
  expect(Math.max(...heard_ms)).toBeLessThan(1_000);
  // Each service has acknowledged 24 charges and their ends before it was killed.
  expect(counts.acknowledged).toBeGreaterThanOrEqual(6 * 24 * 2);
});
