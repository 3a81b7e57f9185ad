/** Reads an answer by paths such as `summary.total_usd`; a missing member is null. */
import { fieldsOf, isFields, type JsonObject } from "../api/answer.ts";

export const at = (value: unknown, path: string): unknown => {
  if (path.includes("+")) return sumAt(value, path.split("+"));
  let now: unknown = value;
  for (const part of path.split(".")) {
    if (!isFields(now)) return null;
    now = Object.hasOwn(now, part) ? now[part] : null;
  }
  return now ?? null;
};

/** `a+b`: figures that are one figure in parts. Where one of them is not known, the sum is not known. */
const sumAt = (value: unknown, paths: readonly string[]): number | null => {
  const parts = paths.map((path) => at(value, path));
  return parts.every((part) => typeof part === "number") ? parts.reduce((sum, part) => sum + part, 0) : null;
};

export const rowsAt = (body: JsonObject, path: string): readonly JsonObject[] => {
  const list = path === "" ? body : at(body, path);
  if (Array.isArray(list)) return list.filter(isFields);
  // An object of objects, such as cohorts by name, is read as rows that know their name.
  if (isFields(list))
    return Object.entries(list).map(([key, row]) => (isFields(row) ? { key, ...row } : { key, value: row }));
  return [];
};

export interface MissingField {
  readonly field: string;
  readonly reason: string;
}

/** Missing fields of an answer with their reasons. */
export const missingOf = (fields: JsonObject): readonly MissingField[] => {
  const list = fields.unavailable;
  if (!Array.isArray(list)) return [];
  return list.flatMap((one) => {
    const { field, reason } = fieldsOf(one);
    return typeof field === "string" && typeof reason === "string" ? [{ field, reason }] : [];
  });
};

const plainPath = (path: string): string => path.replaceAll("[]", "").replace(/^\./, "");

/**
 * Why a field is null, where the answer or the row itself says so.
 * @param path of the field in the answer, rows included: `data.pnl.realized_usd`
 */
export const reasonFor = (path: string, lists: readonly (readonly MissingField[])[]): string | null => {
  for (const list of lists)
    for (const { field, reason } of list) {
      const told = plainPath(field);
      if (path === told || path.endsWith(`.${told}`) || told.endsWith(`.${path}`) || path.startsWith(`${told}.`))
        return reason;
    }
  return null;
};

export const numberAt = (body: JsonObject, path: string): number | null => {
  const value = at(body, path);
  return typeof value === "number" ? value : null;
};

export const textsAt = (body: JsonObject, path: string): readonly string[] => {
  const list = at(body, path);
  return Array.isArray(list) ? list.map(String) : [];
};

/** Why a field of the answer is null; null where the answer does not say. */
export const reasonAt = (body: JsonObject, path: string): string | null => reasonFor(path, [missingOf(body)]);

export interface AnswerCoverage {
  readonly network: string;
  readonly block: number | null;
  readonly block_hash: string | null;
  readonly timestamp: string | null;
  /** Null where the answer names no coverage: it was read from the node at that block. */
  readonly complete: boolean | null;
  readonly gaps: number;
  readonly verified: string | null;
}

const coverageIn = (fields: JsonObject, network: string): AnswerCoverage => {
  const { as_of, coverage } = fields;
  const numberAt = (path: string) => {
    const value = at(as_of, path);
    return typeof value === "number" ? value : null;
  };
  const textAt = (of: unknown, path: string) => {
    const value = at(of, path);
    return typeof value === "string" ? value : null;
  };
  const complete = at(coverage, "complete");
  const gaps = at(coverage, "gaps");
  return {
    network,
    block: numberAt("block_number"),
    block_hash: textAt(as_of, "block_hash"),
    timestamp: textAt(as_of, "timestamp"),
    complete: typeof complete === "boolean" ? complete : null,
    gaps: Array.isArray(gaps) ? gaps.length : 0,
    verified: textAt(coverage, "verified"),
  };
};

/** As of which block an answer holds, for each network that it looked at. */
export const coveragesOf = (body: JsonObject): readonly AnswerCoverage[] => {
  const metadata = fieldsOf(body.metadata);
  const { networks, chain } = metadata;
  if (Array.isArray(networks))
    return networks.map((one) => coverageIn(fieldsOf(one), String(at(one, "network") ?? "")));
  return metadata.as_of == null ? [] : [coverageIn(metadata, String(chain ?? ""))];
};
