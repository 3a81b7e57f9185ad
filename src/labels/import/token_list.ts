import { isRecord } from "../../lib/record.ts";
import { TEXT_BYTES_MAX } from "../../lib/text.ts";
import {
  Collector,
  cleanListText,
  dayOf,
  type ImportScope,
  type ListedToken,
  ListFault,
  type ParsedList,
  readListJson,
} from "./parsed_list.ts";

const DECIMALS_MAX = 255;

/** Networks by chain id. */
const networksById = (scope: ImportScope): ReadonlyMap<number, { readonly id: string; readonly family: string }> =>
  new Map([...scope.networks].map(([id, { family, chain_id }]) => [chain_id, { id, family }]));

const versionOf = (version: unknown): string => {
  if (!isRecord(version)) return "";
  const parts = [version.major, version.minor, version.patch].map((part) => (typeof part === "number" ? part : 0));
  return parts.join(".");
};

/** A token list (Uniswap standard: name, timestamp, version, tokens of chainId, address, symbol, name, decimals). */
export const parseTokenList = (text: string, scope: ImportScope): ParsedList => {
  const file = readListJson(text);
  if (!isRecord(file) || !Array.isArray(file.tokens)) throw new ListFault("a token list has a list `tokens`");
  const known = networksById(scope);
  const tokenOf = (row: unknown): ListedToken | string => {
    if (!isRecord(row)) return "not an object";
    const network = typeof row.chainId === "number" ? known.get(row.chainId) : undefined;
    if (network === undefined) return "the chain id belongs to no known network";
    const token = scope.parseAddress(network.family, cleanListText(row.address));
    if (token === null) return "not an address of its network, or its checksum is wrong";
    const { decimals } = row;
    if (typeof decimals !== "number" || !Number.isInteger(decimals) || decimals < 0 || decimals > DECIMALS_MAX)
      return "decimals is not a whole number up to 255";
    const symbol = cleanListText(row.symbol, TEXT_BYTES_MAX.symbol);
    if (symbol === "") return "no symbol";
    const logo_uri = cleanListText(row.logoURI, TEXT_BYTES_MAX.uri);
    return { network: network.id, token, symbol, name: cleanListText(row.name), decimals, logo_uri };
  };
  const collector = new Collector<ListedToken>(({ network, token }) => `${network}:${token}`);
  for (const row of file.tokens) collector.take(tokenOf(row), row);
  return {
    kind: "tokens",
    ...collector.found,
    version: versionOf(file.version),
    published_on: dayOf(file.timestamp),
  };
};
