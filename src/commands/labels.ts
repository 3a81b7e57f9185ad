import { mendLabelPack } from "../indexer/label_pack.ts";
import { scoreDerived } from "../indexer/score_derived.ts";
import { PACK_LIST } from "../labels/pack/index.ts";
import { AssayError } from "../lib/errors.ts";
import { EVERY_EVM } from "../lib/every_evm.ts";
import { currentLists, removeList, type SuppressedAddress, suppress } from "../store/lists.ts";
import type { FactsStore } from "../store/open.ts";
import {
  importList,
  importScope,
  LIST_FORMATS,
  type ListFormat,
  parseAnyAddress,
  readParsed,
} from "../wiring/import_list.ts";
import { openFactsOnly } from "../wiring/stores.ts";
import { type CommandArgs, type CommandIo, EXIT, flag, printData, UsageFault, word } from "./command.ts";
import { fetchLists, selectedLists, webForList } from "./labels_fetch.ts";
import { knownNetworks } from "./run.ts";

/** After lists have changed the pack says what they leave to it. */
const mendPack = (io: CommandIo, store: FactsStore): Promise<void> => {
  const loaded = io.settings();
  return mendLabelPack(store, knownNetworks(loaded), { choice: loaded.settings.label_pack, now_ms: Date.now() });
};

/** Does one piece of work on the facts; a running service's engine is joined. */
const withFacts = async <T>(io: CommandIo, work: (store: FactsStore) => Promise<T>): Promise<T> => {
  const { settings, data_dir } = io.settings();
  const store = await openFactsOnly(settings, data_dir);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
};

const formatOf = (args: CommandArgs): ListFormat => {
  const said = flag(args, "format");
  const found = LIST_FORMATS.find((format) => format === said);
  if (found === undefined) throw new UsageFault(`--format is one of ${LIST_FORMATS.join(", ")}`);
  return found;
};

/** Networks that the rows of a file may belong to. Throws UsageFault for an unknown `--network`. */
const scopeOf = (args: CommandArgs, io: CommandIo) => {
  const scope = importScope(knownNetworks(io.settings()), args.flags.network ?? []);
  const unknown = scope.default_networks.find((id) => id !== EVERY_EVM && !scope.networks.has(id));
  if (unknown !== undefined) throw new UsageFault(`network ${unknown} is not known`);
  return scope;
};

const countOf = (refused: readonly { readonly count: number }[]): number =>
  refused.reduce((sum, { count }) => sum + count, 0);

const importFile = async (args: CommandArgs, io: CommandIo): Promise<void> => {
  const path = word(args, 1, "the file");
  const list = flag(args, "list");
  if (list === null) throw new UsageFault("name the list with --list NAME");
  const scope = scopeOf(args, io);
  const file = {
    path,
    format: formatOf(args),
    list,
    licence: flag(args, "licence") ?? "",
    origin: flag(args, "origin") ?? "",
  };
  const report = await withFacts(io, async (store) => {
    const imported = await importList(store, file, { scope, now_ms: Date.now() });
    if (imported.kind === "labels") await mendPack(io, store);
    return imported;
  });
  printData(io, report);
  io.err(
    `list ${report.list}: ${report.accepted} rows taken (${report.written} new or changed, ${report.removed} gone), ${countOf(report.refused)} refused, ${report.duplicates} twice\n`,
  );
};

/** Exit 1 when a requested list could not be fetched. */
const fetchPublished = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const wanted = selectedLists(args);
  const done = await withFacts(io, async (store) => {
    const fetched = await fetchLists(store, wanted, {
      networks: knownNetworks(io.settings()),
      accepts_smaller: flag(args, "accept-smaller") !== null,
      now_ms: Date.now(),
      signal: io.signal,
      webFor: webForList,
    });
    if (fetched.some((one) => one.outcome === "taken" && one.kind === "labels")) await mendPack(io, store);
    return fetched;
  });
  if (io.json) printData(io, { lists: done });
  for (const one of done) {
    if (one.outcome !== "taken")
      io.err(`list ${one.list}: ${one.outcome === "kept" ? "not fetched" : "skipped"}. ${one.reason}\n`);
    else if (!io.json)
      io.out(
        `list ${one.list}: ${one.accepted} rows taken (${one.written} new or changed, ${one.removed} gone), ${countOf(one.refused)} refused\n`,
      );
  }
  return done.some(({ outcome }) => outcome === "kept") ? EXIT.error : EXIT.ok;
};

