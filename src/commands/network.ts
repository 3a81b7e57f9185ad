import { openChain } from "../chains/families.ts";
import { FAMILY_TRAITS } from "../chains/family_traits.ts";
import { networkFromConfig } from "../chains/networks/from_config.ts";
import { NETWORKS, networkById } from "../chains/networks/index.ts";
import { maskedAddress, type RpcAddress } from "../chains/node/rpc_address.ts";
import type { EndpointReport } from "../chains/open_chain.ts";
import { filledIn } from "../config/rpc.ts";
import type { NetworkSettings } from "../config/settings.ts";
import { silentLog } from "../lib/log.ts";
import { nearest } from "../lib/nearest.ts";
import {
  type CommandArgs,
  type CommandIo,
  chosen,
  EXIT,
  flag,
  numberFlag,
  printData,
  UsageFault,
  word,
} from "./command.ts";
import { remove, reset, set } from "./network_change.ts";
import { awaitService, changeEntry, refuse } from "./network_file.ts";
import { fetchChainId, hasSecrets, makePrivate, nodesIn } from "./node_argument.ts";
import { table } from "./table.ts";

const enabledRpc = (entry: NetworkSettings | undefined): readonly RpcAddress[] =>
  (entry?.rpc ?? []).map((one) => filledIn(one));

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
      rpc: enabledRpc(entry).map(maskedAddress),
      from_block: entry?.from_block ?? null,
    };
  });
  if (io.json) printData(io, { networks: rows });
  else {
    const cells = rows.map((row) => [row.id, row.chain_id, row.enabled ? "yes" : "", row.from_block ?? "", row.rpc]);
    io.out(table(["NETWORK", "CHAIN ID", "ENABLED", "FROM BLOCK", "NODES"], cells));
  }
  return EXIT.ok;
};

/** An entry of the configuration, as far as this command writes it. */
type NetworkEntry = Pick<NetworkSettings, "from_block"> & { readonly rpc: readonly RpcAddress[] } & Partial<
    Pick<NetworkSettings, "family" | "chain_id" | "native" | "index">
  >;

/** The entry of an EVM chain that is not known by name. */
const ownChain = async (args: CommandArgs, { id, rpc }: { id: string; rpc: readonly RpcAddress[] }, io: CommandIo) => {
  const given = numberFlag(args, "chain-id");
  const [first] = rpc;
  if (flag(args, "unasked") !== null && given === null)
    throw new UsageFault(`'${id}' is not a known network: --unasked needs its --chain-id N`);
  const chain_id = given ?? (first === undefined ? 0 : await fetchChainId(first, io.signal));
  const known = NETWORKS.find(
    (network) =>
      FAMILY_TRAITS[network.family].has_chain_id && network.chain_id === chain_id && !network.id.startsWith("demo"),
  );
  if (known !== undefined)
    throw new UsageFault(
      `the node serves chain ${chain_id}, which is known as '${known.id}': assay network add ${known.id} with the same --rpc`,
    );
  return { family: "evm" as const, chain_id, native: { symbol: flag(args, "native") ?? "ETH", decimals: 18 } };
};

/** Checks each node with the code that will read it. @throws AssayError CONFIG */
const probeAll = async (id: string, entry: NetworkEntry, signal: AbortSignal): Promise<readonly EndpointReport[]> => {
  const chain = await openChain(networkFromConfig({ id, ...entry }), { rpc: entry.rpc, log: silentLog }, signal);
  try {
    const reports = await chain.probe(signal);
    const ill = reports.find(({ traits, problem }) => traits === null || problem !== null);
    if (ill !== undefined)
      throw refuse(
        `${ill.endpoint}: ${ill.problem ?? "no answer"}. Nothing was written; --unasked writes the entry all the same`,
      );
    return reports;
  } finally {
    await chain.close();
  }
};

/** The first block that nodes still have, where they do not keep all. */
const firstBlockOf = (reports: readonly EndpointReport[]): number =>
  Math.max(
    0,
    ...reports.flatMap(({ traits }) =>
      traits !== null && "first_slot" in traits && typeof traits.first_slot === "number" ? [traits.first_slot] : [],
    ),
  );

/** Checks the nodes and adds an entry to the configuration file, which it creates when missing and otherwise preserves. */
const add = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const id = word(args, 1, "the network's id");
  const rpc = nodesIn(args);
  const is_known = networkById(id) !== null;
  const is_on_demand = flag(args, "on-demand") !== null;
  const { account_past } = FAMILY_TRAITS[networkById(id)?.family ?? "evm"];
  if (!is_known) checkNearName(id, args);
  const from = numberFlag(args, "from-block");
  if (is_on_demand && account_past === "bare_lists" && (from ?? 0) > 0)
    throw new UsageFault(
      `--from-block is not possible with --on-demand: no node of ${id} tells the balances at a later block, so histories begin with the first one`,
    );
  const entry: NetworkEntry = {
    ...(is_known ? {} : await ownChain(args, { id, rpc }, io)),
    rpc: [...rpc],
    from_block: from ?? 0,
    ...(is_on_demand ? { index: "on_demand" as const } : {}),
  };
  const loaded = io.settings();
  if (flag(args, "unasked") === null) {
    const reports = await probeAll(id, entry, io.signal);
    if (is_on_demand && account_past === "old_states" && !reports.some(({ traits }) => traits?.archive === true))
      throw refuse("--on-demand needs an archive node: none of these has old states. Nothing was written");
    if (is_on_demand && account_past === "bare_lists" && !reports.some(({ traits }) => traits?.lists_accounts === true))
      throw refuse(
        `--on-demand needs a node that lists an account's transactions: none of these serves /v1/accounts, as TronGrid does, and a full node alone cannot. Nothing was written`,
      );
    entry.from_block = from ?? firstBlockOf(reports);
    for (const { endpoint, traits } of reports)
      io.err(`${endpoint}: ${traits?.client ?? "a node"}, chain ${traits?.chain_id}, newest block ${traits?.head}\n`);
  }
  const file = changeEntry(loaded, id, () => ({ ...entry }));
  if (hasSecrets(rpc)) {
    makePrivate(file);
    io.err(`${file} holds secrets: only its owner may read it (mode 0600)
`);
  }
  io.err(
    is_on_demand
      ? `wrote ${file}: './assay up' reads ${id} on demand; 'assay track ADDRESS --network ${id}' begins with one address\n`
      : `wrote ${file}: './assay up' indexes ${id} from block ${entry.from_block}\n`,
  );
  await awaitService(io, { id, is: "there" });
  printData(io, { id, file, ...entry, rpc: entry.rpc.map(maskedAddress) });
  return EXIT.ok;
};

/** Rejects a name close to a known network's: a custom chain needs --new. */
const checkNearName = (id: string, args: CommandArgs): void => {
  if (flag(args, "chain-id") !== null || flag(args, "new") !== null) return;
  const names = NETWORKS.filter((network) => !network.id.startsWith("demo"));
  const guess = nearest(
    id,
    names.map((network) => network.id),
  );
  throw new UsageFault(
    `'${id}' is not a known network${guess === null ? "" : `. Did you mean ${guess}?`} 'assay network list' names them; for a chain of your own add --new, or its --chain-id N`,
  );
};

const actions = { list: async (_: CommandArgs, io: CommandIo) => list(io), add, set, remove, reset };

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  return chosen(actions, word(args, 0, "add, set, remove, reset or list"), "network command")(args, io);
};
