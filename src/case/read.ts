/** Reads an untrusted case file: checks every member before use. Nothing in it is executed. */
import { JsonFault, readJson } from "../lib/json_bounds.ts";
import { isRecord } from "../lib/record.ts";
import {
  type AsOf,
  CASE_FORMAT,
  CASE_LIMITS,
  CASE_VERSION,
  type CaseFile,
  type CaseResult,
  type GraphExpansion,
  type GraphGroup,
  type JsonMembers,
  NO_MARKS,
  type Note,
  type SavedFilter,
  type SavedGraph,
} from "./format.ts";

export type ReadCase =
  | { readonly kind: "read"; readonly file: CaseFile }
  /** `reason` is a sentence for the user who opened the file. */
  | { readonly kind: "refused"; readonly reason: string };

/** An error and its location; never leaves this module. */
class CaseFault extends Error {}

/** @param text of the file; check its size before reading it (`CASE_LIMITS.file_bytes`). */
export const readCase = (text: string): ReadCase => {
  try {
    return { kind: "read", file: caseOf(parsed(text)) };
  } catch (error) {
    if (error instanceof CaseFault) return { kind: "refused", reason: error.message };
    throw error;
  }
};

const parsed = (text: string): unknown => {
  const { file_bytes: length_max, depth: levels_max, values: values_max } = CASE_LIMITS;
  if (text.length > length_max) throw new CaseFault(`it is larger than ${length_max / 1024 / 1024} MB`);
  let value: unknown;
  try {
    value = readJson(text, { length_max, levels_max, values_max });
  } catch (error) {
    throw error instanceof JsonFault ? new CaseFault(error.message) : error;
  }
  refusePrototypes(value);
  return value;
};

/** Rejects a member that could reach an object's prototype. */
const refusePrototypes = (root: unknown): void => {
  let level: readonly unknown[] = [root];
  while (level.length > 0) {
    const next: unknown[] = [];
    for (const value of level) {
      if (value === null || typeof value !== "object") continue;
      if (Object.hasOwn(value, "__proto__"))
        throw new CaseFault("it has a member '__proto__', which answers never have");
      for (const member of Object.values(value)) next.push(member);
    }
    level = next;
  }
};

const caseOf = (value: unknown): CaseFile => {
  const file = members(value, "the file");
  if (file.format !== CASE_FORMAT) throw new CaseFault(`it is not a case file: 'format' is not '${CASE_FORMAT}'`);
  if (file.version !== CASE_VERSION)
    throw new CaseFault(`its version is not ${CASE_VERSION}: a newer release of Assay may read it`);
  const entries = list(file.entries, "entries", CASE_LIMITS.entries).map(entry);
  const ids = new Set(entries.map(({ id: one }) => one));
  if (ids.size < entries.length) throw new CaseFault("'entries' has two entries with one id");
  const graphs = list(file.graphs, "graphs", CASE_LIMITS.graphs).map(graph);
  const stray = graphs.flatMap(({ expansions }) => expansions).find((one) => !ids.has(one.entry));
  if (stray !== undefined) throw new CaseFault(`'graphs' names an entry that does not exist: ${stray.entry}`);
  return {
    format: CASE_FORMAT,
    version: CASE_VERSION,
    title: text(file.title, "title", CASE_LIMITS.title_length),
    created_at: time(file.created_at, "created_at"),
    notes: list(file.notes, "notes", CASE_LIMITS.notes).map(note),
    entries,
    graphs,
  };
};

const note = (value: unknown, i: number): Note => {
  const at = `notes[${i}]`;
  const read = members(value, at);
  return {
    id: id(read.id, `${at}.id`),
    at: time(read.at, `${at}.at`),
    text: text(read.text, `${at}.text`, CASE_LIMITS.note_length),
    // Files of releases before notes about results lack the member.
    entry: orNull(read.entry ?? null, (one) => id(one, `${at}.entry`)),
  };
};

const entry = (value: unknown, i: number): CaseResult => {
  const at = `entries[${i}]`;
  const read = members(value, at);
  const tool = text(read.tool, `${at}.tool`, 64);
  if (!/^[a-z][a-z0-9_]*$/.test(tool)) throw new CaseFault(`'${at}.tool' is not a tool name`);
  const hash = text(read.answer_sha256, `${at}.answer_sha256`, 64);
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new CaseFault(`'${at}.answer_sha256' is not 64 hex digits`);
  return {
    id: id(read.id, `${at}.id`),
    tool,
    arguments: members(read.arguments, `${at}.arguments`),
    network: orNull(read.network, (word) => text(word, `${at}.network`, 64)),
    as_of: list(read.as_of, `${at}.as_of`, 100).map((block, n) => asOf(block, `${at}.as_of[${n}]`)),
    request_id: orNull(read.request_id, (word) => text(word, `${at}.request_id`, 100)),
    credits: orNull(read.credits, (number) => natural(number, `${at}.credits`)),
    asked_at: time(read.asked_at, `${at}.asked_at`),
    catalog_version: orNull(read.catalog_version, (word) => text(word, `${at}.catalog_version`, 100)),
    answer: members(read.answer, `${at}.answer`),
    answer_sha256: hash,
  };
};

const asOf = (value: unknown, at: string): AsOf => {
  const read = members(value, at);
  return {
    network: text(read.network, `${at}.network`, 64),
    block_number: natural(read.block_number, `${at}.block_number`),
    block_hash: text(read.block_hash, `${at}.block_hash`, 128),
    timestamp: time(read.timestamp, `${at}.timestamp`),
  };
};

