import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { AccountsPlace } from "../engine.ts";
import { writePlace } from "./place.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

type ChildEvent = { readonly event: string } & Readonly<Record<string, unknown>>;

interface Child {
  say(command: string): void;
  /** The next event of that name; what came before it stays in `seen`. @throws Error when the child ends first. */
  hear(event: string): Promise<ChildEvent>;
  readonly seen: readonly ChildEvent[];
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** The accounts compiled for plain Node, so that processes of their own can run them. */
export interface Compiled {
  start(place: AccountsPlace, secret: string): Promise<Child>;
  remove(): void;
}

export const compileChild = (): Compiled => {
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
    files: [join(ROOT, "src/accounts/testing/child.ts")],
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
  return {
    async start(place, secret) {
      const program = join(folder, "dist/src/accounts/testing/child.js");
      const child = attach(
        spawn(process.execPath, [program, writePlace(place), secret], { stdio: ["pipe", "pipe", "inherit"] }),
      );
      await child.hear("ready");
      return child;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

const attach = (child: ChildProcess): Child => {
  const seen: ChildEvent[] = [];
  const waiting: { event: string; resolve: (facts: ChildEvent) => void; reject: (error: Error) => void }[] = [];
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("The child did not start.");
  createInterface({ input: stdout }).on("line", (line) => {
    // Our own child writes these lines.
    const facts = JSON.parse(line) as ChildEvent;
    seen.push(facts);
    const index = waiting.findIndex((listener) => listener.event === facts.event);
    if (index >= 0) waiting.splice(index, 1)[0]?.resolve(facts);
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  void ended.then(() => {
    for (const { event, reject } of waiting) reject(new Error(`The child ended before it said ${event}.`));
  });
  return {
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
