import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pureFiles } from "./pure.ts";

const ROOT = join(import.meta.dirname, "..");

/** A project of a few files. */
const FILES: Readonly<Record<string, string>> = {
  "src/lib/sum.ts": "export const sum = (a: number, b: number): number => a + b;\n",
  "src/lib/sum.test.ts": 'import { sum } from "./sum.ts";\n',
  "src/store/attach.ts": 'import { spawn } from "node:child_process";\nexport const attach = spawn;\n',
  "src/store/open.ts": 'import {\n  attach,\n} from "./attach.ts";\nexport type Open = typeof attach;\n',
  "src/store/open.test.ts": 'import { type Open } from "./open.ts";\n',
  "src/store/type.test.ts": 'import type { Open } from "./open.ts";\n',
  "src/store/again.ts": 'export * from "./open.ts";\n',
  "src/store/again.test.ts": 'import "./again.ts";\n',
  "src/store/late.test.ts": 'const { attach } = await import("./attach.ts");\n',
  "src/store/embedded/attach.ts": 'import { spawn } from "node:child_process";\nexport const attach = spawn;\n',
  "src/store/facts.test.ts": 'import { attach } from "./embedded/attach.ts";\n',
  "src/accounts/sqlite_thread.ts": 'import { Worker } from "node:worker_threads";\nexport const work = Worker;\n',
  "src/accounts/keys.test.ts": 'import { work } from "./sqlite_thread.ts";\n',
  "src/accounts/sqlite_locks.test.ts": 'import { work } from "./sqlite_thread.ts";\n',
  "src/lib/clock.test.ts": 'import { sum } from "./sum.ts";\nvi.useFakeTimers();\n',
  "src/lib/proxy.test.ts": 'process.env.HTTP_PROXY = "";\n',
};

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "assay-pure-"));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});
afterAll(() => rmSync(root, { recursive: true }));

test("pure is a file that starts no process but engines of facts and compilers through anything it imports, and changes nothing of its own", () => {
  expect(pureFiles(root, ["src"])).toEqual([
    "src/accounts/keys.test.ts",
    "src/lib/sum.test.ts",
    "src/store/facts.test.ts",
    "src/store/type.test.ts",
  ]);
});

test("many files of this project are pure, and none of those that start a chain or a process of their own", () => {
  const pure = pureFiles(ROOT, ["src", "test"]);
  expect(pure.length).toBeGreaterThan(150);
  const starting = /\b(openTestService|openDemoWorld|startWorld|startDemoWorld|startAnvil|spawn)\(/;
  expect(pure.filter((path) => starting.test(readFileSync(join(ROOT, path), "utf8")))).toEqual([]);
});