const graph = (value: unknown, i: number): SavedGraph => {
  const at = `graphs[${i}]`;
  const read = members(value, at);
  return {
    id: id(read.id, `${at}.id`),
    title: text(read.title, `${at}.title`, CASE_LIMITS.title_length),
    saved_at: time(read.saved_at, `${at}.saved_at`),
    network: text(read.network, `${at}.network`, 64),
    start: text(read.start, `${at}.start`, 128),
    expansions: list(read.expansions, `${at}.expansions`, CASE_LIMITS.expansions).map((one, n) =>
      expansion(one, `${at}.expansions[${n}]`),
    ),
    pinned: list(read.pinned, `${at}.pinned`, CASE_LIMITS.places).map((node) => text(node, `${at}.pinned`, 200)),
    places: list(read.places, `${at}.places`, CASE_LIMITS.places).map((place) => nodePositionOf(place, `${at}.places`)),
    ...ownMarks(read, at),
  };
};

/** The user's marks in a graph. Files of releases before them lack these members. */
const ownMarks = (read: JsonMembers, at: string): Pick<SavedGraph, keyof typeof NO_MARKS> => {
  const { labels, remarks, hidden, groups, filter } = { ...NO_MARKS, ...read };
  return {
    labels: list(labels, `${at}.labels`, CASE_LIMITS.places).map((one) =>
      nodeTextOf(one, `${at}.labels`, CASE_LIMITS.label_length),
    ),
    remarks: list(remarks, `${at}.remarks`, CASE_LIMITS.places).map((one) =>
      nodeTextOf(one, `${at}.remarks`, CASE_LIMITS.remark_length),
    ),
    hidden: list(hidden, `${at}.hidden`, CASE_LIMITS.places).map((node) => text(node, `${at}.hidden`, 200)),
    groups: list(groups, `${at}.groups`, CASE_LIMITS.groups).map((one, n) => groupOf(one, `${at}.groups[${n}]`)),
    filter: filterOf(filter, `${at}.filter`),
  };
};

const nodeTextOf = (value: unknown, at: string, most: number): readonly [string, string] => {
  const [node, words, ...rest] = list(value, at, 2);
  if (rest.length > 0) throw new CaseFault(`'${at}' has an item that is not a node with a text`);
  return [text(node, at, 200), text(words, at, most)];
};

const filterOf = (value: unknown, at: string): SavedFilter => {
  const read = members(value, at);
  if (typeof read.min_usd !== "number") throw new CaseFault(`'${at}.min_usd' is not a number`);
  return {
    text: text(read.text, `${at}.text`, CASE_LIMITS.label_length),
    min_usd: read.min_usd,
    kinds: list(read.kinds, `${at}.kinds`, 100).map((kind) => text(kind, `${at}.kinds`, 64)),
    from: orNull(read.from ?? null, (day) => text(day, `${at}.from`, 10)),
    to: orNull(read.to ?? null, (day) => text(day, `${at}.to`, 10)),
    token: orNull(read.token ?? null, (token) => text(token, `${at}.token`, 200)),
  };
};

const groupOf = (value: unknown, at: string): GraphGroup => {
  const read = members(value, at);
  if (typeof read.is_open !== "boolean") throw new CaseFault(`'${at}.is_open' is neither true nor false`);
  return {
    id: id(read.id, `${at}.id`),
    name: text(read.name, `${at}.name`, CASE_LIMITS.label_length),
    nodes: list(read.nodes, `${at}.nodes`, CASE_LIMITS.places).map((node) => text(node, `${at}.nodes`, 200)),
    is_open: read.is_open,
  };
};

const expansion = (value: unknown, at: string): GraphExpansion => {
  const read = members(value, at);
  return {
    entry: id(read.entry, `${at}.entry`),
    categories: list(read.categories, `${at}.categories`, 100).map((word) => text(word, `${at}.categories`, 64)),
    ...(read.trace === undefined ? {} : { trace: traceOf(read.trace, `${at}.trace`) }),
  };
};

const traceOf = (value: unknown, at: string): "in" | "out" => {
  if (value !== "in" && value !== "out") throw new CaseFault(`'${at}' is neither 'in' nor 'out'`);
  return value;
};

const nodePositionOf = (value: unknown, at: string): readonly [string, number, number] => {
  const [node, x, y, ...rest] = list(value, at, 3);
  if (typeof x !== "number" || typeof y !== "number" || rest.length > 0)
    throw new CaseFault(`'${at}' has an item that is not a node with two numbers`);
  return [text(node, at, 200), x, y];
};

const members = (value: unknown, at: string): JsonMembers => {
  if (!isRecord(value)) throw new CaseFault(`'${at}' is not an object`);
  return value;
};

const list = (value: unknown, at: string, most: number): readonly unknown[] => {
  if (!Array.isArray(value)) throw new CaseFault(`'${at}' is not a list`);
  if (value.length > most) throw new CaseFault(`'${at}' has more than ${most} items`);
  return value;
};

const text = (value: unknown, at: string, most: number): string => {
  if (typeof value !== "string") throw new CaseFault(`'${at}' is not a text`);
  if (value.length > most) throw new CaseFault(`'${at}' has more than ${most} characters`);
  return value;
};

const id = (value: unknown, at: string): string => {
  const word = text(value, at, 64);
  if (!/^[A-Za-z0-9_-]+$/.test(word)) throw new CaseFault(`'${at}' may only contain A-Z, a-z, 0-9, _ and -`);
  return word;
};

const time = (value: unknown, at: string): string => {
  const word = text(value, at, 30);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(word) || Number.isNaN(Date.parse(word)))
    throw new CaseFault(`'${at}' is not a time of the form 2026-01-31T12:00:00Z`);
  return word;
};

const natural = (value: unknown, at: string): number => {
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw new CaseFault(`'${at}' is not a whole number`);
  return Number(value);
};

const orNull = <T>(value: unknown, read: (value: unknown) => T): T | null => (value === null ? null : read(value));
