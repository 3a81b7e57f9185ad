/** A service, commands beside it and kills, round after round, on one accounts file. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { deletedFiles, has_proc, IDLE_LOCKS, locksOn } from "../../src/accounts/testing/proc.ts";
import type { Child } from "../../src/accounts/testing/process.ts";
import { writeLocation } from "../../src/accounts/testing/temporary_accounts.ts";

/** Simultaneous charges of the service. */
const WORK = 8;
/** Every n-th round is killed in the middle of its command. */
const COMMAND_KILLED_EVERY = 5;

export interface RoundsSettings {
  /** Starts `src/accounts/testing/child.ts`, which is both the service and a command. */
  readonly start: (...args: readonly string[]) => Promise<Child>;
  /** Compiled command line, and how often it runs; it takes longer to start than all the rest of a round. */
  readonly command_line: { readonly path: string; readonly every: number };
  readonly rounds: number;
  /** No round begins after this time. */
  readonly seconds_max?: number;
  /** 0 to 1. */
  readonly draw: () => number;
  readonly tell?: (line: string) => void;
}

export interface RoundsReport {
  readonly rounds: number;
  /** Charges and settlements that were acknowledged. */
  readonly acknowledged: number;
  readonly service_kills: number;
  readonly command_kills: number;
  readonly command_lines: number;
  /** Acknowledged and not in the file, or in it with another state. */
  readonly lost: readonly string[];
  /** Files without a name among the service's descriptors. */
  readonly deleted: readonly string[];
  /** Locks of a process with the open file that the service did not hold. */
  readonly unlocked: readonly string[];
  /** Broken invariants, and processes that did not read each other. */
  readonly broken: readonly string[];
  /** From the answer to a revocation to the first rejection in the service, milliseconds. */
  readonly heard_ms: readonly number[];
}

type RoundState = {
  -readonly [K in keyof RoundsReport]: RoundsReport[K] extends readonly (infer T)[] ? T[] : RoundsReport[K];
};

interface RoundContext extends RoundsSettings {
  readonly folder: string;
  readonly place: string;
  readonly secret: string;
  readonly seen: RoundState;
  /** The newest state of each charge that was acknowledged since the last comparison, and before it. */
  readonly fresh: Map<string, string>;
  readonly all: Map<string, string>;
  /** Charges up to here were compared. */
  row_seen: number;
}

const run = promisify(execFile);

/** @returns the output of the command. @throws Error if it ended with another code than 0 */
const typed = async (ground: Pick<RoundContext, "folder" | "command_line">, ...words: readonly string[]) => {
  const env = { ...process.env, ASSAY_DATA_DIR: ground.folder };
  const { stdout } = await run(process.execPath, [ground.command_line.path, ...words, "--json"], {
    env,
    cwd: ground.folder,
  });
  // Commands print JSON.
  return JSON.parse(stdout) as Record<string, unknown>;
};

