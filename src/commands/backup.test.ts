import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { type AccountsStore, openAccounts } from "../accounts/open.ts";
import { callerOf, charged, openCustomer, request, settingsFor } from "../accounts/testing/store.ts";
import { loadSettings } from "../config/settings.ts";
import { hex } from "../lib/bytes.ts";
import { Secret } from "../lib/log.ts";
import { openFactsOnly } from "../wiring/stores.ts";
import { pathsBelow } from "./backup_manifest.ts";
import { type Command, type CommandIo, EXIT, parseArgs } from "./command.ts";
import { commandNamed } from "./index.ts";

const backup = commandNamed("backup");
const restore = commandNamed("restore");

const PEPPER = "the pepper of the backup's tests";
const ALICE = testAddress(0xa11ce);
const SEGMENT_BLOCKS = 10;
/** Between two calls or segments: they need not keep the machine busy to go on while a copy is made. */
const REST_MS = 25;

let facts: TestFacts;
let accounts: AccountsStore;
let folder: string;
let data_dir: string;
let secret: string;

/** Ten blocks, each with one transfer of 5 to Alice. */
const addSegment = (number: number): Promise<void> => {
  const from = number * SEGMENT_BLOCKS;
  const transfers = Array.from({ length: SEGMENT_BLOCKS }, (_, i) => ({
    network: "demo",
    block_number: from + i,
    tx_index: 0,
    position: 0,
    time: 1_700_000_000 + from + i,
    kind: "erc20" as const,
    token: testAddress(0x70),
    token_id: 0n,
    source: testAddress(0xb0b),
    destination: ALICE,
    amount: 5n,
    sender: testAddress(0xb0b),
  }));
  return facts.seed({ network: "demo", from, to: from + SEGMENT_BLOCKS - 1, first: 0 }, { transfers });
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-backup-"));
  data_dir = join(folder, "data");
  facts = await openTestFacts();
  await mkdir(data_dir);
  await symlink(facts.data_dir, join(data_dir, "facts"));
  const keys = { prefix: "svc_live_", pepper: new Secret(PEPPER) };
  const place = { engine: "sqlite", path: join(data_dir, "accounts.db") } as const;
  accounts = await openAccounts(settingsFor(place, { keys }));
  secret = (await openCustomer(accounts)).key.secret;
  await addSegment(0);
});
afterAll(async () => {
  await accounts.close();
  await facts.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

const ioFor = (place: string, out: string[], err: string[]): CommandIo => {
  const env = { ASSAY_DATA_DIR: place, ASSAY_KEYS__PEPPER: PEPPER };
  return {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    json: true,
    tty: false,
    env,
    checkout: join(import.meta.dirname, "../.."),
    settings: () => loadSettings({ config: null, cwd: folder, home: folder, env }),
    signal: new AbortController().signal,
  };
};

/** Runs one command on a data folder. */
const type = async (command: Command, argument: string, place: string) => {
  const out: string[] = [];
  const err: string[] = [];
  const code = await command.run(parseArgs(command, [argument]), ioFor(place, out, err));
  return { code, data: JSON.parse(out.join("")), err: err.join("") };
};

/** Repeats work until it is stopped. @returns the number of repetitions. */
const repeatWork = (work: (round: number) => Promise<void>) => {
  let is_over = false;
  const rounds = (async () => {
    let round = 0;
    for (; !is_over; round += 1) {
      await work(round);
      await sleep(REST_MS);
    }
    return round;
  })();
  return async () => {
    is_over = true;
    return rounds;
  };
};

describe("a backup of a running service", () => {
  test("restored into an empty folder answers the same questions, and its ledger verifies", async () => {
    const caller = await callerOf(accounts.meter, secret);
    // Callers and the indexer go on while it is made.
    const endCalls = repeatWork(async (round) => {
      const { charge_id } = charged(await accounts.meter.charge(request(caller, { tool: "resolve_ens" })));
      await accounts.meter.settle(charge_id, round % 2 === 0 ? "done" : "refunded", null);
    });
    const endSegments = repeatWork((round) => addSegment(round + 1));
    const to = join(folder, "running");
    const made = await type(backup, to, data_dir);
    expect(await endCalls()).toBeGreaterThan(0);
    expect(await endSegments()).toBeGreaterThan(0);
    expect(made.code).toBe(EXIT.ok);

    const place = join(folder, "restored");
    const back = await type(restore, to, place);
    expect(back).toMatchObject({
      code: EXIT.ok,
      data: { ok: true, differing: [], ledger: { ok: true, violations: [] }, missing_peppers: [] },
    });
    const copy = await openFactsOnly(ioFor(place, [], []).settings().settings, place);
    try {
      // As of the newest block of the copy, both stores say the same; 5 for each block since the first.
      const snapshot = await copy.facts.snapshot("demo", null);
      const wallet = hex(Buffer.from(ALICE).toString("hex"));
      const balances = await copy.facts.walletBalances(snapshot, wallet);
      expect(balances.map(({ amount }) => amount)).toEqual([BigInt((snapshot.block.number + 1) * 5)]);
      const same = await facts.facts.snapshot("demo", snapshot.block.number);
      expect(same.block).toEqual(snapshot.block);
      expect(snapshot.coverage).toMatchObject({ complete: true, gaps: [] });
      const question = `SELECT count(), sum(amount), groupBitXor(cityHash64(*)) FROM transfers
        WHERE block_number <= ${snapshot.block.number}`;
      expect(await copy.engine.query(question)).toEqual(await facts.query(question));
    } finally {
      await copy.close();
    }
  });

  test("holds no secret and is readable only by its owner", async () => {
    const to = join(folder, "secrets");
    await type(backup, to, data_dir);
    expect((await stat(to)).mode & 0o777).toBe(0o700);
    for (const path of await pathsBelow(to)) {
      const info = await stat(join(to, path));
      if (!info.isFile()) continue;
      expect(info.mode & 0o777, path).toBe(0o600);
      const bytes = await readFile(join(to, path));
      for (const text of [secret.slice(13), PEPPER]) expect(bytes.includes(text), path).toBe(false);
    }
    // The prefix that may be shown must be in there, or the search would prove nothing.
    expect((await readFile(join(to, "accounts.db"))).includes(secret.slice(0, 13))).toBe(true);
    expect(await readdir(join(facts.data_dir, "inserts"))).toEqual([]);
  });

  test("rejects an existing folder of that name and a data folder that is not empty", async () => {
    const to = join(folder, "once");
    await type(backup, to, data_dir);
    await expect(type(backup, to, data_dir)).rejects.toThrow("already exists");
    await expect(type(restore, to, data_dir)).rejects.toThrow("holds accounts.db already");
    // The log of accounts whose file was taken away: the engine would write it into the restored file.
    const left = join(folder, "left");
    await mkdir(left);
    await writeFile(join(left, "accounts.db-wal"), "");
    await expect(type(restore, to, left)).rejects.toThrow("holds accounts.db-wal already");
    expect(await readdir(left)).toEqual(["accounts.db-wal"]);
  });
});

describe("a backup that is not sound", () => {
  let to: string;
  const place = () => join(folder, "never");
  const refusedWith = async (words: string) => {
    await expect(type(restore, to, place())).rejects.toThrow(words);
    expect(existsSync(place())).toBe(false);
  };
  const changeManifest = async (change: (content: Record<string, object>) => object) => {
    const path = join(to, "manifest.json");
    const text = `${JSON.stringify(change(JSON.parse(await readFile(path, "utf8"))))}\n`;
    await writeFile(path, text);
    await writeFile(join(to, "manifest.sha256"), `${createHash("sha256").update(text).digest("hex")}  manifest.json\n`);
  };

  test("is refused with what is wrong: a changed, a missing and a foreign file, a changed manifest, a newer one", async () => {
    to = join(folder, "damaged");
    await type(backup, to, data_dir);
    const part = (await pathsBelow(to)).find((path) => path.endsWith("data.bin")) ?? "";
    const bytes = await readFile(join(to, part));
    const flipped = Buffer.from(bytes);
    flipped[0] = (flipped[0] ?? 0) ^ 1;
    await writeFile(join(to, part), flipped);
    await refusedWith(`${part} is damaged`);
    await rm(join(to, part));
    await refusedWith(`${part} is missing`);
    await writeFile(join(to, part), bytes);
    await writeFile(join(to, "facts", "more"), "");
    await refusedWith("facts/more is no part of the backup");
    await rm(join(to, "facts", "more"));

    const whole = await readFile(join(to, "manifest.json"));
    await appendFile(join(to, "manifest.json"), " ");
    await refusedWith("manifest.json is damaged");
    await writeFile(join(to, "manifest.json"), whole);
    await changeManifest((content) => ({ ...content, format: 2 }));
    await refusedWith("use a newer release");
    await writeFile(join(to, "manifest.json"), whole);
    await changeManifest((content) => ({ ...content, accounts: { ...content.accounts, schema: 9_999 } }));
    await refusedWith("written by a newer release (schema 9999)");
    await writeFile(join(to, "manifest.json"), whole);
    await changeManifest((content) => ({ ...content, files: [{ path: "../outside", bytes: 0, sha256: "" }] }));
    await refusedWith("outside of the backup");
    await rm(join(to, "manifest.json"));
    await refusedWith("is no complete backup");
  });
});
