import type { ListedLabel } from "../source.ts";
import { labelKey } from "./label_targets.ts";
import { Collector, cleanListText, type ImportScope, type ParsedList } from "./parsed_list.ts";

/** A line: `ADDRESS - Network or coin, hot or cold wallet`. */
const LINE = /^(\S+)\s+-\s+(.+)$/;

/** The file's name of a network -> its id here. Rows of other chains are rejected. */
const NETWORKS: readonly (readonly [said: RegExp, network: string])[] = [
  [/^eth\/erc20\b/i, "ethereum"],
  [/^polygon\b|\(polygon\)/i, "polygon"],
  [/^avalanche \((c-chain|old)\)/i, "avalanche"],
  [/^tron\b/i, "tron"],
  [/^solana\b|\(solana\)/i, "solana"],
];

const CONFIDENCE = 0.99;

const labelOf = (line: string, scope: ImportScope): ListedLabel | string => {
  const [, written = "", what = ""] = LINE.exec(line) ?? [];
  if (written === "") return "not `ADDRESS - what it is`";
  const network = NETWORKS.find(([said]) => said.test(what))?.[1];
  if (network === undefined) return "of a chain that this project does not index";
  const family = scope.networks.get(network)?.family ?? "";
  const address = scope.parseAddress(family, written);
  if (address === null) return "not an address of its network, or its checksum is wrong";
  return {
    ...{ network, address, label: cleanListText(`Bitfinex: ${what}`), category: "exchange", entity: "Bitfinex" },
    ...{ confidence: CONFIDENCE, evidence: "", licence: "", published_on: "" },
  };
};

/** The wallets that Bitfinex publishes (`wallets.txt` of bitfinexcom/pub), for networks that this project knows. */
export const parseBitfinexWallets = (text: string, scope: ImportScope): ParsedList => {
  const collector = new Collector<ListedLabel>(labelKey);
  for (const [at, line] of text
    .split(/\r?\n/)
    .map((one) => one.trim())
    .entries()) {
    if (line !== "") collector.take(labelOf(line, scope), line, at + 1);
  }
  return { kind: "labels", ...collector.found, version: "", published_on: "" };
};
