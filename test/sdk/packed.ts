import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export const ROOT = join(import.meta.dirname, "../..");

export interface ProcessOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end; what it said is in the error where it fails. */
export const run = async (
  program: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<ProcessOutput> => {
  const settings = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 << 20 };
  return promisify(execFile)(program, [...args], settings);
};

/** A temporary folder, and how it ends. */
export const emptyFolder = (parent = tmpdir()): { readonly folder: string; readonly remove: () => void } => {
  const folder = mkdtempSync(join(parent, "assay-packed-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

/** The first example of a README: its code, and what it says that it prints. */
export const exampleOf = (readme: string, language: string): { readonly code: string; readonly printed: string } => {
  const text = readFileSync(join(ROOT, readme), "utf8");
  const [, code = ""] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(text) ?? [];
  const [, printed = ""] = /that prints:\n\n```\n([\s\S]*?)```/.exec(text) ?? [];
  return { code, printed };
};

/** `npm pack`: the file, and the paths in it. */
export const pack = async (
  folder: string,
  into: string,
): Promise<{ readonly file: string; readonly paths: readonly string[]; readonly bytes: number }> => {
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", into], { cwd: join(ROOT, folder) });
  // npm's list of what it packed: one package, with its files.
  const listed = JSON.parse(stdout.slice(stdout.indexOf("[\n"))) as {
    readonly filename: string;
    readonly size: number;
    readonly files: readonly { readonly path: string }[];
  }[];
  const [packed] = listed;
  if (packed === undefined) throw new Error("npm packed nothing");
  return { file: join(into, packed.filename), paths: packed.files.map(({ path }) => path), bytes: packed.size };
};
