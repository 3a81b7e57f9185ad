/** Parts of a case between requests and the store. */
import type * as z from "zod";
import type { WholeCase } from "../../../../accounts/cases/open.ts";
import type { CasePart, NewCasePart, PartKind } from "../../../../accounts/cases/rows.ts";
import { answerHash } from "../../../../case/canonical.ts";
import { CASE_FORMAT, CASE_VERSION } from "../../../../case/format.ts";
import { AssayError } from "../../../../lib/errors.ts";
import type * as shapes from "./shapes.ts";

type CaseEntryBody = z.output<typeof shapes.entry>;
type CaseNoteBody = z.output<typeof shapes.newNote>;
type SavedGraph = z.output<typeof shapes.graph>;

const refuse = (message: string): AssayError => new AssayError({ code: "BAD_CASE", message, public: message });

/** @throws AssayError BAD_CASE */
export const entryPart = ({ answer, ...call }: CaseEntryBody): NewCasePart => {
  if (answerHash(answer) !== call.answer_sha256)
    throw refuse(`The answer of the result '${call.id}' does not have the hash beside it.`);
  const [body, payload] = [JSON.stringify(call), JSON.stringify(answer)];
  // A file with such a member cannot be opened again (src/case/read.ts).
  if (`${body}${payload}`.includes('"__proto__":'))
    throw refuse(`The result '${call.id}' has a member '__proto__', which answers never have.`);
  return { kind: "entry", id: call.id, body, payload, needs: [] };
};

export const notePart = (note: CaseNoteBody): NewCasePart => ({
  ...{ kind: "note", id: note.id, body: JSON.stringify(note), payload: null, needs: [] },
});

export const graphPart = (graph: SavedGraph): NewCasePart => ({
  ...{ kind: "graph", id: graph.id, body: JSON.stringify(graph), payload: null },
  needs: [...new Set(graph.expansions.map(({ entry }) => entry))],
});

const stampOf = ({ version, created_at, created_by, changed_at, changed_by }: CasePart) => ({
  ...{ version, created_at, created_by, changed_at, changed_by },
});

const partsOf = (parts: readonly CasePart[], kind: PartKind): readonly CasePart[] =>
  parts.filter((part) => part.kind === kind);

/** Notes about a result that was removed are about the case. */
const noteOf = (parts: readonly CasePart[], { body }: CasePart): CaseNoteBody => {
  const note = JSON.parse(body) as CaseNoteBody; // written by `notePart`
  return parts.some(({ kind, id }) => kind === "entry" && id === note.entry) ? note : { ...note, entry: null };
};

/** A case as a page opens it. */
export const wholeOf = ({ head, parts, people }: WholeCase): z.input<typeof shapes.wholeCase> => ({
  case: { ...head },
  // Written by the functions above.
  entries: partsOf(parts, "entry").map((part) => ({
    ...(JSON.parse(part.body) as Omit<CaseEntryBody, "answer">),
    stored: stampOf(part),
  })),
  notes: partsOf(parts, "note").map((part) => ({ ...noteOf(parts, part), stored: stampOf(part) })),
  graphs: partsOf(parts, "graph").map((part) => ({ ...(JSON.parse(part.body) as SavedGraph), stored: stampOf(part) })),
  people: [...people],
});

export const entryOf = ({ body, payload }: Pick<CasePart, "body" | "payload">): z.input<typeof shapes.entry> => ({
  ...(JSON.parse(body) as Omit<CaseEntryBody, "answer">),
  answer: JSON.parse(payload ?? "{}"),
});

/** A case as a case file. */
export const fileOf = ({ head, parts }: WholeCase): z.input<typeof shapes.caseFile> => ({
  ...{ format: CASE_FORMAT, version: CASE_VERSION, title: head.title, created_at: head.created_at },
  notes: partsOf(parts, "note").map((part) => noteOf(parts, part)),
  entries: partsOf(parts, "entry").map(entryOf),
  graphs: partsOf(parts, "graph").map(({ body }) => JSON.parse(body) as SavedGraph),
});
