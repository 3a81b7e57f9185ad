import { createHash } from "node:crypto";
import { AssayError } from "../lib/errors.ts";
import type { Queries } from "./database.ts";
import { isoMs } from "./period.ts";

/** A change by an operator. States are plain data without any secret; null = nothing existed before, or exists after. */
export interface AuditChange {
  /** `account.create`, `key.revoke`, … */
  readonly action: string;
  /** Id of the changed account, key, tool or plan. */
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Writes a change into the trail, in the transaction that makes the change, so that neither exists without the other. */
export type Recorder = (within: Queries, change: AuditChange) => Promise<void>;

export interface AuditEntry extends AuditChange {
  readonly seq: number;
  readonly at: string;
  /** Actor: the name of an operator's token, `command-line:<user>`, or a part of the program. */
  readonly actor: string;
}

type AuditRow = {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly state_before: string | null;
  readonly state_after: string | null;
  readonly digest: string;
};

const COLUMNS = "seq, at, actor, action, subject, state_before, state_after, digest";

const ADD_SQL = `insert into audit (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8)`;

const FIRST_SQL = "insert into audit_head (only_row, seq, digest) values (1, 0, '') on conflict do nothing";

// Locks the head until the transaction ends.
const NEXT_SQL = "update audit_head set seq = seq + 1 where only_row = 1 returning seq, digest";

/** Rows per read of the trail. */
const PAGE = 1_000;

/** Records as `actor`, after the change itself: the head of the trail is the last row that a transaction locks. */
export const recorderOf =
  (actor: string, now: () => number): Recorder =>
  async (within, { action, subject, before, after }) => {
    const states = [before, after].map((state) => (state === null ? null : JSON.stringify(state)));
    const [state_before = null, state_after = null] = states;
    // Nothing changed: the caller requested it twice, or repeated it after a lost connection.
    if (state_before === state_after) return;
    await within.run(FIRST_SQL);
    const head = await within.get<{ seq: number; digest: string }>(NEXT_SQL);
    if (head === null) throw new AssayError({ code: "AUDIT_MISSING", message: "The audit trail has no head." });
    const row = {
      seq: head.seq,
      at: now(),
      actor,
      action,
      subject,
      state_before,
      state_after,
    };
    const digest = digestOf(head.digest, row);
    await within.run(ADD_SQL, [...Object.values(row), digest]);
    await within.run("update audit_head set digest = $1 where only_row = 1", [digest]);
  };

export interface AuditQuery {
  readonly limit: number;
  /** Only entries before this one; null = starts at the newest. */
  readonly before_seq: number | null;
  /** Only changes of this account, its keys, its users and its cases; omitted: all changes. */
  readonly account_id?: string | undefined;
  /** Only changes of this subject; omitted: all changes. */
  readonly subject?: string | undefined;
  /** Only changes by this actor. */
  readonly actor?: string | undefined;
  /** Only this action, or those that begin with it and a point: `key` for `key.create` and `key.revoke`. */
  readonly action?: string | undefined;
}

/** Restrictions by the number of their parameter. */
const WHERE: Readonly<Record<"account_id" | "subject" | "actor" | "action", (at: string) => string>> = {
  account_id: (at) => `(subject = ${at} or subject in (select id from keys where account_id = ${at})
    or subject in (select id from users where account_id = ${at}) or subject in (select id from cases where account_id = ${at}))`,
  subject: (at) => `subject = ${at}`,
  actor: (at) => `actor = ${at}`,
  action: (at) => `(action = ${at} or substr(action, 1, length(${at}) + 1) = ${at} || '.')`,
};

/** Returns the newest entries first. */
export const listAudit = async (
  queries: Queries,
  { limit, before_seq, ...of }: AuditQuery,
): Promise<readonly AuditEntry[]> => {
  const names = (Object.keys(WHERE) as (keyof typeof WHERE)[]).filter((name) => of[name] !== undefined);
  const where = names.map((name, i) => `and ${WHERE[name](`cast($${i + 3} as text)`)}`).join(" ");
  const sql = `select ${COLUMNS} from audit where seq < $1 ${where} order by seq desc limit $2`;
  const values = names.map((name) => of[name] ?? "");
  const rows = await queries.all<AuditRow>(sql, [before_seq ?? Number.MAX_SAFE_INTEGER, limit, ...values]);
  return rows.map(({ seq, at, actor, action, subject, state_before, state_after }) => ({
    seq,
    at: isoMs(at),
    actor,
    action,
    subject,
    before: state_before === null ? null : JSON.parse(state_before),
    after: state_after === null ? null : JSON.parse(state_after),
  }));
};

/** Numbers of entries that differ from what was written, or that follow a missing one. */
export const brokenAudit = async (queries: Queries): Promise<readonly number[]> => {
  const broken: number[] = [];
  let seq = 0;
  let digest = "";
  for (;;) {
    const sql = `select ${COLUMNS} from audit where seq > $1 order by seq limit ${PAGE}`;
    const rows = await queries.all<AuditRow>(sql, [seq]);
    for (const row of rows) {
      if (row.seq !== seq + 1 || row.digest !== digestOf(digest, row)) broken.push(row.seq);
      ({ seq, digest } = row);
    }
    if (rows.length < PAGE) break;
  }
  const head = await queries.get<{ seq: number; digest: string }>("select seq, digest from audit_head");
  // The newest entries, or the head, were removed.
  if ((head?.seq ?? 0) !== seq || (head?.digest ?? "") !== digest) broken.push(head?.seq ?? 0);
  return broken;
};

const digestOf = (previous: string, row: Omit<AuditRow, "digest">): string => {
  const { seq, at, actor, action, subject, state_before, state_after } = row;
  const text = JSON.stringify([previous, seq, at, actor, action, subject, state_before, state_after]);
  return createHash("sha256").update(text).digest("hex");
};
