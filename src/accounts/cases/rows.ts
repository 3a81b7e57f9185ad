/** Rows of cases, and their parts as the store keeps them: JSON that it does not read. */
import type { Queries, SqlRow } from "../database.ts";
import { isoMs } from "../period.ts";
import { refusal } from "../refusal.ts";

export const CASE_STATUSES = ["open", "closed"] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

export const PART_KINDS = ["entry", "note", "graph"] as const;
export type PartKind = (typeof PART_KINDS)[number];

/** When something was made and last changed, and by which actor of the audit trail. */
interface CaseStamp {
  readonly version: number;
  readonly created_at: string;
  readonly created_by: string;
  readonly changed_at: string;
  readonly changed_by: string;
}

/** A case without its parts. */
export interface CaseHead extends CaseStamp {
  readonly id: string;
  readonly title: string;
  readonly status: CaseStatus;
  readonly entries: number;
  readonly notes: number;
  readonly graphs: number;
  readonly bytes: number;
}

/** A part as a caller gives it. */
export interface NewCasePart {
  readonly kind: PartKind;
  readonly id: string;
  /** JSON. */
  readonly body: string;
  /** JSON of the answer of an entry; null for other kinds. */
  readonly payload: string | null;
  /** Entries of the case without which the part means nothing. */
  readonly needs: readonly string[];
}

/** A part as it is stored. `payload` is null where it was not read. */
export interface CasePart extends NewCasePart, CaseStamp {
  readonly bytes: number;
}

/** A case of an account. */
export interface CaseName {
  readonly account_id: string;
  readonly case_id: string;
}

type StampRow = SqlRow & {
  readonly version: number;
  readonly bytes: number;
  readonly created_at: number;
  readonly created_by: string;
  readonly changed_at: number;
  readonly changed_by: string;
};

export type CaseRow = StampRow & {
  readonly id: string;
  readonly title: string;
  readonly status: CaseStatus;
  readonly entries: number;
  readonly notes: number;
  readonly graphs: number;
};

type PartRow = StampRow & {
  readonly kind: PartKind;
  readonly id: string;
  readonly needs: string;
  readonly body: string;
  readonly payload: string | null;
};

const STAMP = "version, bytes, created_at, created_by, changed_at, changed_by";
const countOf = (kind: PartKind, name: string): string =>
  `(select count(*) from case_parts p where p.case_id = cases.id and p.kind = '${kind}') as ${name}`;
const HEAD = `id, title, status, ${STAMP}, ${countOf("entry", "entries")}, ${countOf("note", "notes")}, ${countOf("graph", "graphs")}`;

const LIST_SQL = `select ${HEAD} from cases where account_id = $1 and deleted_at is null order by changed_at desc, id desc`;
const ONE_SQL = `select ${HEAD} from cases where account_id = $1 and id = $2 and deleted_at is null`;
const PARTS_SQL = `select kind, id, needs, body, ${STAMP}, null as payload from case_parts where case_id = $1 order by place`;
const WHOLE_SQL = `select kind, id, needs, body, ${STAMP}, payload from case_parts where case_id = $1 order by place`;
const PART_SQL = `select kind, id, needs, body, ${STAMP}, payload from case_parts where case_id = $1 and kind = $2 and id = $3`;

const stampOf = ({ version, bytes, created_at, created_by, changed_at, changed_by }: StampRow) => ({
  ...{ version, bytes, created_by, changed_by },
  ...{ created_at: isoMs(created_at), changed_at: isoMs(changed_at) },
});

const headOf = (row: CaseRow): CaseHead => {
  const { id, title, status, entries, notes, graphs } = row;
  return { ...{ id, title, status, entries, notes, graphs }, ...stampOf(row) };
};

const partOf = (row: PartRow): CasePart => {
  const { kind, id, body, payload } = row;
  // JSON that the store has written.
  return { ...{ kind, id, body, payload, needs: JSON.parse(row.needs) as string[] }, ...stampOf(row) };
};

export const listHeads = async (queries: Queries, account_id: string): Promise<readonly CaseHead[]> =>
  (await queries.all<CaseRow>(LIST_SQL, [account_id])).map(headOf);

/** @throws AssayError UNKNOWN_CASE, for a case of another account too: the answer must not show whether that case exists */
export const headIn = async (queries: Queries, { account_id, case_id }: CaseName): Promise<CaseHead> => {
  const row = await queries.get<CaseRow>(ONE_SQL, [account_id, case_id]);
  if (row === null) throw refusal("UNKNOWN_CASE", `Case '${case_id}' does not exist.`);
  return headOf(row);
};

/** Parts in their order. `of`: `whole` with the answers. */
export const partsIn = async (queries: Queries, case_id: string, of: "heads" | "whole"): Promise<readonly CasePart[]> =>
  (await queries.all<PartRow>(of === "whole" ? WHOLE_SQL : PARTS_SQL, [case_id])).map(partOf);

/** A part with its answer; null where the case has none of that id. */
export const partIn = async (
  queries: Queries,
  case_id: string,
  { kind, id }: Pick<CasePart, "kind" | "id">,
): Promise<CasePart | null> => {
  const row = await queries.get<PartRow>(PART_SQL, [case_id, kind, id]);
  return row === null ? null : partOf(row);
};
