/** Cost of a program: processor time and memory of its whole process tree, read from /proc (Linux). */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export interface Cost {
  readonly wall_s: number;
  /** User and system time of all processes, ended ones included. */
  readonly cpu_s: number;
  /** Highest sum of resident memory seen; shared pages count once per process. */
  readonly peak_rss_mb: number;
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the text that the program writes to stderr. */
  readonly onStderr?: (text: string) => void;
  /** Called at once; the cost until it settles is reported apart. */
  readonly begun?: () => Promise<void>;
}

interface ProcessSample {
  readonly parent: number;
  /** Clock ticks of the process itself. */
  own: number;
  /** Clock ticks of children that it has waited for. */
  reaped: number;
  is_alive: boolean;
}

const SAMPLE_MS = 50;
const END_MS = 10_000;
const TICKS_PER_S = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
const PAGE_BYTES = Number(execFileSync("getconf", ["PAGESIZE"], { encoding: "utf8" }));

/** Fields of /proc/<pid>/stat after the name (proc(5)); null if the process is gone. */
const statOf = (pid: number): readonly string[] | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
};

const field = (fields: readonly string[], number: number): number => Number(fields[number - 3] ?? 0);
const reapedBy = (pid: number): number => {
  const fields = statOf(pid);
  return fields === null ? 0 : field(fields, 16) + field(fields, 17);
};

/** Every process by its id, including ended ones that were not waited for yet. */
const processes = (): Map<number, readonly string[]> => {
  const found = new Map<number, readonly string[]>();
  for (const name of readdirSync("/proc")) {
    const fields = /^\d+$/.test(name) ? statOf(Number(name)) : null;
    if (fields !== null) found.set(Number(name), fields);
  }
  return found;
};

/** Clock ticks of a process, of all that it has waited for, and of its live descendants. */
const spentBelow = (pid: number, now: ReadonlyMap<number, readonly string[]>): number => {
  const fields = now.get(pid);
  const own = fields === undefined ? 0 : [14, 15, 16, 17].reduce((ticks, number) => ticks + field(fields, number), 0);
  const children = [...now].filter(([, of]) => field(of, 4) === pid);
  return children.reduce((ticks, [child]) => ticks + spentBelow(child, now), own);
};

/** Processor time of a process and of its live and ended children, microseconds. */
export const treeCpu = (root: number): number => {
  let ticks = 0;
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const fields = statOf(Number(name));
    const is_root = Number(name) === root;
    if (fields === null || (!is_root && field(fields, 4) !== root)) continue;
    ticks += field(fields, 14) + field(fields, 15);
    if (is_root) ticks += field(fields, 16) + field(fields, 17);
  }
  return (ticks / TICKS_PER_S) * 1e6;
};

/** Follows one process and everything it starts, also processes that outlive it. */
class ProcessTree {
  readonly #root: number;
  readonly #seen = new Map<number, ProcessSample>();
  readonly #reaped_before: number;
  /** This process's other children, as they were last seen: ticks reaped meanwhile may be theirs. */
  readonly #others = new Map<number, { ticks: number; is_there: boolean }>();
  peak_rss_bytes = 0;

  constructor(root: number) {
    this.#root = root;
    this.#reaped_before = reapedBy(process.pid);
    for (const [pid, fields] of processes()) {
      if (field(fields, 4) === process.pid && pid !== root) this.#others.set(pid, { ticks: 0, is_there: true });
    }
    this.sample();
  }

