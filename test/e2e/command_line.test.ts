import { type ChildProcess, execFile, spawn } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deletedFiles, has_proc, IDLE_LOCKS, locksOn } from "../../src/accounts/testing/proc.ts";
import { eachNth, is_long, sized } from "../long.ts";

const CLI = join(import.meta.dirname, "../../dist/bundle/cli.js");
const run = promisify(execFile);
/** Each check walks through thousands of files. */
const LOOK_MS = sized({ slice: 500, long: 50 });

interface RunningCommand {
  readonly child: ChildProcess;
  readonly output: () => string;
}

let folder: string;
let config: string;
let up: RunningCommand;
/** Paths that users other than the owner could enter, read or write at any moment while a demo started. */
const seen_open = new Set<string>();

const start = (args: readonly string[]): RunningCommand => {
  // From a shell whose umask lets all users read and write new files.
  const line = ["-c", 'umask 000; exec "$0" "$@"', process.execPath, CLI, ...args, "--config", config];
  const child = spawn("sh", line, { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { child, output: () => text };
};

/** Waits for the line that ends a successful start. */
const isUp = async ({ child, output }: RunningCommand): Promise<void> => {
  const until = Date.now() + 400_000;
  while (!output().includes("curl -s ")) {
    if (Date.now() > until || child.exitCode !== null) throw new Error(`the demo did not come up:\n${output()}`);
    for (const path of openPaths(join(folder, "data"))) seen_open.add(path);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
};

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode);
    child.once("exit", (code) => resolve(code));
  });

/** Runs one command to its end. */
const assay = async (...args: readonly string[]): Promise<{ code: number; out: string; err: string }> => {
  try {
    const { stdout, stderr } = await run(process.execPath, [CLI, ...args, "--config", config]);
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    // execFile rejects with an Error that carries exit code and both outputs.
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
};

const readDemoKey = (): string => readFileSync(join(folder, "data", "demo.key"), "utf8").trim();

const processesNaming = (text: string): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, "utf8")];
      } catch {
        return []; // it ended while we looked
      }
    })
    .filter((line) => line.includes(text));

/** Paths below a folder, itself included. Files may appear and disappear meanwhile. A link has no permissions of its own. */
const openPaths = (path: string): string[] => {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined || info.isSymbolicLink()) return [];
  const own = (info.mode & 0o077) === 0 ? [] : [`${(info.mode & 0o777).toString(8)} ${path}`];
  if (!info.isDirectory()) return own;
  try {
    return [...own, ...readdirSync(path).flatMap((name) => openPaths(join(path, name)))];
  } catch {
    return own; // the folder has gone since
  }
};

/** Stat of a file or folder; null where it has disappeared: parts of tables come and go meanwhile. */
const unlessGone = <T>(look: () => T): T | null => {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
};

/** Every file below a folder that contains this text. */
const filesHolding = (path: string, text: string): string[] =>
  (unlessGone(() => readdirSync(path, { withFileTypes: true })) ?? []).flatMap((entry) => {
    const at = join(path, entry.name);
    if (entry.isDirectory()) return filesHolding(at, text);
    return entry.isFile() && unlessGone(() => readFileSync(at).includes(text)) === true ? [at] : [];
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-cli-"));
  config = join(folder, "assay.config.json");
  await writeFile(config, JSON.stringify({ listen: "127.0.0.1:0", data_dir: "data", log_level: "debug" }));
  up = start(["up"]);
  await isUp(up);
});

