import * as z from "zod";
import { definer } from "../operations/operation.ts";
import type { AdminContext } from "./operations.ts";

/** A list as an operator sends it. */
export interface ListDraft {
  readonly list: string;
  readonly format: string;
  readonly text: string;
  readonly licence: string;
  readonly origin: string;
  /** Networks of rows that name none; `evm`: every EVM network. */
  readonly networks: readonly string[];
}

/** A label that differs from that of another source for the same address. */
interface LabelConflict {
  readonly network: string;
  readonly address: string;
  readonly label: string;
  readonly category: string;
  readonly other_list: string;
  readonly other_label: string;
  readonly other_category: string;
}

interface RefusedRows {
  readonly reason: string;
  readonly count: number;
  readonly examples: readonly string[];
  readonly places: readonly number[];
}

/** Effects of an import. */
export interface ListPreview {
  readonly list: string;
  readonly kind: string;
  readonly version: string;
  readonly accepted: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly duplicates: number;
  readonly refused: readonly RefusedRows[];
  readonly conflict_count: number;
  readonly conflicts: readonly LabelConflict[];
  /** Names the stored list and the draft that were compared. */
  readonly basis: string;
}

/** Rows and version of a stored list; null without one. */
type StoredState = { readonly version: string; readonly rows: number } | null;

export interface ListImporter {
  /** Compares, and writes nothing. @throws AssayError BAD_LIST */
  preview(draft: ListDraft): Promise<ListPreview>;
  /**
   * Imports what was previewed.
   * @param record called before the import with the list before and after it
   * @throws AssayError BAD_LIST; LIST_CHANGED when the stored list or the draft differs from those of the preview
   */
  take(
    draft: ListDraft,
    basis: string,
    record: (before: StoredState, after: StoredState) => Promise<void>,
  ): Promise<ListPreview>;
}

interface ImportContext extends AdminContext {
  readonly state: { readonly imports: ListImporter };
}

const define = definer<ImportContext>();

const count = z.int().min(0);

const draft = {
  list: z.string().max(64).meta({ description: "Name of the list. A stored list of this name is replaced." }),
  format: z.string().max(40).meta({ description: "As `--format` of `assay labels import`." }),
  text: z.string().min(1).meta({ description: "The file." }),
  licence: z.string().max(200).default(""),
  origin: z.string().max(500).default("").meta({ description: "Where the file is from." }),
  networks: z.array(z.string().max(100)).max(100).default([]).meta({
    description: "Networks of rows that name none; `evm` means every EVM network.",
  }),
};

const preview = z.strictObject({
  list: z.string(),
  kind: z.string(),
  version: z.string(),
  accepted: count.meta({ description: "Rows that can be taken." }),
  added: count,
  changed: count,
  unchanged: count,
  removed: count.meta({ description: "Stored rows that the file lacks." }),
  duplicates: count.meta({ description: "Rows that repeat an earlier one." }),
  refused: z.array(
    z.strictObject({
      reason: z.string(),
      count,
      examples: z.array(z.string()),
      places: z.array(z.int().min(1)).meta({
        description: "Where the first ones are: lines of CSV and of lists of lines, else numbers of entries.",
      }),
    }),
  ),
  conflict_count: count.meta({
    description: "Labels whose address has another category from another list or from the program's own rules.",
  }),
  conflicts: z.array(
    z.strictObject({
      network: z.string(),
      address: z.string(),
      label: z.string(),
      category: z.string(),
      other_list: z.string(),
      other_label: z.string(),
      other_category: z.string(),
    }),
  ),
  basis: z.string().meta({ description: "Names the stored list and the file that were compared." }),
});

const output = (one: ListPreview): z.input<typeof preview> => ({
  ...one,
  refused: one.refused.map((row) => ({ ...row, examples: [...row.examples], places: [...row.places] })),
  conflicts: [...one.conflicts],
});

export const listImportOperations = {
  preview_list: define({
    method: "POST",
    path: "/operator/lists/preview",
    summary:
      "Compare a list with the stored one: what an import would change, and which rows it would refuse. Writes nothing.",
    input: z.strictObject(draft),
    output: preview,
    takes_long_body: true,
    run: async ({ state }, wish) => output(await state.imports.preview(wish)),
  }),
  import_list: define({
    method: "POST",
    path: "/operator/lists/import",
    summary: "Import a list that was previewed. A list of the same name is replaced.",
    input: z.strictObject({
      ...draft,
      basis: z.string().max(100).meta({ description: "`basis` of the preview; 409 if the list has changed since." }),
    }),
    output: preview,
    takes_long_body: true,
    async run({ state, admin }, { basis, ...wish }) {
      const record = (before: StoredState, after: StoredState) => admin.lists.record(wish.list, before, after);
      return output(await state.imports.take(wish, basis, record));
    },
  }),
} as const;
