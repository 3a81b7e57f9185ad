import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

type ChildEvent = { readonly event: string } & Readonly<Record<string, unknown>>;

export interface Child {
  readonly pid: number;
  /** False once the process has ended, however it ended. */
  readonly is_alive: boolean;
  say(command: string): void;
  /** The next event of that name; earlier ones stay in `seen`. @throws Error when the child ends first. */
  hear(event: string): Promise<ChildEvent>;
  readonly seen: readonly ChildEvent[];
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** A program of this repository compiled for plain Node, so that separate processes can run it. */
export interface CompiledProgram {
  /** Resolves when the program has printed `ready`. */
  start(...args: readonly string[]): Promise<Child>;
  remove(): void;
}

/** @param program its source, as a path from the repository's root. */
export const compileProgram = (program: string): CompiledProgram => {
  const folder = mkdtempSync(join(tmpdir(), "assay-child-"));
  const settings = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      outDir: join(folder, "dist"),
      rootDir: ROOT,
      types: ["node"],
      typeRoots: [join(ROOT, "node_modules/@types")],
    },
    files: [join(ROOT, program)],
    include: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const tsc = spawnSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder], {
    encoding: "utf8",
  });
  if (tsc.status !== 0) throw new Error(`The child does not compile: ${tsc.stdout}${tsc.stderr}`);
  symlinkSync(join(ROOT, "src/accounts/schema"), join(folder, "dist/src/accounts/schema"));
  const built = join(folder, "dist", program.replace(/\.ts$/, ".js"));
  return {
    start: (...args) => startProgram(built, args),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** Runs a compiled program with the protocol of `child.ts`, and waits until it has printed `ready`. */
export const startProgram = async (path: string, args: readonly string[]): Promise<Child> => {
  const child = attach(spawn(process.execPath, [path, ...args], { stdio: ["pipe", "pipe", "inherit"] }));
  await child.hear("ready");
  return child;
};

const attach = (child: ChildProcess): Child => {
  const seen: ChildEvent[] = [];
  const waiting: { event: string; resolve: (facts: ChildEvent) => void; reject: (error: Error) => void }[] = [];
  const { stdin, stdout, pid } = child;
  if (stdin === null || stdout === null || pid === undefined) throw new Error("The child did not start.");
  createInterface({ input: stdout }).on("line", (line) => {
    // The project's own child writes these lines.
    const facts = JSON.parse(line) as ChildEvent;
    seen.push(facts);
    const index = waiting.findIndex((listener) => listener.event === facts.event);
    if (index >= 0) waiting.splice(index, 1)[0]?.resolve(facts);
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  void ended.then(() => {
    for (const { event, reject } of waiting) reject(new Error(`The child ended before it said ${event}.`));
  });
  // The process was just killed; its end shows elsewhere.
  stdin.on("error", () => undefined);
  return {
    pid,
    get is_alive() {
      return child.exitCode === null && child.signalCode === null;
    },
    seen,
    say: (command) => void stdin.write(`${command}\n`),
    hear: (event) => new Promise((resolve, reject) => waiting.push({ event, resolve, reject })),
    signal: (name) => void child.kill(name),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    async close() {
      stdin.end("close\n");
      await ended;
    },
  };
};