afterAll(async () => {
  up.child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

describe("a running demo", () => {
  test("prints how many tools are ready, and all of them are", () => {
    const [, ready, all] = /(\d+) of (\d+) tools ready/.exec(up.output()) ?? [];
    expect(ready).toBe(all);
    expect(Number(all)).toBeGreaterThan(0);
  });

  test("prints a curl that answers when pasted", async () => {
    const curl = /curl -s [\s\S]*?\n {2}-d '[^']*'/.exec(up.output())?.[0] ?? "";
    const { stdout } = await run("sh", ["-c", curl]);
    expect(JSON.parse(stdout)).toMatchObject({
      type: "portfolio_breakdown",
      metadata: { chain: "all", networks: [{ network: "demo" }] },
    });
  });

  test("can be called, listed and watched from another process", async () => {
    const called = await assay("call", "resolve_token_symbol", "symbol=USDC", "network=demo");
    expect(called.code).toBe(0);
    expect(JSON.parse(called.out)).toMatchObject({ type: "token_symbol_resolution" });
    expect(called.err).toMatch(/^1 credit charged, \d+ left/);
    const listed = await assay("tools");
    expect(JSON.parse(listed.out).tools.length).toBeGreaterThan(0);
    const status = await assay("status");
    expect(JSON.parse(status.out)).toMatchObject({
      status: "ready",
      checks: { networks: { demo: { lag_blocks: 0 } } },
    });
  });

  test("reports outcomes by exit codes: 3 no data, 2 wrong arguments, 4 wrong key", async () => {
    const nobody = "wallet_address=0x00000000000000000000000000000000DeaDBeef";
    expect((await assay("call", "get_wallet_token_holdings", nobody, "network=demo")).code).toBe(3);
    expect((await assay("call", "get_wallet_token_holdings", "wallet=x", "network=demo")).code).toBe(2);
    expect((await assay("call", "resolve_ens", "ens_name=alice.eth", "--key", "svc_live_wrong")).code).toBe(4);
  });

  test("lets an operator make accounts and keys while it runs, and applies a revocation", async () => {
    const account = JSON.parse((await assay("account", "create", "acme", "--plan", "pro", "--json")).out);
    expect(account).toMatchObject({ name: "acme", plan: "pro" });
    const key = JSON.parse(
      (await assay("key", "create", "--account", account.id, "--scope", "api:call", "--json")).out,
    );
    expect(key.secret).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
    const ask = () => assay("call", "resolve_ens", "ens_name=alice.eth", "--key", key.secret);
    expect((await ask()).code).toBe(0);
    expect((await assay("key", "revoke", key.id)).code).toBe(0);
    await expect.poll(async () => (await ask()).code, { timeout: 5_000 }).toBe(4);
    const verified = await assay("ledger", "verify");
    expect(verified.code).toBe(0);
    expect(JSON.parse(verified.out)).toMatchObject({ ok: true, witnesses: { same: ["instance-0"], silent: [] } });
    expect(filesHolding(folder, key.secret)).toEqual([]);
    expect(up.output()).not.toContain(key.secret);
  });
});

describe("beside the demo", () => {
  test("no command removes the service's locks or its log, and both read what the other writes", async () => {
    const file = join(folder, "data", "accounts.db");
    // Neither of this process's checks of the file may open it.
    const held = () => ({
      "": locksOn(file, up.child.pid),
      "-shm": locksOn(`${file}-shm`, up.child.pid),
      deleted: deletedFiles(up.child.pid).filter((path) => path.includes(folder)),
    });
    const commands = [
      ["account", "list"],
      ["audit"],
      ["backup", join(folder, "copy")],
      ["prices", "list"],
      ["ledger", "verify"],
    ];
    for (const words of eachNth(commands, 2)) {
      expect([words, (await assay(...words)).code]).toEqual([words, 0]);
      if (has_proc) expect([words, held()]).toEqual([words, { ...IDLE_LOCKS, deleted: [] }]);
    }
  });

  test("nothing in the data folder, or in a backup, was ever open to other users", () => {
    expect([...seen_open]).toEqual([]);
    expect(openPaths(join(folder, "data"))).toEqual([]);
    expect(openPaths(join(folder, "copy"))).toEqual([]);
    expect(filesHolding(join(folder, "data"), "").length).toBeGreaterThan(20);
  });
});

describe("wrong use", () => {
  test("names an unknown command, option or setting", async () => {
    expect(await assay("indx")).toMatchObject({ code: 2 });
    expect((await assay("status", "--colour", "red")).err).toContain("--colour");
    const bad = join(folder, "bad.json");
    await writeFile(bad, JSON.stringify({ lisen: "127.0.0.1:0" }));
    const refused = await run(process.execPath, [CLI, "config", "check", "--config", bad]).catch((error) => error);
    expect(refused.stderr).toContain("did you mean 'listen'?");
  });
});

describe("watching in the demo", () => {
  test.skipIf(!is_long)("is on, and shows the payment of every minute without a webhook", async () => {
    const [, url = ""] = /curl -s (http:\/\/[^/\s]+)/.exec(up.output()) ?? [];
    const ask = async (path: string) => {
      const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${readDemoKey()}` } });
      return JSON.parse(await answer.text());
    };
    expect((await ask("/api/watch/rules")).rules).toMatchObject([{ network: "demo", state: "active", url: null }]);
    const payments = async () => (await ask("/api/watch/history")).events;
    // The account does nothing: the second event comes with the next minute.
    await expect.poll(async () => (await payments()).length, { timeout: 300_000, interval: 2_000 }).toBeGreaterThan(1);
    for (const { event, delivery } of await payments())
      expect([event.type, event.direction, delivery]).toEqual(["movement", "out", null]);
  });
});

describe("stopping", () => {
  test("ends all started processes on Ctrl-C", async () => {
    up.child.kill("SIGINT");
    expect(await ended(up.child)).toBe(0);
    await expect.poll(() => processesNaming(folder), { timeout: 10_000 }).toEqual([]);
    const nodes = [...up.output().matchAll(/chain\s+(http:\/\/127\.0\.0\.1:\d+).*\((.*)\)/g)];
    expect(nodes.map(([, , network]) => network)).toEqual(["demo", "demo-solana", "demo-tron"]);
    for (const [, node] of nodes) await expect(fetch(String(node))).rejects.toThrow();
  });

  test.skipIf(!is_long)("finds the same facts and key at a second start", async () => {
    const key = readDemoKey();
    up = start(["up"]);
    await isUp(up);
    expect(readDemoKey()).toBe(key);
    expect(up.output()).toContain(key);
  });

  test("leaves the demo's key in its own file and on the screen, nowhere else", () => {
    const key = readDemoKey();
    expect(filesHolding(folder, key)).toEqual([join(folder, "data", "demo.key")]);
    expect(statSync(join(folder, "data", "demo.key")).mode & 0o777).toBe(0o600);
  });
});
