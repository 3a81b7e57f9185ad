import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { FileFault, readBoundedFile } from "./bounded_file.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-bounded-"));
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (text: string): string => {
  const path = join(folder, `${text.length}`);
  writeFileSync(path, text);
  return path;
};

test("reads a file of the maximum size and rejects a larger one", () => {
  expect(readBoundedFile(fileOf("äb"), 3)).toBe("äb");
  expect(() => readBoundedFile(fileOf("abcd"), 3)).toThrow("it is larger than 3 bytes");
  expect(() => readBoundedFile(fileOf("x".repeat(1024 * 1024 + 1)), 1024 * 1024)).toThrow("it is larger than 1 MB");
});

test("reads an endless device no further than the limit", () => {
  expect(() => readBoundedFile("/dev/zero", 100_000)).toThrow(FileFault);
});

test("rejects a folder, and reports a missing file", () => {
  expect(() => readBoundedFile(folder, 10)).toThrow("it is a folder");
  expect(() => readBoundedFile(join(folder, "none"), 10)).toThrow("ENOENT");
});
