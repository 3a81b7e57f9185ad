/** The files of this repository, tracked or new, and the imports of its code. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "..");

/** Paths below the root that match one of these folders or globs, or all; without ignored files. */
export const projectPaths = (...chosen: readonly string[]): readonly string[] =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...chosen], {
    cwd: ROOT,
    encoding: "utf8",
  })
    .split("\n")
    .filter((path) => path !== "" && existsSync(join(ROOT, path)));

export interface Import {
  readonly typeOnly: boolean;
  readonly target: string;
}

/** Imports and re-exports of a TypeScript file, as written. */
export const importsOf = (text: string): readonly Import[] =>
  [...text.matchAll(/^(?:import|export)(\s+type)?\s(?:[^;"]*?\sfrom\s+)?"([^"]+)";/gm)].map((found) => ({
    typeOnly: found[1] !== undefined,
    target: found[2] ?? "",
  }));
