/** 'assay track' and 'assay untrack': the addresses of networks that are read on demand. Both work beside a running service. */

import { ADDRESSES } from "../chains/addresses.ts";
import type { Network } from "../chains/chain.ts";
import { addressIn, networkFromConfig } from "../chains/networks/from_config.ts";
import type { Settings } from "../config/settings.ts";
import type { FactsStore } from "../store/open.ts";
import { readProgress } from "../store/subjects/progress.ts";
import { writeWishes } from "../store/subjects/records.ts";
import { openFactsOnly } from "../wiring/stores.ts";
import { type CommandArgs, type CommandIo, EXIT, flag, printData, UsageFault } from "./command.ts";
import { table } from "./table.ts";

const networksOnDemand = ({ networks }: Settings): readonly string[] =>
  Object.entries(networks).flatMap(([id, { index }]) => (index === "on_demand" ? [id] : []));

/** The network of `--network`, or the only one that is read on demand. */
const networkOf = (args: CommandArgs, settings: Settings): string => {
  const known = networksOnDemand(settings);
  const asked = flag(args, "network");
  if (known.length === 0)
    throw new UsageFault("no network is read on demand: 'assay network add NAME --rpc URL --on-demand' adds one");
  if (asked !== null && !known.includes(asked))
    throw new UsageFault(`'${asked}' is not read on demand; these networks are: ${known.join(", ")}`);
  const [only] = known;
  if (asked === null && (known.length > 1 || only === undefined))
    throw new UsageFault(`name the network: --network ${known.join(" or ")}`);
  return asked ?? only ?? "";
};

/** @throws AssayError CONFIG */
const configured = (id: string, { networks }: Settings): Pick<Network, "id" | "family"> => {
  const entry = networks[id];
  return entry === undefined ? { id, family: "evm" } : networkFromConfig({ id, ...entry });
};

const progressOf = async ({ engine }: FactsStore, { id, family }: Pick<Network, "id" | "family">) =>
  (await readProgress(engine, id)).map(({ subject, asked_by, ...progress }) => ({
    address: ADDRESSES[family].formatAddress(subject),
    ...progress,
    asked_by: asked_by === "" ? "operator" : asked_by,
  }));

const COLUMNS = ["ADDRESS", "STATE", "FOUND", "READ", "FROM", "TO", "SEARCH", "REQUESTS", "PROBLEM"];

const show = async (store: FactsStore, network: Pick<Network, "id" | "family">, io: CommandIo): Promise<void> => {
  const addresses = await progressOf(store, network);
  if (io.json) return printData(io, { network: network.id, addresses });
  const rows = addresses.map((one) => [
    ...[
      one.address,
      one.state,
      one.blocks_found,
      one.blocks_read,
      one.from_block,
      one.to_block,
      one.search,
      one.requests,
    ],
    one.problem,
  ]);
  io.out(table(COLUMNS, rows));
};

const change =
  (wish: "track" | "untrack") =>
  async (args: CommandArgs, io: CommandIo): Promise<number> => {
    const { settings, data_dir } = io.settings();
    const network = networkOf(args, settings);
    const known = configured(network, settings);
    const subjects = args.words.map((text) => addressIn(known, text));
    if (wish === "untrack" && subjects.length === 0) throw new UsageFault("name the addresses");
    const store = await openFactsOnly(settings, data_dir);
    try {
      if (subjects.length > 0) {
        await writeWishes(store.writer, network, { subjects, wish, asked_by: "" });
        io.err(
          wish === "track"
            ? `the indexer of ${network} reads ${subjects.length} addresses; 'assay track --network ${network}' shows how far\n`
            : `${network} follows ${subjects.length} addresses no more; what is stored stays\n`,
        );
      }
      await show(store, known, io);
      return EXIT.ok;
    } finally {
      await store.close();
    }
  };

export const track = { run: change("track") };
export const untrack = { run: change("untrack") };
