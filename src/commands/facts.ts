import { openChain } from "../chains/families.ts";
import type { LoadedSettings } from "../config/settings.ts";
import { withLease } from "../indexer/leased_indexer.ts";
import { openNetworkIndexer, openSubjectIndexer } from "../indexer/open.ts";
import { messageOf } from "../lib/errors.ts";
import { openLog } from "../lib/log.ts";
import type { FactsStore } from "../store/open.ts";
import { mendBalances } from "../store/verify/balances.ts";
import {
  indexedNetworks,
  isSound,
  mendLayouts,
  takeBack,
  type VerificationReport,
  verifyNetwork,
} from "../store/verify/index.ts";
import { type LostTablePart, readLostParts } from "../store/verify/lost_parts.ts";
import { openWriter } from "../store/writer.ts";
import { type EnabledNetwork, enabledNetwork } from "../wiring/enabled_network.ts";
import { openAccountsOnly, openFactsOnly } from "../wiring/stores.ts";
import { traderJudge } from "../wiring/trader_judge.ts";
import { type CommandArgs, type CommandIo, chosen, EXIT, flag, printData, UsageFault, word } from "./command.ts";
import { runGaps } from "./facts_gaps.ts";

interface FactsCommand {
  readonly loaded: LoadedSettings;
  readonly store: FactsStore;
  readonly io: CommandIo;
}

/** Repairs made to a network. */
interface Repair {
  /** Ranges of the record that count as not indexed until they are read again. */
  readonly taken_back: readonly { readonly from: number; readonly to: number }[];
  /** Why they were not read again now; null when they were, or there was nothing to read. */
  readonly not_read: string | null;
}

const verify = async ({ store, io }: FactsCommand, network: string): Promise<VerificationReport> => {
  const verified = await verifyNetwork(store.engine, network, {
    signal: io.signal,
    onProgress: (blocks) => {
      if (io.tty) io.err(`\r${network}: ${blocks} blocks compared`);
    },
  });
  if (io.tty) io.err("\n");
  return verified;
};

/** Reads reverted and unfinished segments and batches again from the network's node, then mends the sums that follow from them. */
const readAgain = async (
  { loaded, store, io }: FactsCommand,
  enabled: EnabledNetwork,
  mendSums: () => Promise<void>,
): Promise<void> => {
  const log = openLog(loaded.settings.log_level, loaded.settings.log_format);
  const chain = await openChain(
    enabled.network,
    { rpc: enabled.rpc, votes: enabled.votes ?? "summed", log, timeout_ms: loaded.settings.rpc_timeout_ms },
    io.signal,
  );
  try {
    const judge = traderJudge(chain, store.facts);
    const { label_pack } = loaded.settings;
    const parts = { chain, facts: store, enabled, judge, label_pack, log };
    if (enabled.index === "on_demand") return await openSubjectIndexer(parts).mend(io.signal, mendSums);
    await openNetworkIndexer(parts).mend(io.signal);
    await mendSums();
  } finally {
    await chain.close();
  }
};

const tryToRead = async (
  work: FactsCommand,
  network: string,
  mendSums: () => Promise<void>,
): Promise<string | null> => {
  const entry = work.loaded.settings.networks[network];
  if (entry === undefined) return "the network is not in the configuration";
  try {
    await readAgain(work, enabledNetwork(network, entry), mendSums);
    return null;
  } catch (error) {
    if (work.io.signal.aborted) throw error;
    return messageOf(error);
  }
};

/** Takes the network's lease, so that no other process writes it meanwhile. */
const repairAlone = async (work: FactsCommand, verified: VerificationReport): Promise<Repair> => {
  const { loaded, store, io } = work;
  const { engine } = store;
  const accounts = await openAccountsOnly(
    loaded.settings,
    loaded.data_dir,
    openLog(loaded.settings.log_level, loaded.settings.log_format),
  );
  try {
    const subject = { network: verified.network, engine, leases: accounts.leases, signal: io.signal };
    return await withLease(subject, (own) =>
      repair({ ...work, store: { ...store, engine: own, writer: openWriter(own) } }, verified),
    );
  } finally {
    await accounts.close();
  }
};

