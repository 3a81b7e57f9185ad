import { AssayError } from "../lib/errors.ts";
import { currentLists, removeList, type Suppressed, suppress } from "../store/lists.ts";
import type { FactsStore } from "../store/open.ts";
import { openFactsOnly } from "../wiring/stores.ts";
import { type CommandArgs, type CommandIo, EXIT, flag, onlyFlags, printData, UsageFault, word } from "./command.ts";
import { importList, importScope, LIST_FORMATS, type ListFormat, parseAnyAddress } from "./import_list.ts";
import { knownNetworks } from "./run.ts";

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

const importFile = async (args: CommandArgs, io: CommandIo): Promise<void> => {
  const path = word(args, 1, "the file");
  const list = flag(args, "list");
  if (list === null) throw new UsageFault("name the list with --list NAME");
  const enabled = knownNetworks(io.settings());
  const scope = importScope(enabled, args.flags.network ?? []);
  const unknown = scope.default_networks.find((id) => !scope.networks.has(id));
  if (unknown !== undefined) throw new UsageFault(`network ${unknown} is not known`);
  const file = {
    path,
    format: formatOf(args),
    list,
    licence: flag(args, "licence") ?? "",
    origin: flag(args, "origin") ?? "",
  };
  const report = await withFacts(io, (store) => importList(store, file, { scope, now_ms: Date.now() }));
  printData(io, report);
  const refused = report.refused.reduce((sum, { count }) => sum + count, 0);
  io.err(
    `list ${report.list}: ${report.accepted} rows taken (${report.written} new or changed, ${report.removed} gone), ${refused} refused, ${report.duplicates} twice\n`,
  );
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
  const gone = await withFacts(io, async (store) => {
    const found = (await currentLists(store)).find(({ list }) => list === name);
    if (found === undefined) {
      const message = `there is no list ${name}; 'assay labels lists' shows them`;
      throw new AssayError({ code: "CONFIG", message, public: message });
    }
    const { rows: _, imported_at_ms: __, ...head } = found;
    return removeList(store, head, Date.now());
  });
  printData(io, { list: name, ...gone });
};

const hide = async (args: CommandArgs, io: CommandIo, is_removed: boolean): Promise<void> => {
  const text = word(args, 1, "the address");
  const places = parseAnyAddress(text);
  if (places.length === 0) throw new UsageFault(`'${text}' is no address of a known family`);
  const reason = flag(args, "reason") ?? "";
  const rows = places.map((place): Suppressed => ({ ...place, reason, is_removed }));
  await withFacts(io, (store) => suppress(store, rows, Date.now()));
  printData(io, { address: text, suppressed: !is_removed });
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const action = word(args, 0, "import, lists, remove, suppress or unsuppress");
  const own = { import: ["format", "list", "network", "licence", "origin"], suppress: ["reason"] };
  const more = action === "import" || action === "suppress" ? own[action] : [];
  onlyFlags(args, ["config", "json", ...more]);
  if (action === "import") await importFile(args, io);
  else if (action === "lists") await lists(io);
  else if (action === "remove") await remove(args, io);
  else if (action === "suppress") await hide(args, io, false);
  else if (action === "unsuppress") await hide(args, io, true);
  else throw new UsageFault(`'labels ${action}' does not exist`);
  return EXIT.ok;
};
