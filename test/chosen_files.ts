/** Test files that the arguments of `./assay test` choose, problems of the choice, and whether they need the build. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { runtimeImports } from "./pure.ts";
import type { TestFile } from "./test_files.ts";

export interface Choice {
  readonly is_long: boolean;
  /** Arguments for Vitest. */
  readonly args: readonly string[];
  readonly files: readonly TestFile[];
  /** Reason why nothing can run, as a sentence; null when something can. */
  readonly refusal: string | null;
  /** Sentences about chosen files that do not run. */
  readonly notes: readonly string[];
}

/** Options of Vitest whose value is the next argument. */
const WITH_VALUE = ["-t", "--testNamePattern", "--shard", "--project", "--reporter", "--maxWorkers", "--exclude"];

/** Arguments that are no options: parts of paths, as Vitest takes them. */
const filtersIn = (args: readonly string[], root: string): readonly string[] =>
  args
    .filter((text, i) => !text.startsWith("-") && !WITH_VALUE.includes(args[i - 1] ?? ""))
    .map((text) => (existsSync(resolve(root, text)) ? relative(root, resolve(root, text)) : text));

const isOf = ({ path }: TestFile, filter: string): boolean => path.includes(filter);

const names = (files: readonly TestFile[]): string => files.map(({ path }) => path).join(", ");

const verb = (files: readonly TestFile[]): string => (files.length === 1 ? "runs" : "run");

/** Parses the arguments after `./assay test`. */
export const chosenFiles = (line: readonly string[], all: readonly TestFile[], root: string): Choice => {
  const is_long = line[0] === "--long";
  const args = is_long ? line.slice(1) : line;
  const filters = filtersIn(args, root);
  const named = filters.length === 0 ? all : all.filter((file) => filters.some((filter) => isOf(file, filter)));
  const unknown = filters.filter((filter) => !all.some((file) => isOf(file, filter)));
  const runs = ({ is_sliced, is_long_alone }: TestFile): boolean =>
    is_long ? is_sliced || is_long_alone : !is_long_alone;
  const files = named.filter(runs);
  const silent = filters.length === 0 ? [] : named.filter((file) => !runs(file));
  const other = is_long
    ? `${names(silent)} ${verb(silent)} in full without --long`
    : `${names(silent)} ${verb(silent)} only in the long run: ./assay test --long ${filters.join(" ")}`;
  if (unknown.length > 0)
    return { is_long, args, files: [], notes: [], refusal: `no test file has '${unknown[0]}' in its path` };
  if (files.length === 0 && silent.length > 0) return { is_long, args, files, notes: [], refusal: other };
  return { is_long, args, files, notes: silent.length > 0 ? [other] : [], refusal: null };
};

/** A path into the output of `scripts/build.mjs`. Packages have folders of this name too. */
const BUILT = /(?:^|[^\w@])dist\/(?:src|bundle|portal|scripts|test|bench|contracts)\b|["'`]dist["'`]/m;

/** True for a file that reads the build's output, itself or through an import. */
export const needBuild = (files: readonly TestFile[], root: string): boolean => {
  const known = new Map<string, boolean>();
  const reaches = (path: string): boolean => {
    const found = known.get(path);
    if (found !== undefined) return found;
    known.set(path, false); // in a cycle
    const text = existsSync(path) && /\.tsx?$/.test(path) ? readFileSync(path, "utf8") : "";
    const targets = runtimeImports(text).filter((target) => target.startsWith("."));
    const does =
      BUILT.test(text.replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, "")) ||
      targets.some((target) => reaches(join(dirname(path), target)));
    known.set(path, does);
    return does;
  };
  return files.some(({ path }) => reaches(join(root, path)));
};
