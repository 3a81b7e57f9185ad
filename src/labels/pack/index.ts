/**
 * The label pack: whose contract an address is, by lists that were published under free licences (NOTICE.md, sources.json).
 * It is read when a name is first asked for, one network at a time.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { fromBase58, fromBase58Check } from "../../lib/base58.ts";
import { type Bytes, fromHex, type Hex, toHex } from "../../lib/bytes.ts";

export interface PackLabel {
  readonly entity: string;
  readonly label: string;
  readonly category: string;
}

/** Rows of this network hold on every EVM network. */
const EVERYWHERE = "evm";

let lines: readonly string[] | null = null;
const networks = new Map<string, ReadonlyMap<Hex, PackLabel>>();

const readLines = (): readonly string[] => {
  lines ??= gunzipSync(readFileSync(join(import.meta.dirname, "rows.tsv.gz")))
    .toString("utf8")
    .split("\n");
  return lines;
};

/** How addresses are written where they are not hex. */
const READERS: Readonly<Record<string, (text: string) => Bytes | null>> = {
  solana: fromBase58,
  tron: (text) => fromBase58Check(text)?.subarray(1) ?? null,
};

const rowOf = (line: string): readonly [Hex, PackLabel] => {
  const [network = "", address = "", entity = "", label = "", category = ""] = line.split("\t");
  const whole = label.startsWith("=") ? label.slice(1) : `${entity}: ${label}`;
  const bytes = (READERS[network] ?? fromHex)(address);
  if (bytes === null) throw new RangeError(`label pack: no address: ${line}`);
  return [toHex(bytes), { entity, label: whole, category }];
};

const labelsOf = (network: string): ReadonlyMap<Hex, PackLabel> => {
  const known = networks.get(network);
  if (known !== undefined) return known;
  const own = readLines().filter((line) => line.startsWith(`${network}\t`));
  const shared = readLines().filter((line) => line.startsWith(`${EVERYWHERE}\t`));
  // What is said of one network wins over what is said of all.
  const labels = new Map([...shared, ...own].map(rowOf));
  networks.set(network, labels);
  return labels;
};

/** Whose an address is; null when the pack does not say. */
export const packLabel = (network: string, address: Hex): PackLabel | null => labelsOf(network).get(address) ?? null;
