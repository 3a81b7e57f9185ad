import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PROGRAM_FILE, type ProgramFile, sourceHash } from "./pool_program.ts";

test("the program of the pool belongs to its source as it is now", () => {
  // Written by scripts/pool_program.ts.
  const { source_sha256 } = JSON.parse(readFileSync(PROGRAM_FILE, "utf8")) as ProgramFile;
  expect(source_sha256).toBe(sourceHash());
});
