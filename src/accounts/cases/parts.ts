/** Writes parts of a case. Each function is part of a transaction that holds the lock of the account's cases. */
import { createHash } from "node:crypto";
import type { Queries } from "../database.ts";
import { refusal } from "../refusal.ts";
import { nameIn } from "./people.ts";
import { type CaseHead, type CaseName, type CasePart, type NewCasePart, partIn, partsIn } from "./rows.ts";

/** A part as its caller has read it. */
export interface ReadPart extends Pick<CasePart, "kind" | "id"> {
  readonly version: number;
}

/** The change under way. */
export interface PartWrite extends CaseName {
  readonly actor: string;
  readonly at: number;
}

const ADD_SQL = `insert into case_parts
    (case_id, kind, id, place, version, bytes, created_at, created_by, changed_at, changed_by, needs, body, payload)
  select $1, $2, $3, coalesce(max(place), 0) + 1, 1, cast($4 as bigint), cast($5 as bigint), $6, cast($5 as bigint), $6, $7, $8,
    cast($9 as text) from case_parts where case_id = $1`;
const CHANGE_SQL = `update case_parts set version = version + 1, bytes = $4, changed_at = $5, changed_by = $6, needs = $7, body = $8
  where case_id = $1 and kind = $2 and id = $3`;
const REMOVE_SQL = "delete from case_parts where case_id = $1 and kind = $2 and id = $3";

/** UTF-8 bytes that a part occupies. */
const bytesOf = ({ body, payload }: NewCasePart): number => Buffer.byteLength(body) + Buffer.byteLength(payload ?? "");

/** A part as the audit trail shows it: its text may be confidential, and stays out. */
export const partState = ({ kind, id, body, payload }: NewCasePart) => ({
  ...{ part: kind, id },
  sha256: createHash("sha256")
    .update(body)
    .update(payload ?? "")
    .digest("hex"),
});

const isSame = (a: NewCasePart, b: NewCasePart): boolean => a.body === b.body && a.payload === b.payload;

/** @throws AssayError BAD_CASE */
const mustHaveNeeds = async (within: Queries, case_id: string, { id, kind, needs }: NewCasePart): Promise<void> => {
  if (needs.length === 0) return;
  const parts = await partsIn(within, case_id, "heads");
  const entries = new Set(parts.flatMap((part) => (part.kind === "entry" ? [part.id] : [])));
  const missing = needs.find((need) => !entries.has(need));
  if (missing === undefined) return;
  throw refusal("BAD_CASE", `The ${kind} '${id}' names the result '${missing}', which the case does not have.`);
};

/**
 * Adds a part. Adding the same part again changes nothing.
 * @returns false if the case had it already. @throws AssayError CASE_CHANGED when another part has its id; BAD_CASE
 */
export const addPart = async (within: Queries, write: PartWrite, part: NewCasePart): Promise<boolean> => {
  const { case_id, actor, at } = write;
  const { kind, id, body, payload, needs } = part;
  const known = await partIn(within, case_id, part);
  if (known !== null && isSame(known, part)) return false;
  if (known !== null)
    throw refusal("CASE_CHANGED", `The case has another ${kind} '${id}' already. Read the case again.`);
  await mustHaveNeeds(within, case_id, part);
  await within.run(ADD_SQL, [case_id, kind, id, bytesOf(part), at, actor, JSON.stringify(needs), body, payload]);
  return true;
};

/** @throws AssayError CASE_CHANGED */
const mustBeRead = async (within: Queries, write: PartWrite, { kind, id, version }: ReadPart): Promise<CasePart> => {
  const known = await partIn(within, write.case_id, { kind, id });
  if (known === null)
    throw refusal("CASE_CHANGED", `The case has no ${kind} '${id}', or no longer. Read the case again.`);
  if (known.version === version) return known;
  const name = await nameIn(within, write.account_id, known.changed_by);
  throw refusal("CASE_CHANGED", `The ${kind} was changed by ${name} in the meantime. Read the case again.`);
};

/** Replaces the text of a part that its caller has read. @returns the part before. @throws AssayError CASE_CHANGED, BAD_CASE */
export const changePart = async (
  within: Queries,
  write: PartWrite,
  { part, version }: { readonly part: NewCasePart; readonly version: number },
): Promise<CasePart> => {
  const { kind, id, body, needs } = part;
  const before = await mustBeRead(within, write, { kind, id, version });
  if (isSame(before, part)) return before;
  await mustHaveNeeds(within, write.case_id, part);
  const text = [bytesOf(part), write.at, write.actor, JSON.stringify(needs), body];
  await within.run(CHANGE_SQL, [write.case_id, kind, id, ...text]);
  return before;
};

/** Removes a part that its caller has read, and the parts that need it. @returns the removed parts. @throws AssayError CASE_CHANGED */
export const removePart = async (within: Queries, write: PartWrite, read: ReadPart): Promise<readonly CasePart[]> => {
  const part = await mustBeRead(within, write, read);
  const others = read.kind === "entry" ? await partsIn(within, write.case_id, "heads") : [];
  const removed = [part, ...others.filter(({ needs }) => needs.includes(read.id))];
  for (const { kind, id } of removed) await within.run(REMOVE_SQL, [write.case_id, kind, id]);
  return removed;
};

/** Most parts of a kind in a case: the limits of a case file (src/case/format.ts). */
const PARTS_MAX = { entries: 500, notes: 1_000, graphs: 50 } as const;

/** @throws AssayError CASE_LIMIT */
export const mustFitParts = (head: CaseHead): void => {
  for (const name of ["entries", "notes", "graphs"] as const)
    if (head[name] > PARTS_MAX[name])
      throw refusal("CASE_LIMIT", `A case has at most ${PARTS_MAX[name]} ${name}. Begin another case.`);
};
