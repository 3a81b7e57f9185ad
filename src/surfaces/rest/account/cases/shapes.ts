import * as z from "zod";
import { CASE_STATUSES, PART_KINDS } from "../../../../accounts/cases/rows.ts";
import { CASE_FORMAT, CASE_LIMITS, CASE_VERSION, NO_FILTER } from "../../../../case/format.ts";

const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/)
  .meta({ format: "date-time" });
const count = z.int().min(0);
const members = z.record(z.string(), z.unknown());

export const case_id = z.string().min(1).max(100).meta({ description: "The case's id." });
export const part_id = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/)
  .meta({ description: "Id of a result, a note or a graph, chosen by the client." });
export const kind = z.enum(PART_KINDS).meta({ description: "`entry`: a result." });
export const title = z.string().max(CASE_LIMITS.title_length);
export const status = z
  .enum(CASE_STATUSES)
  .meta({ description: "A closed case cannot be changed until it is opened again." });
export const version = z.int().min(1).meta({
  description: "Version that the caller has read. If another version is stored, the request fails with 409.",
});
const noteText = z.string().max(CASE_LIMITS.note_length);

/** An actor of the audit trail. */
const actor = z.string().meta({ description: "`user:` or `key:` and an id." });
const stamp = {
  version: z.int().min(1),
  created_at: time,
  created_by: actor,
  changed_at: time,
  changed_by: actor,
};

export const head = z.strictObject({
  id: z.string(),
  title,
  status,
  ...stamp,
  entries: count.meta({ description: "Results." }),
  notes: count,
  graphs: count,
  bytes: count,
});

export const people = z
  .array(z.strictObject({ actor, name: z.string() }))
  .meta({ description: "Names of the users among the actors." });

const asOf = z.strictObject({
  network: z.string().max(64),
  block_number: count,
  block_hash: z.string().max(128),
  timestamp: time,
});

const call = {
  id: part_id,
  tool: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  arguments: members.meta({ description: "Arguments of the call, exactly as they were sent." }),
  network: z.string().max(64).nullable(),
  as_of: z.array(asOf).max(100).meta({ description: "Blocks of the answer, one for each network." }),
  request_id: z.string().max(100).nullable(),
  credits: count.nullable(),
  asked_at: time,
  catalog_version: z.string().max(100).nullable(),
  answer_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description: "SHA-256 of the answer as canonical JSON (RFC 8785)." }),
};

export const entry = z.strictObject({ ...call, answer: members.meta({ description: "The whole answer." }) });

export const newNote = z.strictObject({
  id: part_id,
  at: time,
  text: noteText,
  entry: part_id.nullable().default(null).meta({ description: "Result that the note is about; null for the case." }),
});

const node = z.string().max(200);
const ownText = (length_max: number) =>
  z
    .array(z.tuple([node, z.string().max(length_max)]))
    .max(CASE_LIMITS.places)
    .default([]);

export const graph = z.strictObject({
  id: part_id,
  title,
  saved_at: time,
  network: z.string().max(64),
  start: z.string().max(128).meta({ description: "Starting wallet." }),
  expansions: z
    .array(
      z.strictObject({
        entry: part_id,
        categories: z.array(z.string().max(64)).max(100),
        trace: z.enum(["in", "out"]).optional(),
      }),
    )
    .max(CASE_LIMITS.expansions)
    .meta({ description: "Results of the case that the graph consists of." }),
  pinned: z.array(node).max(CASE_LIMITS.places),
  places: z
    .array(z.tuple([node, z.number(), z.number()]))
    .max(CASE_LIMITS.places)
    .meta({
      description: "Nodes with their position.",
    }),
  labels: ownText(CASE_LIMITS.label_length).meta({ description: "Nodes with a label of the user's own." }),
  remarks: ownText(CASE_LIMITS.remark_length).meta({ description: "Nodes with a note of the user." }),
  hidden: z.array(node).max(CASE_LIMITS.places).default([]),
  groups: z
    .array(
      z.strictObject({
        id: part_id,
        name: z.string().max(CASE_LIMITS.label_length),
        nodes: z.array(node).max(CASE_LIMITS.places),
        is_open: z.boolean(),
      }),
    )
    .max(CASE_LIMITS.groups)
    .default([])
    .meta({ description: "Addresses that the graph can show as one." }),
  filter: z
    .strictObject({
      text: z.string().max(CASE_LIMITS.label_length),
      min_usd: z.number().min(0),
      kinds: z.array(z.string().max(64)).max(100),
      from: z.iso.date().nullable().default(null),
      to: z.iso.date().nullable().default(null),
      token: z.string().max(200).nullable().default(null),
    })
    .default({ ...NO_FILTER, kinds: [] }),
});

const note = z.strictObject({ ...newNote.shape, entry: z.string().nullable() });

/** A case as a page opens it: without the answers. */
export const wholeCase = z.strictObject({
  case: head,
  entries: z.array(z.strictObject({ ...call, stored: z.strictObject(stamp) })),
  notes: z.array(z.strictObject({ ...note.shape, stored: z.strictObject(stamp) })),
  graphs: z.array(z.strictObject({ ...graph.shape, stored: z.strictObject(stamp) })),
  people,
});

export const caseFile = z.strictObject({
  format: z.literal(CASE_FORMAT),
  version: z.literal(CASE_VERSION),
  title,
  created_at: time,
  notes: z.array(note),
  entries: z.array(entry),
  graphs: z.array(graph),
});
