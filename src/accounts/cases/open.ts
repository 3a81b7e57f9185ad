/** Cases of accounts: results, notes and graphs that the people of an account share. */
import { type AuditEntry, listAudit, type Recorder, recorderOf } from "../audit.ts";
import type { Database, Queries, Scope } from "../database.ts";
import { refusal } from "../refusal.ts";
import { addPart, changePart, mustFitParts, type PartWrite, partState, type ReadPart, removePart } from "./parts.ts";
import { type CasePerson, peopleAmong } from "./people.ts";
import {
  type CaseHead,
  type CaseName,
  type CasePart,
  type CaseStatus,
  headIn,
  listHeads,
  type NewCasePart,
  partIn,
  partsIn,
} from "./rows.ts";
import { CASE_BYTES_MAX, type CaseTerms } from "./terms.ts";

/** A case with its parts, and the people who made and changed them. */
export interface WholeCase {
  readonly head: CaseHead;
  readonly parts: readonly CasePart[];
  readonly people: readonly CasePerson[];
}

interface CaseChanges {
  readonly entries: readonly AuditEntry[];
  readonly people: readonly CasePerson[];
}

export interface Cases {
  /** Newest change first. */
  list(account_id: string): Promise<readonly CaseHead[]>;
  /** `of`: `whole` with the answers. @throws AssayError UNKNOWN_CASE */
  show(name: CaseName, of: "heads" | "whole"): Promise<WholeCase>;
  /** One part with its answer. @throws AssayError UNKNOWN_CASE */
  part(name: CaseName, part: Pick<CasePart, "kind" | "id">): Promise<CasePart>;
  /** Its changes, newest first. @throws AssayError UNKNOWN_CASE */
  changes(name: CaseName, page: { limit: number; before_seq: number | null }): Promise<CaseChanges>;
  /** @throws AssayError CASE_LIMIT */
  create(wish: { account_id: string; title: string }): Promise<CaseHead>;
  /** Changes title and status. @throws AssayError UNKNOWN_CASE, CASE_CHANGED */
  change(wish: CaseName & { title: string; status: CaseStatus; version: number }): Promise<CaseHead>;
  /** Deletes the case and its parts. @throws AssayError UNKNOWN_CASE, CASE_CHANGED */
  remove(wish: CaseName & { version: number }): Promise<CaseHead>;
  /** Adds parts, all or none; parts that the case has stay as they are. @throws AssayError UNKNOWN_CASE, CASE_CLOSED, CASE_CHANGED, CASE_LIMIT, BAD_CASE */
  add(name: CaseName, parts: readonly NewCasePart[]): Promise<CaseHead>;
  /** Replaces a part. @throws AssayError UNKNOWN_CASE, CASE_CLOSED, CASE_CHANGED, CASE_LIMIT, BAD_CASE */
  changePart(name: CaseName, change: { part: NewCasePart; version: number }): Promise<CasePart>;
  /** Removes a part, and graphs that need it. @throws AssayError UNKNOWN_CASE, CASE_CLOSED, CASE_CHANGED */
  removePart(name: CaseName, read: ReadPart): Promise<CaseHead>;
}

export interface CasesSettings {
  readonly database: Database;
  readonly now: () => number;
  readonly newId: (kind: string) => string;
  readonly actor: string;
  readonly terms: CaseTerms;
}

const CREATE_SQL = `insert into cases
    (id, account_id, title, status, version, bytes, created_at, created_by, changed_at, changed_by, deleted_at)
  values ($1, $2, $3, 'open', 1, 0, $4, $5, $4, $5, null)`;
const CHANGE_SQL =
  "update cases set title = $2, status = $3, version = version + 1, changed_at = $4, changed_by = $5 where id = $1";
const REMOVE_SQL = "update cases set deleted_at = $2, changed_at = $2, changed_by = $3, bytes = 0 where id = $1";
const TOUCH_SQL = `update cases set changed_at = $2, changed_by = $3,
  bytes = (select coalesce(sum(p.bytes), 0) from case_parts p where p.case_id = cases.id) where id = $1`;
const HELD_SQL =
  "select count(*) as held, coalesce(sum(bytes), 0) as bytes from cases where account_id = $1 and deleted_at is null";
/** Finds the entry of a change in the audit trail, which its transaction has written. */
const RECORDED_SQL =
  "select seq from audit where subject = $1 and actor = $2 and action = $3 and at = $4 and state_after = $5";
