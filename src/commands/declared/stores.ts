/** Commands on networks, imported lists and stored facts. */
import type { ListedCommand } from "./listed.ts";

const [ADD, SET] = [["add"], ["add", "set"]];
const ON_DEMAND_NETWORK = {
  name: "network",
  value: "ID",
  summary: "The network (default: the only one that is read on demand).",
};
const FORMAT_TAKERS = ["import", "score"];

const SOURCES: readonly ListedCommand[] = [
  {
    name: "network",
    usage:
      "list | add ID --rpc URL [--rpc URL] [--from-block N] [--on-demand] [--new [--native SYMBOL]] [--unasked [--chain-id N]]\n" +
      "       | set ID [--rpc URL…] [--from-block N] [name=value…] | remove ID [--facts --yes] | reset ID [--from-block N] --yes",
    summary: "Add, change, remove or reindex networks of the configuration file, also while a service runs.",
    actions: ["list", "add", "set", "remove", "reset"],
    flags: [
      { name: "rpc", value: "URL", summary: "The address of a node; repeat the flag for each node.", actions: SET },
      { name: "header", value: '"NAME: VALUE"', summary: "Send this header to every node of --rpc.", actions: SET },
      { name: "from-block", value: "N", summary: "Index no block below this one.", actions: [...SET, "reset"] },
      { name: "on-demand", summary: "Read only addresses that calls name or that are tracked.", actions: ADD },
      { name: "new", summary: "Add a custom chain instead of a known network.", actions: ADD },
      { name: "native", value: "SYMBOL", summary: "The symbol of its native coin (default: ETH).", actions: ADD },
      { name: "chain-id", value: "N", summary: "The chain id of a custom chain.", actions: ADD },
      { name: "unasked", summary: "Write the entry without contacting its nodes.", actions: ADD },
      { name: "facts", summary: "Also drop the stored facts of the network.", actions: ["remove"] },
      { name: "yes", summary: "Confirm dropping stored facts.", actions: ["remove", "reset"] },
    ],
    example: "assay network add ethereum --rpc http://127.0.0.1:8545",
    load: () => import("../network.ts"),
  },
  {
    name: "track",
    usage: "[ADDRESS…] [--network ID]",
    summary: "Read and follow addresses of a network that is read on demand, and show how far each one is.",
    flags: [ON_DEMAND_NETWORK],
    example: "assay track 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 --network ethereum",
    needs_engines: true,
    load: async () => (await import("../track.ts")).track,
  },
  {
    name: "untrack",
    usage: "ADDRESS… [--network ID]",
    summary: "Stop following addresses of a network that is read on demand; their stored blocks stay.",
    flags: [ON_DEMAND_NETWORK],
    example: "assay untrack 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 --network ethereum",
    needs_engines: true,
    load: async () => (await import("../track.ts")).untrack,
  },
  {
    name: "labels",
    usage:
      "import FILE --format FORMAT --list NAME [--network ID|evm]… [--licence TEXT] [--origin TEXT] | fetch NAME…|--all [--from FILE|URL] [--accept-smaller] | lists | remove LIST | score FILE --format FORMAT [--network ID|evm]… | suppress ADDRESS [--reason TEXT] | unsuppress ADDRESS",
    summary:
      "Import label, sanctions and token lists, fetch published ones, list or remove them, score derived labels, and hide an address's personal records.",
    actions: ["import", "fetch", "lists", "remove", "score", "suppress", "unsuppress"],
    flags: [
      {
        name: "format",
        value: "FORMAT",
        summary: "The format of the file (docs/operating/command-line.md lists them).",
        actions: FORMAT_TAKERS,
      },
      { name: "list", value: "NAME", summary: "The list that the file replaces.", actions: ["import"] },
      {
        name: "network",
        value: "ID|evm",
        summary: "Network of rows without one; evm means every enabled EVM network. Repeat the flag for each network.",
        actions: FORMAT_TAKERS,
      },
      { name: "licence", value: "TEXT", summary: "The licence of the list.", actions: ["import"] },
      { name: "origin", value: "TEXT", summary: "Where the list comes from.", actions: ["import"] },
      { name: "all", summary: "Fetch every published list.", actions: ["fetch"] },
      {
        name: "from",
        value: "FILE|URL",
        summary: "Read the list from here instead of its publisher.",
        actions: ["fetch"],
      },
      { name: "accept-smaller", summary: "Also import a list that lost many of its entries.", actions: ["fetch"] },
      { name: "reason", value: "TEXT", summary: "Why the records are hidden.", actions: ["suppress"] },
    ],
    example: "assay labels import sdn.xml --format ofac-xml --list ofac",
    load: () => import("../labels.ts"),
  },
];

const FACTS: readonly ListedCommand[] = [
  {
    name: "facts",
    usage: "verify [--network N] [--repair] | gaps [--network N] | skip NETWORK BLOCK | retry NETWORK BLOCK",
    summary:
      "Compare record, ledgers, places and balances with each other and repair differences; list recorded gaps, skip or retry a refused block.",
    actions: ["verify", "gaps", "skip", "retry"],
    flags: [
      { name: "network", value: "N", summary: "Only this network.", actions: ["verify", "gaps"] },
      { name: "repair", summary: "Repair differences.", actions: ["verify"] },
    ],
    example: "assay facts verify --network ethereum",
    load: () => import("../facts.ts"),
  },
];

const COPIES: readonly ListedCommand[] = [
  {
    name: "backup",
    usage: "FOLDER",
    summary: "Copy both stores to a new folder while the service runs.",
    flags: [],
    example: "assay backup /var/backups/assay-2026-11-27",
    load: () => import("../backup.ts"),
  },
  {
    name: "restore",
    usage: "FOLDER",
    summary: "Restore a backup into the empty data folder of the configuration and verify it.",
    flags: [],
    example: "assay restore /var/backups/assay-2026-11-27",
    load: () => import("../restore.ts"),
  },
];

export const STORES = { sources: SOURCES, facts: FACTS, copies: COPIES };
