import type { ListedLabel } from "../source.ts";
import { csvRows } from "./csv_rows.ts";
import { labelKey } from "./label_targets.ts";
import { Collector, cleanListText, type ImportScope, ListFault, type ParsedList } from "./parsed_list.ts";

/** The file's first part lists sums by coin; this line begins the addresses. */
const HEADER = /^coin\s*,.*\baddress\b.*\bmessage\b/im;
const MESSAGE = "I am an OKX address";

/** The file's name of a network -> its id here. */
const NETWORKS: Readonly<Record<string, string>> = {
  ...{ ETH: "ethereum", ERC20: "ethereum", TRON: "tron", TRC20: "tron", SOL: "solana", SOLANA: "solana" },
  ...{ BSC: "bsc", POLY: "polygon", POLYGON: "polygon", AVAXC: "avalanche", "AVAX-C": "avalanche" },
  ...{ ARBITRUM: "arbitrum", ARB: "arbitrum", OPTIMISM: "optimism", BASE: "base", LINEA: "linea", ZKSYNC: "zksync" },
};

const CONFIDENCE = 0.99;

const labelOf = (row: Readonly<Record<string, string>>, scope: ImportScope): ListedLabel | string => {
  // Without it no signature proves that the address is the exchange's.
  if (row.message !== MESSAGE) return "no statement that the address is the exchange's";
  const network = NETWORKS[(row.network ?? "").toUpperCase()];
  if (network === undefined) return "of a chain that this project does not index";
  const family = scope.networks.get(network)?.family ?? "";
  const address = scope.parseAddress(family, row.address ?? "");
  if (address === null) return "not an address of its network, or its checksum is wrong";
  return {
    ...{ network, address, label: cleanListText("OKX: reserves"), category: "exchange", entity: "OKX" },
    ...{ confidence: CONFIDENCE, evidence: "", licence: "", published_on: "" },
  };
};

/** The proof of reserves that OKX publishes each month: a CSV of addresses with the messages that their keys signed. */
export const parseOkxReserves = (text: string, scope: ImportScope): ParsedList => {
  const at = text.search(HEADER);
  if (at < 0) throw new ListFault("the file has no line that begins the addresses: coin, network, address, message");
  const collector = new Collector<ListedLabel>(labelKey);
  for (const row of csvRows(text.slice(at), text.slice(0, at).split("\n").length))
    collector.take(labelOf(row, scope), row);
  return { kind: "labels", ...collector.found, version: "", published_on: "" };
};
