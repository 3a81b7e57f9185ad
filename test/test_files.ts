/** Which test files there are, and which project of vitest.config.ts runs each: this follows from what a file imports, or its first line. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const TEST_FOLDERS = ["src", "test", "scripts", "bench", "portal", "sdk/src"];

/** What a file's text says of how it runs. */
export interface TestFile {
  readonly path: string;
  /** It has a slice in every run and its whole in the long run. */
  readonly is_sliced: boolean;
  /** It runs only in the long run. */
  readonly is_long_alone: boolean;
  /** It only asks the demo worlds: such files share them. */
  readonly is_answers: boolean;
  /** A test of the accounts that any of their engines can run. */
  readonly is_of_accounts: boolean;
  /** `npm run check` runs it. */
  readonly is_check: boolean;
}

const SLICED = /\b(sized|eachNth|is_long)\b.*\blong\.ts"/;
const SHARED = /\bimport\b[^;]*\bshared(World|Families)Stage\b[^;]*\bstage\.ts"/;
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
