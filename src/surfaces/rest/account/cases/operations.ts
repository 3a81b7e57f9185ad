/** Operations on the cases of the caller's account (docs/operating/cases.md). */
import * as z from "zod";
import type { Cases } from "../../../../accounts/cases/open.ts";
import { actorOf } from "../../../../accounts/roles.ts";
import { CASE_LIMITS } from "../../../../case/format.ts";
import { definer } from "../../../operations/operation.ts";
import { auditEntry } from "../../../operations/shapes.ts";
import type { AccountContext } from "../operations.ts";
import { entryOf, entryPart, fileOf, graphPart, notePart, wholeOf } from "./parts.ts";
import * as shapes from "./shapes.ts";

const define = definer<AccountContext>();
const WRITE = "cases:write";

const casesOf = ({ store, caller }: AccountContext): Cases => store.as(actorOf(caller.key_id), "account").cases;

const nameOf = ({ caller }: AccountContext, { case_id }: { readonly case_id: string }) => ({
  ...{ account_id: caller.account_id, case_id },
});

const { case_id, part_id, version } = shapes;
const oneCase = z.strictObject({ case: shapes.head });

export const caseOperations = {
  list_cases: define({
    method: "GET",
    path: "/api/account/cases",
    summary: "List the account's cases, the last changed first.",
    input: z.strictObject({}),
    output: z.strictObject({
      cases: z.array(shapes.head),
      may_write: z.boolean().meta({ description: "Whether the caller may change cases." }),
    }),
    async run(desk) {
      const cases = await casesOf(desk).list(desk.caller.account_id);
      return { cases: [...cases], may_write: desk.caller.scopes.includes(WRITE) };
    },
  }),
  create_case: define({
    method: "POST",
    path: "/api/account/cases",
    summary: `Create an empty case; requires ${WRITE}.`,
    input: z.strictObject({ title: shapes.title }),
    output: oneCase,
    async run(desk, { title }) {
      return { case: await casesOf(desk).create({ account_id: desk.caller.account_id, title }) };
    },
  }),
  show_case: define({
    method: "GET",
    path: "/api/account/cases/{case_id}",
    summary: "Get a case with its notes, graphs and results, without the answers of the results.",
    input: z.strictObject({ case_id }),
    output: shapes.wholeCase,
    run: async (desk, input) => wholeOf(await casesOf(desk).show(nameOf(desk, input), "heads")),
  }),
  change_case: define({
    method: "PUT",
    path: "/api/account/cases/{case_id}",
    summary: `Change the title and the status of a case; requires ${WRITE}.`,
    input: z.strictObject({ case_id, version, title: shapes.title, status: shapes.status }),
    output: oneCase,
    run: async (desk, input) => ({ case: await casesOf(desk).change({ ...input, ...nameOf(desk, input) }) }),
  }),
  remove_case: define({
    method: "POST",
    path: "/api/account/cases/{case_id}/remove",
    summary: `Delete a case with everything in it; requires ${WRITE}.`,
    input: z.strictObject({ case_id, version }),
    output: oneCase,
    run: async (desk, input) => ({ case: await casesOf(desk).remove({ ...input, ...nameOf(desk, input) }) }),
  }),
  export_case: define({
    method: "GET",
    path: "/api/account/cases/{case_id}/file",
    summary: "Get a case as a case file, with all answers.",
    input: z.strictObject({ case_id }),
    output: shapes.caseFile,
    run: async (desk, input) => fileOf(await casesOf(desk).show(nameOf(desk, input), "whole")),
  }),
  list_case_changes: define({
    method: "GET",
    path: "/api/account/cases/{case_id}/changes",
    summary: "List the changes of a case, newest first: actor, time, and hashes of the changed parts.",
    input: z.strictObject({
      case_id,
      limit: z.int().min(1).max(500).default(50),
      before_seq: z.int().min(1).optional().meta({ description: "Return only entries before this one." }),
    }),
    output: z.strictObject({ entries: z.array(auditEntry), people: shapes.people }),
    async run(desk, { limit, before_seq, ...input }) {
      const page = { limit, before_seq: before_seq ?? null };
      const { entries, people } = await casesOf(desk).changes(nameOf(desk, input), page);
      // States were read with JSON.parse, so they are JSON.
      return { entries: entries.map((entry) => ({ ...entry }) as z.input<typeof auditEntry>), people: [...people] };
    },
  }),
  show_case_entry: define({
    method: "GET",
    path: "/api/account/cases/{case_id}/entries/{part_id}",
    summary: "Get a result of a case with its answer.",
    input: z.strictObject({ case_id, part_id }),
    output: shapes.entry,
    async run(desk, input) {
      return entryOf(await casesOf(desk).part(nameOf(desk, input), { kind: "entry", id: input.part_id }));
    },
  }),
  add_case_parts: define({
    method: "POST",
    path: "/api/account/cases/{case_id}/parts",
    summary: `Add results, notes and graphs to a case, all or none; parts that it has already stay as they are. Requires ${WRITE}.`,
    takes_long_body: true,
    input: z.strictObject({
      case_id,
      entries: z.array(shapes.entry).max(CASE_LIMITS.entries).default([]),
      notes: z.array(shapes.newNote).max(CASE_LIMITS.notes).default([]),
      graphs: z.array(shapes.graph).max(CASE_LIMITS.graphs).default([]),
    }),
    output: oneCase,
    async run(desk, input) {
      const { entries, notes, graphs } = input;
      const parts = [...entries.map(entryPart), ...notes.map(notePart), ...graphs.map(graphPart)];
      return { case: await casesOf(desk).add(nameOf(desk, input), parts) };
    },
  }),
  change_case_note: define({
    method: "PUT",
    path: "/api/account/cases/{case_id}/notes/{part_id}",
    summary: `Replace the text of a note; requires ${WRITE}.`,
    takes_long_body: true,
    input: z.strictObject({ case_id, part_id, version, ...shapes.newNote.omit({ id: true }).shape }),
    output: z.strictObject({ version }),
    async run(desk, input) {
      const { at, text, entry } = input;
      const part = notePart({ id: input.part_id, at, text, entry });
      const changed = await casesOf(desk).changePart(nameOf(desk, input), { part, version: input.version });
      return { version: changed.version };
    },
  }),
  change_case_graph: define({
    method: "PUT",
    path: "/api/account/cases/{case_id}/graphs/{part_id}",
    summary: `Replace a graph; requires ${WRITE}.`,
    takes_long_body: true,
    input: z.strictObject({ case_id, part_id, version, ...shapes.graph.omit({ id: true }).shape }),
    output: z.strictObject({ version }),
    async run(desk, { case_id: of, part_id: id, version: read, ...graph }) {
      const part = graphPart({ ...graph, id });
      const changed = await casesOf(desk).changePart(nameOf(desk, { case_id: of }), { part, version: read });
      return { version: changed.version };
    },
  }),
  remove_case_part: define({
    method: "POST",
    path: "/api/account/cases/{case_id}/parts/{kind}/{part_id}/remove",
    summary: `Remove a result, a note or a graph from a case; a result goes with the graphs that need it. Requires ${WRITE}.`,
    input: z.strictObject({ case_id, kind: shapes.kind, part_id, version }),
    output: oneCase,
    async run(desk, input) {
      const read = { kind: input.kind, id: input.part_id, version: input.version };
      return { case: await casesOf(desk).removePart(nameOf(desk, input), read) };
    },
  }),
} as const;
