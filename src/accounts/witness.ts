import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Instance } from "./database.ts";

/** A process answers within its listening interval; a process in a long statement takes much longer. */
const ANSWER_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 25;
/** Age at which a later question deletes the rows of a process that was killed while it waited. */
const FORGET_AFTER_MS = 60_000;

/** Results for the other processes that hold a name in this store. */
export interface Witnesses {
  /** They read this process's writes, and this process reads theirs. */
  readonly same: readonly string[];
  /** They are alive and did not answer: stopped, very busy, of an older release, or on another file or database. */
  readonly silent: readonly string[];
}

export interface Witness {
  /** Answers other processes' questions. */
  answer(): Promise<void>;
  /** Questions all other live processes. Returns as soon as each has answered. */
  ask(): Promise<Witnesses>;
}

export interface WitnessDependencies {
  readonly database: Database;
  readonly instance: Instance;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Maximum wait for an answer; 10 s by default. */
  readonly answer_within_ms?: number;
}

const ASK_SQL = "insert into witness (nonce, instance, is_question, created_at) values ($1, $2, 1, $3)";

/** Writes an answer once; a retry after a lost connection finds it written. */
const ANSWER_SQL = `insert into witness (nonce, instance, is_question, created_at) values ($1, $2, 0, $3)
  on conflict do nothing`;

const OPEN_SQL = `select q.nonce from witness q where q.is_question = 1 and q.instance <> $1
  and not exists (select 1 from witness a where a.nonce = q.nonce and a.instance = $1) order by q.nonce limit 100`;

const ANSWERED_SQL = "select instance from witness where nonce = $1 and is_question = 0 order by instance";

// Deletes a question with its answers, also with one that came after it was deleted.
const FORGET_SQL = `delete from witness where nonce = $1
  or nonce not in (select nonce from witness where is_question = 1 and created_at >= $2)`;

/**
 * Equal names and even equal inodes prove nothing: a process whose log was removed keeps using a file without a name, and one
 * with another configuration has another database. So each process must read what the other wrote.
 */
export const openWitness = ({
  database,
  instance,
  now,
  answer_within_ms = ANSWER_WITHIN_MS,
}: WitnessDependencies): Witness => ({
  async answer() {
    const questions = await database.all<{ nonce: string }>(OPEN_SQL, [instance.name]);
    for (const { nonce } of questions) await database.run(ANSWER_SQL, [nonce, instance.name, now()]);
  },
  async ask() {
    const nonce = randomBytes(16).toString("hex");
    await database.run(ASK_SQL, [nonce, instance.name, now()]);
    try {
      return await listen({ database, instance, nonce, until: performance.now() + answer_within_ms });
    } finally {
      await database.run(FORGET_SQL, [nonce, now() - FORGET_AFTER_MS]);
    }
  },
});

const listen = async (question: {
  readonly database: Database;
  readonly instance: Instance;
  readonly nonce: string;
  readonly until: number;
}): Promise<Witnesses> => {
  const { database, instance, nonce, until } = question;
  for (;;) {
    // A process that has ended since the last check need not answer.
    const others = await instance.others();
    const rows = await database.all<{ instance: string }>(ANSWERED_SQL, [nonce]);
    const same = rows.map((row) => row.instance);
    const silent = others.filter((name) => !same.includes(name));
    if (silent.length === 0 || performance.now() > until) return { same, silent };
    await sleep(LOOK_EVERY_MS);
  }
};