/** Runs all rounds on a file of their own. Each begins with the file that a kill has left. */
export const runRounds = async (settings: RoundsSettings): Promise<RoundsReport> => {
  const folder = mkdtempSync(join(tmpdir(), "assay-rounds-"));
  const seen: RoundState = {
    rounds: 0,
    acknowledged: 0,
    service_kills: 0,
    command_kills: 0,
    command_lines: 0,
    lost: [],
    deleted: [],
    unlocked: [],
    broken: [],
    heard_ms: [],
  };
  try {
    // Runs the command line, because an open file in this process would keep its log alive.
    const account = await typed({ ...settings, folder }, "account", "create", "Rounds", "--plan", "business");
    const key = await typed(
      { ...settings, folder },
      "key",
      "create",
      "--account",
      String(account.id),
      "--scope",
      "api:call",
    );
    const place = writeLocation({ engine: "sqlite", path: join(folder, "accounts.db") });
    const secret = String(key.secret);
    const ground: RoundContext = {
      ...settings,
      folder,
      place,
      secret,
      seen,
      fresh: new Map(),
      all: new Map(),
      row_seen: 0,
    };
    const until = performance.now() + 1_000 * (settings.seconds_max ?? Number.POSITIVE_INFINITY);
    for (let round = 1; round <= settings.rounds && performance.now() < until; round += 1) {
      await simulateRound(ground, round);
      seen.rounds = round;
      if (round % 50 === 0) settings.tell?.(`${round} rounds, ${JSON.stringify(countsOf(seen))}`);
    }
    const last = await settings.start(place, secret);
    await compare(ground, last, "after the last round");
    const whole: RoundContext = { ...ground, fresh: ground.all, all: new Map(), row_seen: 0 };
    await compare(whole, last, "at the end");
    await last.close();
    return seen;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The report in numbers. */
export const countsOf = (report: RoundsReport): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(report).map(([name, found]) => [name, typeof found === "number" ? found : found.length]),
  );

const simulateRound = async (ground: RoundContext, round: number): Promise<void> => {
  const { seen, place, secret } = ground;
  const service = await ground.start(place, secret);
  const look = (when: string) => checkFiles(ground, service, `round ${round}, ${when}`);
  await compare(ground, service, `round ${round}`);
  await sendOrder(service, "worked", `work ${WORK}`);
  look("after charges");
  judge(ground, await sendOrder(service, "verified", "verify"), `round ${round}, service`);
  look("after a verification");
  await runCommand(ground, service, round);
  look("after a command");
  // These went into an unlinked file if the command had taken itself for the last user.
  await sendOrder(service, "worked", `work ${WORK}`);
  service.say("storm");
  await sleep(5 + 40 * ground.draw());
  await service.kill();
  seen.service_kills += 1;
  remember(ground, service.seen);
};

/** One command beside the service: it revokes a key that the service watches, verifies, or creates something. */
const runCommand = async (ground: RoundContext, service: Child, round: number): Promise<void> => {
  const { seen, command_line, place, secret } = ground;
  const working = sendOrder(service, "worked", `work ${WORK}`);
  if (round % command_line.every === 0) {
    const verified = await typed(ground, "ledger", "verify");
    const { same, silent } = Object(verified.witnesses);
    judge(ground, { violations: verified.violations, same, silent }, `round ${round}, command line`);
    seen.command_lines += 1;
    await working;
    return;
  }
  const command = await ground.start(place, secret);
  if (round % COMMAND_KILLED_EVERY === 0) {
    command.say("storm");
    await sleep(20 * ground.draw());
    await command.kill();
    seen.command_kills += 1;
    remember(ground, command.seen);
    await working;
    return;
  }
  const { key_id } = await sendOrder(service, "key", "key");
  const refused = service.hear("refused");
  const revoked = await sendOrder(command, "revoked", `revoke ${String(key_id)}`);
  seen.heard_ms.push(Number((await refused).at) - Number(revoked.at));
  if (round % 2 === 0) judge(ground, await sendOrder(command, "verified", "verify"), `round ${round}, command`);
  else await sendOrder(command, "made", "account");
  await command.close();
  await working;
};

const sendOrder = (child: Child, event: string, order: string): ReturnType<Child["hear"]> => {
  const answer = child.hear(event);
  child.say(order);
  return answer;
};

const checkFiles = ({ seen, folder }: RoundContext, { pid }: Child, when: string): void => {
  if (!has_proc) return;
  for (const file of deletedFiles(pid)) seen.deleted.push(`${when}: ${file}`);
  for (const [suffix, wanted] of Object.entries(IDLE_LOCKS)) {
    const held = locksOn(join(folder, `accounts.db${suffix}`), pid);
    for (const lock of wanted) if (!held.includes(lock)) seen.unlocked.push(`${when}: ${suffix} ${lock}`);
  }
};

/**
 * Each other process must have answered, and one always exists: the service, or the command that was closed just now.
 */
const judge = ({ seen }: RoundContext, found: Readonly<Record<string, unknown>>, who: string): void => {
  const { violations, same, silent } = found;
  if (JSON.stringify([violations, silent]) !== "[[],[]]") seen.broken.push(`${who}: ${JSON.stringify(found)}`);
  if (who.includes("command") && !String(same).includes("instance-0")) seen.broken.push(`${who}: no process answered`);
};

/** Everything that a killed process had acknowledged must be in the file when the next service reads it. */
const compare = async (ground: RoundContext, service: Child, when: string): Promise<void> => {
  const found = new Map<string, string>();
  for (let is_more = true; is_more; ) {
    const { rows, last } = await sendOrder(service, "states", `states ${ground.row_seen}`);
    // Our own child writes these: the id and the state of a charge.
    const page = rows as [string, string][];
    for (const [id, state] of page) found.set(id, state);
    is_more = page.length > 0;
    if (is_more) ground.row_seen = Number(last);
  }
  for (const [id, told] of ground.fresh) {
    const state = found.get(id);
    const stands = told === "charged" ? state !== undefined : state === told;
    if (!stands) ground.seen.lost.push(`${when}: ${id} was ${told} and is ${state ?? "not there"}`);
    ground.all.set(id, told);
  }
  ground.fresh.clear();
};

const remember = ({ seen, fresh }: RoundContext, process_seen: Child["seen"]): void => {
  for (const { event, id } of process_seen)
    if (typeof id === "string") {
      fresh.set(id, event);
      seen.acknowledged += 1;
    }
};