const DELETED_SQL = "select id from cases where id = $1 and deleted_at is not null";
const GONE_SQL =
  "select 1 as gone where not exists (select id from case_parts where case_id = $1 and kind = $2 and id = $3)";

const lockOfCases = (account_id: string): string => `cases ${account_id}`;

/** Title and status, as the audit trail shows them. */
const stateOf = ({ title, status }: Pick<CaseHead, "title" | "status">) => ({ title, status });

/** @throws AssayError CASE_CLOSED */
const mustBeOpen = ({ id, status }: CaseHead): void => {
  if (status === "open") return;
  throw refusal("CASE_CLOSED", `Case '${id}' is closed. Open it again to change it.`);
};

class CaseStore implements Cases {
  readonly #settings: CasesSettings;

  constructor(settings: CasesSettings) {
    this.#settings = settings;
  }

  list(account_id: string): Promise<readonly CaseHead[]> {
    return listHeads(this.#settings.database, account_id);
  }

  show(name: CaseName, of: "heads" | "whole"): Promise<WholeCase> {
    return this.#settings.database.snapshot(async (within) => {
      const head = await headIn(within, name);
      const parts = await partsIn(within, name.case_id, of);
      const actors = new Set([head, ...parts].flatMap(({ created_by, changed_by }) => [created_by, changed_by]));
      return { head, parts, people: await peopleAmong(within, name.account_id, actors) };
    });
  }

  async part(name: CaseName, wanted: Pick<CasePart, "kind" | "id">): Promise<CasePart> {
    const { database } = this.#settings;
    await headIn(database, name);
    const part = await partIn(database, name.case_id, wanted);
    if (part === null) throw refusal("UNKNOWN_CASE", `Case '${name.case_id}' has no ${wanted.kind} '${wanted.id}'.`);
    return part;
  }

  async changes(name: CaseName, page: { limit: number; before_seq: number | null }): Promise<CaseChanges> {
    const { database } = this.#settings;
    await headIn(database, name);
    const entries = await listAudit(database, { ...page, subject: name.case_id });
    const people = await peopleAmong(database, name.account_id, new Set(entries.map(({ actor }) => actor)));
    return { entries, people };
  }

  async create({ account_id, title }: { account_id: string; title: string }): Promise<CaseHead> {
    const { database, newId, now, actor } = this.#settings;
    const [case_id, at] = [newId("case"), now()];
    const proof = { sql: "select id from cases where id = $1", values: [case_id] };
    return database.transaction({ lock: lockOfCases(account_id), proof }, async (within) => {
      await within.run(CREATE_SQL, [case_id, account_id, title, at, actor]);
      await this.#mustFitAccount(within, account_id);
      const head = await headIn(within, { account_id, case_id });
      await this.#recorder(at)(within, { action: "case.create", subject: case_id, before: null, after: stateOf(head) });
      return head;
    });
  }

  async change(wish: CaseName & { title: string; status: CaseStatus; version: number }): Promise<CaseHead> {
    const { actor, now } = this.#settings;
    const [at, after, action] = [now(), stateOf(wish), "case.change"];
    const proof = { sql: RECORDED_SQL, values: [wish.case_id, actor, action, at, JSON.stringify(after)] };
    return this.#settings.database.transaction({ lock: lockOfCases(wish.account_id), proof }, async (within) => {
      const before = await this.#mustBeRead(within, wish);
      if (JSON.stringify(stateOf(before)) === JSON.stringify(after)) return before;
      await within.run(CHANGE_SQL, [wish.case_id, wish.title, wish.status, at, actor]);
      await this.#recorder(at)(within, { action, subject: wish.case_id, before: stateOf(before), after });
      return headIn(within, wish);
    });
  }

  async remove(wish: CaseName & { version: number }): Promise<CaseHead> {
    const { actor, now, database } = this.#settings;
    const at = now();
    const proof = { sql: DELETED_SQL, values: [wish.case_id] };
    return database.transaction({ lock: lockOfCases(wish.account_id), proof }, async (within) => {
      const before = await this.#mustBeRead(within, wish);
      await within.run("delete from case_parts where case_id = $1", [wish.case_id]);
      await within.run(REMOVE_SQL, [wish.case_id, at, actor]);
      const change = { action: "case.remove", subject: wish.case_id, before: stateOf(before), after: null };
      await this.#recorder(at)(within, change);
      return before;
    });
  }

  async add(name: CaseName, parts: readonly NewCasePart[]): Promise<CaseHead> {
    const write = this.#write(name);
    // Parts that were added already change nothing, so the body may be repeated.
    return this.#changing(write, null, async (within) => {
      const added: NewCasePart[] = [];
      for (const part of parts) if (await addPart(within, write, part)) added.push(part);
      if (added.length === 0) return;
      await this.#touch(within, write);
      const after = { parts: added.map(partState) };
      await this.#recorder(write.at)(within, { action: "case.add", subject: name.case_id, before: null, after });
    });
  }

  async changePart(name: CaseName, { part, version }: { part: NewCasePart; version: number }): Promise<CasePart> {
    const write = this.#write(name);
    const { case_id, actor, at } = write;
    const [action, after] = ["case.change_part", { ...partState(part), version: version + 1 }];
    const proof = { sql: RECORDED_SQL, values: [case_id, actor, action, at, JSON.stringify(after)] };
    await this.#changing(write, proof, async (within) => {
      const before = await changePart(within, write, { part, version });
      const was = { ...partState(before), version };
      if (was.sha256 === after.sha256) return;
      await this.#touch(within, write);
      await this.#recorder(at)(within, { action, subject: case_id, before: was, after });
    });
    return this.part(name, part);
  }

  async removePart(name: CaseName, read: ReadPart): Promise<CaseHead> {
    const write = this.#write(name);
    const { case_id, at } = write;
    const proof = { sql: GONE_SQL, values: [case_id, read.kind, read.id] };
    return this.#changing(write, proof, async (within) => {
      const removed = await removePart(within, write, read);
      await this.#touch(within, write);
      const before = { parts: removed.map(partState) };
      await this.#recorder(at)(within, { action: "case.remove_part", subject: case_id, before, after: null });
    });
  }

  /** Runs a change of the parts of an open case. */
  #changing(write: PartWrite, proof: Scope["proof"], body: (within: Queries) => Promise<void>): Promise<CaseHead> {
    return this.#settings.database.transaction({ lock: lockOfCases(write.account_id), proof }, async (within) => {
      mustBeOpen(await headIn(within, write));
      await body(within);
      return headIn(within, write);
    });
  }

  /** Sums the parts of the case again. @throws AssayError CASE_LIMIT */
  async #touch(within: Queries, { account_id, case_id, at, actor }: PartWrite): Promise<void> {
    await within.run(TOUCH_SQL, [case_id, at, actor]);
    const head = await headIn(within, { account_id, case_id });
    mustFitParts(head);
    if (head.bytes > CASE_BYTES_MAX)
      throw refusal("CASE_LIMIT", `A case has at most ${CASE_BYTES_MAX} bytes. Begin another case.`);
    await this.#mustFitAccount(within, account_id);
  }

  /** @throws AssayError CASE_LIMIT */
  async #mustFitAccount(within: Queries, account_id: string): Promise<void> {
    const { cases_per_account, bytes_per_account } = this.#settings.terms;
    const { held, bytes } = (await within.get<{ held: number; bytes: number }>(HELD_SQL, [account_id])) ?? {
      ...{ held: 0, bytes: 0 },
    };
    if (held > cases_per_account)
      throw refusal(
        "CASE_LIMIT",
        `The account has ${cases_per_account} cases, and no more are allowed. Delete one first.`,
      );
    if (bytes > bytes_per_account)
      throw refusal("CASE_LIMIT", `The account's cases have at most ${bytes_per_account} bytes. Delete some first.`);
  }

  /** The case as its caller has read it. @throws AssayError UNKNOWN_CASE, CASE_CHANGED */
  async #mustBeRead(within: Queries, wish: CaseName & { version: number }): Promise<CaseHead> {
    const head = await headIn(within, wish);
    if (head.version === wish.version) return head;
    throw refusal("CASE_CHANGED", "The title or the status of the case was changed in the meantime. Read it again.");
  }

  #write(name: CaseName): PartWrite {
    const { actor, now } = this.#settings;
    return { account_id: name.account_id, case_id: name.case_id, actor, at: now() };
  }

  #recorder(at: number): Recorder {
    return recorderOf(this.#settings.actor, () => at);
  }
}

export const openCases = (settings: CasesSettings): Cases => new CaseStore(settings);
