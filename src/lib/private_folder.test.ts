import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makePrivateFolder } from "./private_folder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-private-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

/** A folder with files that all users may read and write. */
const open = (name: string, holds: readonly string[]): string => {
  const path = join(folder, name);
  mkdirSync(path);
  for (const file of holds) {
    writeFileSync(join(path, file), "");
    chmodSync(join(path, file), 0o666);
  }
  chmodSync(path, 0o777);
  return path;
};

test("lets only the owner enter a new folder, under any umask", () => {
  const before = process.umask(0);
  try {
    expect(makePrivateFolder(join(folder, "a", "b"))).toBe(false);
  } finally {
    process.umask(before);
  }
  expect([modeOf(join(folder, "a")), modeOf(join(folder, "a", "b"))]).toEqual([0o700, 0o700]);
});

test("restricts an open data folder and its entries, without following links", () => {
  const outside = open("outside", ["letter"]);
  const ours = open("ours", ["accounts.db", "accounts.db-wal", "url"]);
  symlinkSync(outside, join(ours, "link"));
  expect(makePrivateFolder(ours)).toBe(false);
  expect(modeOf(ours)).toBe(0o700);
  for (const name of ["accounts.db", "accounts.db-wal", "url"]) expect(modeOf(join(ours, name))).toBe(0o600);
  expect(modeOf(outside)).toBe(0o777);
});

test("restricts an empty folder, also at the root of a new file system", () => {
  expect(makePrivateFolder(open("empty", []))).toBe(false);
  const volume = open("volume", ["lost+found"]);
  expect(makePrivateFolder(volume)).toBe(false);
  expect(modeOf(volume)).toBe(0o700);
});

test("leaves a folder with other contents, or shared by all users, unchanged and warns", () => {
  const theirs = open("theirs", ["letter"]);
  expect(makePrivateFolder(theirs)).toBe(true);
  expect([modeOf(theirs), modeOf(join(theirs, "letter"))]).toEqual([0o777, 0o666]);
  const shared = open("shared", []);
  chmodSync(shared, 0o1777);
  expect(makePrivateFolder(shared)).toBe(true);
  expect(modeOf(shared)).toBe(0o1777);
});