/** Record first, then what follows from it. */
const repair = async (work: FactsCommand, verified: VerificationReport): Promise<Repair> => {
  const { store } = work;
  const { network } = verified;
  await store.writer.finals.open(network);
  const taken_back = (await takeBack(store, verified)).map(({ from, to }) => ({ from, to }));
  await mendLayouts(store, verified);
  const is_open = taken_back.length > 0 || verified.unfinished.length > 0;
  const mendSums = async (): Promise<void> => void (await mendBalances(store, network));
  if (!is_open) await mendSums();
  const not_read = is_open ? await tryToRead(work, network, mendSums) : null;
  return { taken_back, not_read };
};

const factsOutput = (verified: VerificationReport) => {
  const { findings, balances, ...rest } = verified;
  return {
    ...rest,
    ok: isSound(verified),
    findings: findings.map(({ from, to, part, ...finding }) => ({ ...finding, from_block: from, to_block: to, part })),
    balances,
  };
};

const complain = (io: CommandIo, verified: VerificationReport): void => {
  const { network, findings, balances, unfinished } = verified;
  for (const { table, from, to, kind, rows_expected, rows_found } of findings)
    io.err(`${network}: ${table}, blocks ${from} to ${to}: ${kind} (${rows_found} rows, expected ${rows_expected})\n`);
  for (const { table, pairs, example } of balances?.wrong ?? [])
    io.err(`${network}: ${table}: ${pairs} wrong sums, one of token 0x${example.token} of 0x${example.holder}\n`);
  for (const { table, from, to, times } of balances?.miscounted ?? [])
    io.err(`${network}: ${table}: the sums of blocks ${from} to ${to} have entered ${times} times\n`);
  for (const table of balances?.misreaching ?? []) io.err(`${network}: ${table}: reaches another block than it says\n`);
  if (balances === null) io.err(`${network}: balances were not compared, because the record or a layout is damaged\n`);
  if (balances?.is_unsettled)
    io.err(`${network}: balances were written all the while: try again, or stop the indexer\n`);
  for (const { from, to } of unfinished)
    io.err(`${network}: blocks ${from} to ${to} are being written or were cut off\n`);
};

const verifyOne = async (work: FactsCommand, network: string, is_repair: boolean) => {
  const verified = await verify(work, network);
  complain(work.io, verified);
  const wanted = is_repair && (!isSound(verified) || verified.unfinished.length > 0);
  if (!wanted) return { ...factsOutput(verified), repair: null };
  const done = await repairAlone(work, verified);
  for (const { from, to } of done.not_read === null ? [] : done.taken_back)
    work.io.err(`${network}: blocks ${from} to ${to} are to be read again (${done.not_read}); 'assay index' does so\n`);
  const after = await verify(work, network);
  complain(work.io, after);
  work.io.err(`${network}: whatever else answers from this store remembers what it read before: start it again\n`);
  return { ...factsOutput(after), repair: { ...done, before: factsOutput(verified) } };
};

const networksOf = async ({ store }: FactsCommand, wanted: string | null): Promise<readonly string[]> => {
  const all = await indexedNetworks(store.engine);
  if (wanted !== null && !all.includes(wanted)) throw new UsageFault(`nothing of network '${wanted}' is stored`);
  return wanted === null ? all : [wanted];
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const action = chosen(
    { verify: "verify", gaps: "gaps", skip: "skip", retry: "retry" } as const,
    word(args, 0, "verify, gaps, skip or retry"),
    "facts action",
  );
  if (action !== "verify") return runGaps(action, args, io);
  if (args.words.length > 1) throw new UsageFault("'facts verify' takes no words");
  const is_repair = flag(args, "repair") !== null;
  const loaded = io.settings();
  const store = await openFactsOnly(loaded.settings, loaded.data_dir);
  try {
    const work = { loaded, store, io };
    const networks = [];
    for (const network of await networksOf(work, flag(args, "network")))
      networks.push(await verifyOne(work, network, is_repair));
    const lost_parts: readonly LostTablePart[] = await readLostParts(store.engine);
    const ok = networks.every((one) => one.ok);
    printData(io, { ok, networks, lost_parts });
    for (const { table, name } of lost_parts) io.err(`the engine once set a damaged part aside: ${table}/${name}\n`);
    if (ok) io.err("Everything fits together.\n");
    return ok ? EXIT.ok : EXIT.error;
  } finally {
    await store.close();
  }
};
