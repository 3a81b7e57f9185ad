/** 'assay network set', 'remove' and 'reset': what is configured of a network, and its stored facts, also while a service runs. */
import { dropNetwork } from "../indexer/drop_network.ts";
import { withLease } from "../indexer/leased_indexer.ts";
import { maskUrl, silentLog } from "../lib/log.ts";
import { openAccountsOnly, openFactsOnly } from "../wiring/stores.ts";
import { type CommandArgs, type CommandIo, EXIT, flag, numberFlag, printData, UsageFault, word } from "./command.ts";
import { awaitService, type ConfigurationEntry, changeEntry, entryOf, refuse } from "./network_file.ts";
import { hasSecrets, makePrivate, nodesIn } from "./node_argument.ts";

/** `name=value` words; a value that is JSON is read as JSON, an empty one takes the setting out. */
const settingsIn = (words: readonly string[]): ConfigurationEntry =>
  Object.fromEntries(
    words.map((text) => {
      const [, name, value = ""] = /^([a-z_]+)=(.*)$/s.exec(text) ?? [];
      if (name === undefined) throw new UsageFault(`'${text}' is no setting: write name=value, such as poll_ms=500`);
      return [name, value === "" ? undefined : parsed(value)];
    }),
  );

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text; // a word
  }
};

/** An address alone, or one with settings of its own. */
const maskedNode = (node: unknown): string => {
  const url: unknown = typeof node === "object" && node !== null && "url" in node ? node.url : node;
  return typeof url === "string" ? maskUrl(url) : "";
};

/** Without what may be secret: nodes by their masked addresses, and of other settings the names. */
const maskedEntry = ({ rpc, from_block = 0, enabled = true, ...others }: ConfigurationEntry): ConfigurationEntry => ({
  rpc: Array.isArray(rpc) ? rpc.map(maskedNode) : [],
  from_block,
  enabled,
  other_settings: Object.keys(others),
});

export const set = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const id = word(args, 1, "the network's id");
  const rpc = args.flags.rpc === undefined && args.flags.header === undefined ? [] : nodesIn(args);
  const from_block = numberFlag(args, "from-block");
  const asked: ConfigurationEntry = {
    ...settingsIn(args.words.slice(2)),
    ...(rpc.length === 0 ? {} : { rpc: [...rpc] }),
    ...(from_block === null ? {} : { from_block }),
  };
  if (Object.keys(asked).length === 0) throw new UsageFault("nothing to set: --rpc URL, --from-block N or name=value");
  const loaded = io.settings();
  const entry = JSON.parse(JSON.stringify({ ...entryOf(loaded, id), ...asked })) as ConfigurationEntry;
  const file = changeEntry(loaded, id, () => entry);
  if (hasSecrets(rpc)) {
    makePrivate(file);
    io.err(`${file} holds secrets: only its owner may read it (mode 0600)\n`);
  }
  io.err(`wrote ${file}\n`);
  await awaitService(io, { id, is: entry.enabled === false ? "off" : "there" });
  printData(io, { id, file, ...maskedEntry(entry) });
  return EXIT.ok;
};

const confirmed = (args: CommandArgs, what: string): void => {
  if (flag(args, "yes") === null) throw new UsageFault(`${what}; add --yes to do it`);
};

/** As the only writer of the network: a service that has just let it go is waited for. @throws AssayError NETWORK_BUSY */
const dropFacts = async (io: CommandIo, network: string): Promise<void> => {
  const { settings, data_dir } = io.settings();
  const accounts = await openAccountsOnly(settings, data_dir, silentLog);
  try {
    const { engine, close } = await openFactsOnly(settings, data_dir);
    try {
      const subject = { network, engine, leases: accounts.leases, signal: io.signal };
      await withLease(subject, (own) => dropNetwork(own, network, io.signal));
    } finally {
      await close();
    }
  } finally {
    await accounts.close();
  }
  io.err(`the facts of ${network} are dropped; accounts, keys and imported lists stay\n`);
};

export const remove = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const id = word(args, 1, "the network's id");
  const drops = flag(args, "facts") !== null;
  if (drops) confirmed(args, `this drops all stored facts of ${id}`);
  const loaded = io.settings();
  entryOf(loaded, id);
  const file = changeEntry(loaded, id, () => null);
  io.err(`took ${id} out of ${file}${drops ? "" : ": what is stored of it stays"}\n`);
  await awaitService(io, { id, is: "gone" });
  if (drops) await dropFacts(io, id);
  printData(io, { id, file, facts: drops ? "dropped" : "kept" });
  return EXIT.ok;
};

/** The network is switched off meanwhile: a reset that is cut off leaves it so, and is repeated. */
export const reset = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const id = word(args, 1, "the network's id");
  confirmed(args, `this drops all stored facts of ${id} and reindexes it`);
  const from_block = numberFlag(args, "from-block");
  const loaded = io.settings();
  const entry = entryOf(loaded, id);
  changeEntry(loaded, id, () => ({ ...entry, enabled: false }));
  try {
    if (!(await awaitService(io, { id, is: "off" })))
      throw refuse(
        `${id} cannot be reset while a service indexes it that does not follow ${loaded.place}: stop it first`,
      );
    await dropFacts(io, id);
  } catch (error) {
    changeEntry(loaded, id, () => entry);
    throw error;
  }
  const { enabled: _, ...rest } = entry;
  const next = { ...rest, ...(from_block === null ? {} : { from_block }) };
  const file = changeEntry(loaded, id, () => next);
  io.err(`${id} will be reindexed from block ${next.from_block ?? 0}\n`);
  await awaitService(io, { id, is: "there" });
  printData(io, { id, file, ...maskedEntry(next) });
  return EXIT.ok;
};
