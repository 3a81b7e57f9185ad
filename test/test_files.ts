/** Test files, and the project of vitest.config.ts that runs each: this follows from a file's imports, or its first line. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const TEST_FOLDERS = ["src", "test", "scripts", "bench", "portal", "sdk/src"];

/** How a file runs, by its text. */
export interface TestFile {
  readonly path: string;
  /** It runs a slice in every run and everything in the long run. */
  readonly is_sliced: boolean;
  /** It runs only in the long run. */
  readonly is_long_alone: boolean;
  /** It only reads the demo worlds, which such files share. */
  readonly is_answers: boolean;
  /** A test of the accounts that either of their engines can run. */
  readonly is_of_accounts: boolean;
  /** `npm run check` runs it. */
  readonly is_check: boolean;
}

const SLICED = /\b(sized|eachNth|is_long)\b.*\blong\.ts"/;
const SHARED = /\bimport\b[^;]*\bshared(World|Families)\b[^;]*\bserved_world\.ts"/;
const ACCOUNTS = /^src\/accounts\/[^/]+$/;
const OPENS_ACCOUNTS = /from "\.\/testing\/temporary\.ts"/;

const readTestFile = (root: string, path: string): TestFile => {
  const text = readFileSync(join(root, path), "utf8");
  return {
    path,
    is_sliced: SLICED.test(text),
    is_long_alone: text.startsWith("// @long: alone\n"),
    is_answers: SHARED.test(text),
    is_of_accounts: ACCOUNTS.test(path) && OPENS_ACCOUNTS.test(text),
    is_check: text.startsWith("// @check\n"),
  };
};

/** Every test file below the folders of tests, in order. */
export const testFiles = (root: string): readonly TestFile[] =>
  TEST_FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  )
    .filter((path) => path.endsWith(".test.ts"))
    .sort()
    .map((path) => readTestFile(root, path));

export const pathsOf = (files: readonly TestFile[], has: (file: TestFile) => boolean): string[] =>
  files.filter(has).map(({ path }) => path);
