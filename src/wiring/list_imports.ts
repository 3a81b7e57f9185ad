/** Lists that operators import over HTTP, by the rules of `assay labels import`. */
import { createHash } from "node:crypto";
import { ADDRESSES } from "../chains/addresses.ts";
import { NETWORKS } from "../chains/networks/index.ts";
import { type LabelPackChoice, mendLabelPack } from "../indexer/label_pack.ts";
import type { ParsedList } from "../labels/import/parsed_list.ts";
import type { Hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import { EVERY_EVM } from "../lib/every_evm.ts";
import { compareList, type LabelBeside, labelsBeside, replaceList } from "../store/lists.ts";
import type { FactsStore } from "../store/open.ts";
import type { ListDraft, ListImporter, ListPreview } from "../surfaces/operator/list_imports.ts";
import type { EnabledNetwork } from "./enabled_network.ts";
import { type CheckedList, checkList, importScope, LIST_FORMATS, type ListReport, reportOf } from "./import_list.ts";

interface ListImportOptions {
  readonly store: Pick<FactsStore, "engine" | "writer">;
  /** Networks that this process has now. */
  readonly enabled: () => readonly EnabledNetwork[];
  readonly choice: LabelPackChoice;
  readonly now_ms: () => number;
}

type Conflict = ListPreview["conflicts"][number];

const CONFLICTS_SHOWN = 20;

const refuse = (code: "BAD_LIST" | "LIST_CHANGED", message: string): AssayError =>
  new AssayError({ code, message, public: message });

/** Refusals of an import as refusals of an operation. */
const refused = (error: unknown): unknown =>
  error instanceof AssayError && error.code === "CONFIG" ? refuse("BAD_LIST", error.public) : error;

const formatted = (network: string, address: LabelBeside["address"], enabled: readonly EnabledNetwork[]): string => {
  const known = [...enabled.map((one) => one.network), ...NETWORKS].find(({ id }) => id === network);
  return ADDRESSES[known?.family ?? "evm"].formatAddress(address);
};

const isSameNetwork = (a: string, b: string): boolean => a === b || a === EVERY_EVM || b === EVERY_EVM;

/** Labels of the list whose address has another category elsewhere: one for each label and other source. */
const conflictsOf = (
  { kind, entries }: ParsedList,
  beside: readonly LabelBeside[],
  enabled: readonly EnabledNetwork[],
): readonly Conflict[] => {
  if (kind !== "labels") return [];
  const others = new Map<Hex, LabelBeside[]>();
  for (const one of beside) others.set(one.address, [...(others.get(one.address) ?? []), one]);
  return entries.flatMap(({ network, address, label, category }) => {
    const differing = (others.get(address) ?? []).filter(
      (other) => isSameNetwork(network, other.network) && other.category !== category,
    );
    // A label of every EVM network has a copy for each of them.
    const by_source = new Map(differing.map((other) => [`${other.source} ${other.label}`, other]));
    return [...by_source.values()].map((other) => ({
      ...{ network, address: formatted(network, address, enabled), label, category },
      ...{ other_list: other.source, other_label: other.label, other_category: other.category },
    }));
  });
};

const hashOf = (...parts: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);

/** Changes with the draft and with the stored list. */
const basisOf = (draft: ListDraft, { present }: CheckedList): string => hashOf(draft, present);

/** Runs work one after another. */
const oneAtATime = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
};

export const openListImports = ({ store, enabled, choice, now_ms }: ListImportOptions): ListImporter => {
  const check = async (draft: ListDraft): Promise<CheckedList> => {
    const format = LIST_FORMATS.find((one) => one === draft.format);
    if (format === undefined) throw refuse("BAD_LIST", `The format is one of ${LIST_FORMATS.join(", ")}.`);
    const scope = importScope(
      enabled().map(({ network }) => network),
      draft.networks,
    );
    const unknown = scope.default_networks.find((id) => id !== EVERY_EVM && !scope.networks.has(id));
    if (unknown !== undefined) throw refuse("BAD_LIST", `Network ${unknown} is not known.`);
    const { list, text, licence, origin } = draft;
    const file = { path: list, called: "the file", format, list, text, licence, origin };
    return checkList(store, file, scope).catch((error: unknown) => Promise.reject(refused(error)));
  };
  const besideOf = (list: string, entries: readonly { readonly network: string; readonly address: Hex }[]) => {
    const ids = [...enabled().map(({ network }) => network.id), ...entries.map(({ network }) => network), EVERY_EVM];
    return labelsBeside(store, { list, networks: [...new Set(ids)] }, entries);
  };
  const previewOf = async (draft: ListDraft, checked: CheckedList, report: ListReport): Promise<ListPreview> => {
    const { parsed } = checked;
    const beside = parsed.kind === "labels" ? await besideOf(draft.list, parsed.entries) : [];
    const conflicts = conflictsOf(parsed, beside, enabled());
    const { written, ...rest } = report;
    return {
      ...rest,
      added: written - report.changed,
      conflict_count: conflicts.length,
      conflicts: conflicts.slice(0, CONFLICTS_SHOWN),
      basis: basisOf(draft, checked),
    };
  };
  const inTurn = oneAtATime();
  return {
    async preview(draft) {
      const checked = await check(draft);
      const { head, parsed } = checked;
      const difference = await compareList(store, head, { ...parsed, now_ms: now_ms() });
      return previewOf(draft, checked, reportOf(checked, difference));
    },
    // The stored list must not change between the check and the end of the import.
    take: (draft, basis, record) =>
      inTurn(async () => {
        const checked = await check(draft);
        const { head, parsed, present } = checked;
        if (basis !== basisOf(draft, checked))
          throw refuse(
            "LIST_CHANGED",
            `List ${draft.list} or the file has changed since the preview: preview it again.`,
          );
        const before = present === null ? null : { version: present.version, rows: present.rows };
        await record(before, { version: head.version, rows: parsed.entries.length });
        const report = reportOf(checked, await replaceList(store, head, { ...parsed, now_ms: now_ms() }));
        const preview = await previewOf(draft, checked, report);
        const networks = enabled().map(({ network }) => network);
        if (head.kind === "labels") await mendLabelPack(store, networks, { choice, now_ms: now_ms() });
        return preview;
      }),
  };
};
