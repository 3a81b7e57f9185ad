import { type Gap, readGapRecords, readGaps, writeGapRecord } from "../store/gaps.ts";
import type { FactsStore } from "../store/open.ts";
import { indexedNetworks } from "../store/verify/index.ts";
import { openFactsOnly } from "../wiring/stores.ts";
import { type CommandArgs, type CommandIo, EXIT, flag, printData, UsageFault, word } from "./command.ts";

const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const gapOutput = ({ first_asked_ms, last_asked_ms, ...gap }: Gap) => ({
  ...gap,
  first_asked_at: time(first_asked_ms),
  last_asked_at: time(last_asked_ms),
});

const listGaps = async (store: FactsStore, wanted: string | null) => {
  const all = await indexedNetworks(store.engine);
  if (wanted !== null && !all.includes(wanted)) throw new UsageFault(`nothing of network '${wanted}' is stored`);
  const networks = wanted === null ? all : [wanted];
  return Promise.all(
    networks.map(async (network) => ({ network, gaps: (await readGaps(store.engine, network)).map(gapOutput) })),
  );
};

const blockOf = (args: CommandArgs): number => {
  const text = word(args, 2, "the block");
  if (!/^\d{1,15}$/.test(text)) throw new UsageFault(`a block is a whole number, not '${text}'`);
  return Number(text);
};

/** `skip` gives a refused block up for good; `retry` has the indexer ask for it at its next look. */
const decide = async (store: FactsStore, action: "skip" | "retry", args: CommandArgs) => {
  const network = word(args, 1, "the network");
  const block = blockOf(args);
  if (args.words.length > 3) throw new UsageFault(`'facts ${action}' takes a network and one block`);
  const records = await readGapRecords(store.engine, network);
  const record = records.find(
    ({ kind, from_block, to_block }) => kind === "refused" && from_block <= block && block <= to_block,
  );
  if (record === undefined)
    throw new UsageFault(`block ${block} of '${network}' is not a refused block; 'facts gaps' lists those`);
  const state = action === "skip" ? "accepted" : "open";
  await writeGapRecord(store.writer, network, { ...record, state, ask_ms: action === "skip" ? record.ask_ms : 0 });
  const { from_block, to_block, check_name } = record;
  return { network, from_block, to_block, state, check_name };
};

/** Recorded gaps (docs/operating/facts.md). Works beside a running service. */
export const runGaps = async (action: "gaps" | "skip" | "retry", args: CommandArgs, io: CommandIo): Promise<number> => {
  const loaded = io.settings();
  const store = await openFactsOnly(loaded.settings, loaded.data_dir);
  try {
    if (action === "gaps") printData(io, { networks: await listGaps(store, flag(args, "network")) });
    else printData(io, await decide(store, action, args));
    return EXIT.ok;
  } finally {
    await store.close();
  }
};