  get is_over(): boolean {
    return [...this.#seen.values()].every(({ is_alive }) => !is_alive);
  }

  get pids(): readonly number[] {
    return [...this.#seen].flatMap(([pid, { is_alive }]) => (is_alive ? [pid] : []));
  }

  sample(): void {
    const all = processes();
    for (const [pid, other] of this.#others) {
      other.is_there = other.is_there && all.has(pid);
      if (other.is_there) other.ticks = spentBelow(pid, all);
    }
    const now = new Map([...all].filter(([, fields]) => fields[0] !== "Z"));
    let rss_pages = 0;
    for (let grew = true; grew; ) {
      grew = false;
      for (const [pid, fields] of now) {
        const parent = field(fields, 4);
        if (this.#seen.has(pid) || (pid !== this.#root && !this.#seen.has(parent))) continue;
        this.#seen.set(pid, { parent, own: 0, reaped: 0, is_alive: true });
        grew = true;
      }
    }
    for (const [pid, seen] of this.#seen) {
      const fields = now.get(pid);
      seen.is_alive = seen.is_alive && fields !== undefined;
      if (!seen.is_alive || fields === undefined) continue;
      seen.own = field(fields, 14) + field(fields, 15);
      seen.reaped = field(fields, 16) + field(fields, 17);
      rss_pages += field(fields, 24);
    }
    this.peak_rss_bytes = Math.max(this.peak_rss_bytes, rss_pages * PAGE_BYTES);
  }

  cpuSeconds(): number {
    const sampled = this.#ticks(this.#root);
    // The ticks that this process has reaped are exact; a sample is up to its interval short.
    const gone = [...this.#others.values()].filter(({ is_there }) => !is_there);
    const theirs = gone.reduce((ticks, other) => ticks + other.ticks, 0);
    const reaped = reapedBy(process.pid) - this.#reaped_before - theirs;
    const exact = this.#seen.get(this.#root)?.is_alive === false ? reaped : 0;
    return Math.max(sampled, exact + this.#orphans()) / TICKS_PER_S;
  }

  #ticks(pid: number): number {
    const seen = this.#seen.get(pid);
    if (seen === undefined) return 0;
    const children = [...this.#seen].filter(([, { parent }]) => parent === pid);
    const sum = (alive: boolean): number =>
      children.reduce((ticks, [child, { is_alive }]) => ticks + (is_alive === alive ? this.#ticks(child) : 0), 0);
    return seen.own + Math.max(seen.reaped, sum(false)) + sum(true);
  }

  /** Children of the root that no process of the tree has waited for: they outlived it. */
  #orphans(): number {
    const root = this.#seen.get(this.#root);
    const children = [...this.#seen].filter(([, { parent }]) => parent === this.#root);
    const all = children.reduce((ticks, [child]) => ticks + this.#ticks(child), 0);
    return Math.max(0, all - (root?.reaped ?? 0));
  }
}

export interface MeasuredProcess {
  readonly cost: Cost;
  /** Until `begun` settled; null if it did not, or was not given. */
  readonly start: Cost | null;
  readonly stdout: string;
}

/** For a program that does not end by itself: the event to wait for, and unmeasured work after it. */
export interface MeasuredWork {
  readonly until: () => Promise<void>;
  readonly check?: () => Promise<void>;
}

/**
 * Runs a program and measures it: until it ends with code 0, or until `work` is done, after which it is stopped. This
 * process must start no other process meanwhile.
 * @throws Error with the end of the program's stderr if it fails
 */
export const measure = async (program: Program, work?: MeasuredWork): Promise<MeasuredProcess> => {
  const { command, args, cwd, env, onStderr } = program;
  const begun = performance.now();
  const first = program.begun?.();
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const out = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    out.stdout += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    out.stderr = `${out.stderr}${chunk}`.slice(-4_000);
    onStderr?.(chunk.toString("utf8"));
  });
  if (child.pid === undefined) throw new Error(`${command} does not start`);
  const tree = new ProcessTree(child.pid);
  const told: { start: Cost | null } = { start: null };
  const costNow = (): Cost => {
    tree.sample();
    const wall_s = (performance.now() - begun) / 1000;
    return { wall_s, cpu_s: tree.cpuSeconds(), peak_rss_mb: tree.peak_rss_bytes / 1e6 };
  };
  void first?.then(() => {
    told.start = costNow();
  });
  const sampling = setInterval(() => tree.sample(), SAMPLE_MS);
  const ended: Promise<unknown[]> = once(child, "exit");
  const failed = ended.then(([code]) => {
    throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${out.stdout.slice(-2_000)}${out.stderr}`);
  });
  try {
    const code = work === undefined ? (await ended)[0] : await Promise.race([work.until().then(() => 0), failed]);
    const wall_s = (performance.now() - begun) / 1000;
    if (code !== 0) await failed;
    failed.catch(() => undefined);
    if (work === undefined) await over(tree);
    const cost = { ...costNow(), wall_s };
    await work?.check?.();
    return { cost, start: told.start, stdout: out.stdout };
  } finally {
    clearInterval(sampling);
    if (child.exitCode === null) child.kill("SIGTERM");
    await over(tree);
    tree.sample();
    for (const pid of tree.pids) process.kill(pid, "SIGKILL");
  }
};

const over = async (tree: ProcessTree): Promise<void> => {
  const deadline = performance.now() + END_MS;
  for (tree.sample(); !tree.is_over && performance.now() < deadline; tree.sample()) await sleep(20);
};
