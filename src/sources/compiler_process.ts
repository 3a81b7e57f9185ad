import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The compiler's process: started on demand, ended after an idle period. */

const OUTPUT_CHARS_MAX = 32 * 1024 * 1024;
const TIME_MS_MAX = 20_000;
const IDLE_MS_MAX = 5_000;
/** Compilations after which a new process with fresh memory takes over. */
const COMPILATIONS_MAX = 64;
/** Pages of 64 KiB: 1 GiB for the compiler itself. */
const WASM_PAGES_MAX = 16_384;
const HEAP_MIB_MAX = 512;
const FLAGS = [
  `--wasm-max-mem-pages=${WASM_PAGES_MAX}`,
  `--max-old-space-size=${HEAP_MIB_MAX}`,
  // V8's optimizing compiler costs a third of the time of a dozen contracts, and does not pay off within half a minute of work.
  "--liftoff-only",
];

interface CompilerRun {
  readonly child: ChildProcess;
  done: number;
}

let running: CompilerRun | null = null;
let idle: NodeJS.Timeout | null = null;

const childFile = (): string => {
  const built = import.meta.url.endsWith(".ts")
    ? new URL("../../dist/src/sources/compile_child.js", import.meta.url)
    : new URL("compile_child.js", import.meta.url);
  const file = fileURLToPath(built);
  if (!existsSync(file)) throw new Error(`${file} is missing: run 'node scripts/build.mjs'`);
  return file;
};

const end = (): void => {
  running?.child.kill("SIGKILL");
  running = null;
};

const start = (): CompilerRun => {
  const child = fork(childFile(), [], { execArgv: FLAGS, env: {}, stdio: ["ignore", "ignore", "ignore", "ipc"] });
  const started: CompilerRun = { child, done: 0 };
  child.once("exit", () => {
    if (running === started) running = null;
  });
  child.on("error", () => end()); // the waiting caller sees the exit
  return started;
};

/** An idle compiler process and its channel do not keep this process alive. */
const rest = (): void => {
  running?.child.unref();
  running?.child.channel?.unref();
  idle = setTimeout(end, IDLE_MS_MAX).unref();
};

const wake = (): CompilerRun => {
  if (idle !== null) clearTimeout(idle);
  if (running !== null && running.done >= COMPILATIONS_MAX) end();
  running ??= start();
  running.child.ref();
  running.child.channel?.ref();
  return running;
};

/** The output for one input; null when the compiler crashed, or exceeded its time or size. One input at a time. */
export const runCompiler = (input: string): Promise<string | null> =>
  new Promise((done) => {
    const current = wake();
    const { child } = current;
    current.done += 1;
    const finish = (output: unknown): void => {
      clearTimeout(deadline);
      child.off("message", finish).off("exit", lose);
      const is_fit = typeof output === "string" && output.length <= OUTPUT_CHARS_MAX;
      rest();
      done(is_fit ? output : null);
    };
    const lose = (): void => finish(null);
    const deadline = setTimeout(end, TIME_MS_MAX);
    child.once("message", finish).once("exit", lose);
    child.send(input, (error) => {
      if (error !== null) end();
    });
  });