const score = async (args: CommandArgs, io: CommandIo): Promise<void> => {
  const path = word(args, 1, "the file");
  const parsed = await readParsed({ path, format: formatOf(args) }, scopeOf(args, io));
  if (parsed.kind !== "labels") throw new UsageFault("a file of labels says who is who; this one does not");
  const every_evm = knownNetworks(io.settings()).flatMap(({ id, family }) => (family === EVERY_EVM ? [id] : []));
  if (every_evm.length === 0 && parsed.entries.some(({ network }) => network === EVERY_EVM))
    throw new UsageFault("no EVM network is configured: name the network in the rows of the file");
  const truth = parsed.entries.flatMap((entry) =>
    (entry.network === EVERY_EVM ? every_evm : [entry.network]).map((network) => ({ ...entry, network })),
  );
  const scores = await withFacts(io, ({ engine }) => scoreDerived(engine, truth));
  const { refused } = parsed;
  if (refused.length > 0) io.err(`${path}: ${countOf(refused)} rows were refused and are not scored\n`);
  if (io.json) return printData(io, { scores, refused });
  const shown = (percent: number | null): string => (percent === null ? "-" : `${percent} %`);
  for (const one of scores) {
    io.out(
      `${one.network} ${one.category}${one.rule === null ? "" : ` by ${one.rule}`}: ${one.derived_count} derived; of ${one.true_count} true ones ${one.active_count} are active\n` +
        `  precision ${shown(one.precision_percent)} of those that the file names, ${shown(one.precision_of_all_percent)} of all; ${one.contradicted_count} contradicted\n` +
        `  recall ${shown(one.recall_percent)} of the active ones, ${shown(one.named_recall_percent)} under the right name\n`,
    );
  }
};

const lists = async (io: CommandIo): Promise<void> => {
  const found = await withFacts(io, currentLists);
  const rows = found.map(({ imported_at_ms, ...row }) => ({
    ...row,
    imported_at: new Date(imported_at_ms).toISOString(),
  }));
  if (io.json) return printData(io, { lists: rows });
  for (const { list, kind, version, rows: count, imported_at } of rows)
    io.out(`${list.padEnd(24)} ${kind.padEnd(9)} ${String(count).padStart(8)}  ${version}  ${imported_at}\n`);
};

const remove = async (args: CommandArgs, io: CommandIo): Promise<void> => {
  const name = word(args, 1, "the list");
  if (name === PACK_LIST) {
    const message =
      "the label pack belongs to the program; set label_pack.enabled to false, and it goes at the next start";
    throw new AssayError({ code: "CONFIG", message, public: message });
  }
  const gone = await withFacts(io, async (store) => {
    const found = (await currentLists(store)).find(({ list }) => list === name);
    if (found === undefined) {
      const message = `there is no list ${name}; 'assay labels lists' shows them`;
      throw new AssayError({ code: "CONFIG", message, public: message });
    }
    const { rows: _, imported_at_ms: __, ...head } = found;
    const removed = await removeList(store, head, Date.now());
    if (head.kind === "labels") await mendPack(io, store);
    return removed;
  });
  printData(io, { list: name, ...gone });
};

const hide = async (args: CommandArgs, io: CommandIo, is_removed: boolean): Promise<void> => {
  const text = word(args, 1, "the address");
  const places = parseAnyAddress(text);
  if (places.length === 0) throw new UsageFault(`'${text}' is no address of a known family`);
  const reason = flag(args, "reason") ?? "";
  const rows = places.map((place): SuppressedAddress => ({ ...place, reason, is_removed }));
  await withFacts(io, (store) => suppress(store, rows, Date.now()));
  printData(io, { address: text, suppressed: !is_removed });
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const action = word(args, 0, "import, fetch, lists, remove, score, suppress or unsuppress");
  if (action === "fetch") return fetchPublished(args, io);
  if (action === "import") await importFile(args, io);
  else if (action === "lists") await lists(io);
  else if (action === "remove") await remove(args, io);
  else if (action === "score") await score(args, io);
  else if (action === "suppress") await hide(args, io, false);
  else if (action === "unsuppress") await hide(args, io, true);
  else throw new UsageFault(`'labels ${action}' does not exist`);
  return EXIT.ok;
};
