import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NETWORKS } from "../chains/networks/index.ts";
import { maskUrl } from "../lib/log.ts";
import {
  type CommandArgs,
  type CommandIo,
  EXIT,
  flag,
  numberFlag,
  onlyFlags,
  printData,
  UsageFault,
  word,
} from "./command.ts";

const list = (io: CommandIo): number => {
  const { settings } = io.settings();
  const known = NETWORKS.map(({ id, name, chain_id }) => ({ id, name, chain_id, known: true }));
  const own = Object.entries(settings.networks)
    .filter(([id]) => !known.some((network) => network.id === id))
    .map(([id, entry]) => ({ id, name: id, chain_id: entry.chain_id ?? null, known: false }));
  const rows = [...known, ...own].map((network) => {
    const entry = settings.networks[network.id];
    return {
      ...network,
      enabled: entry !== undefined,
      rpc: entry?.rpc.map(maskUrl) ?? [],
      from_block: entry?.from_block ?? null,
    };
  });
  if (io.json) printData(io, { networks: rows });
  else {
    for (const row of rows) {
      io.out(
        `${row.enabled ? "on " : "   "} ${row.id.padEnd(14)} ${String(row.chain_id).padEnd(9)} ${row.rpc.join(" ")}\n`,
      );
    }
  }
  return EXIT.ok;
};

/** Adds one entry to the configuration file (made when there is none), keeping everything else in it. */
const add = (args: CommandArgs, io: CommandIo): number => {
  const id = word(args, 1, "the network's id");
  const rpc = args.flags.rpc ?? [];
  if (rpc.length === 0) throw new UsageFault("give the node's address with --rpc URL");
  const known = NETWORKS.some((network) => network.id === id);
  const chain_id = numberFlag(args, "chain-id");
  if (!known && chain_id === null) {
    throw new UsageFault(`'${id}' is not a known network: give --chain-id N and --native SYMBOL as well`);
  }
  const loaded = io.settings();
  const file = loaded.file ?? join(io.checkout, "assay.config.json");
  // A file that was just read as settings is a JSON object.
  const tree = (loaded.file === null ? {} : JSON.parse(readFileSync(file, "utf8"))) as {
    networks?: Record<string, unknown>;
  };
  const entry = {
    ...(known ? {} : { family: "evm", chain_id, native: { symbol: flag(args, "native") ?? "ETH", decimals: 18 } }),
    rpc,
    from_block: numberFlag(args, "from-block") ?? 0,
  };
  tree.networks = { ...tree.networks, [id]: entry };
  writeFileSync(file, `${JSON.stringify(tree, null, 2)}\n`);
  io.err(`wrote ${file}; check it with 'assay doctor'\n`);
  printData(io, { id, file });
  return EXIT.ok;
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  onlyFlags(args, ["config", "json", "rpc", "chain-id", "native", "from-block"]);
  const action = word(args, 0, "add or list");
  if (action === "list") return list(io);
  if (action === "add") return add(args, io);
  throw new UsageFault(`'network ${action}' does not exist`);
};
