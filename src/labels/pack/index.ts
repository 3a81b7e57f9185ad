/**
 * The label pack: owners of addresses, from lists under free licences (NOTICE.md, sources.json). It is read on first
 * use.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { fromBase58 } from "../../lib/base58.ts";
import { type Bytes, type Hex, hex, toHex } from "../../lib/bytes.ts";
import { EVERY_EVM } from "../../lib/every_evm.ts";
import type { ListedLabel } from "../source.ts";

export type PackLabel = Pick<ListedLabel, "entity" | "label" | "category">;

/** Name of the pack's list in a store. */
export const PACK_LIST = "pack";

/** Provenance tables: each row refers to one entry of each. */
interface PackOrigins {
  /** The day on which the pack was made. */
  readonly version: string;
  /** URLs at a fixed commit or version. */
  readonly evidence: readonly string[];
  /** `sources`: each `SOURCE: file`, the name of a source as `label_pack.leave_out` takes it. */
  readonly origins: readonly {
    readonly sources: readonly string[];
    readonly licence: string;
    readonly published_on: string;
  }[];
}

const fileOf = (name: string): Buffer => readFileSync(join(import.meta.dirname, name));

let lines: readonly string[] | null = null;
let published: PackOrigins | null = null;
const networks = new Map<string, ReadonlyMap<Hex, PackLabel>>();

const readLines = (): readonly string[] => {
  lines ??= gunzipSync(fileOf("rows.tsv.gz")).toString("utf8").trimEnd().split("\n");
  return lines;
};

const readPublished = (): PackOrigins => {
  // Written by scripts/label_pack.mjs.
  published ??= JSON.parse(fileOf("sources.json").toString("utf8")) as PackOrigins;
  return published;
};

const hexOf = (bytes: Bytes | null | undefined): Hex | null => (bytes ? toHex(bytes) : null);

/**
 * Readers of addresses that are not hex. Checksums of Tron's are right (a test checks them); hashing 388 would add 15
 * ms to a start.
 */
const READERS: Readonly<Record<string, (text: string) => Hex | null>> = {
  solana: (text) => hexOf(fromBase58(text)),
  tron: (text) => hexOf(fromBase58(text)?.subarray(1, 21)),
};

const labelOf = (cells: readonly string[]) => {
  const [network = "", written = "", entity = "", label = "", category = ""] = cells;
  const whole = label.startsWith("=") ? label.slice(1) : `${entity}: ${label}`;
  const address = (READERS[network] ?? hex)(written);
  if (address === null) throw new RangeError(`label pack: not an address: ${cells.join(" ")}`);
  return { network, address, entity, label: whole, category };
};

const labelsOf = (network: string): ReadonlyMap<Hex, PackLabel> => {
  const known = networks.get(network);
  if (known !== undefined) return known;
  const of = (id: string) => readLines().filter((line) => line.startsWith(`${id}\t`));
  // A row of the network wins over a row of all networks.
  const rows = [...of(EVERY_EVM), ...of(network)].map((line) => labelOf(line.split("\t")));
  const labels = new Map(rows.map(({ address, entity, label, category }) => [address, { entity, label, category }]));
  networks.set(network, labels);
  return labels;
};

/** Owner of an address; null when the pack does not list it. */
export const packLabel = (network: string, address: Hex): PackLabel | null => labelsOf(network).get(address) ?? null;

const nameOf = (source: string): string => source.slice(0, source.indexOf(": "));

/** The lists that the pack was made of, as `label_pack.leave_out` names them. */
export const packSources = (): readonly string[] => [
  ...new Set(readPublished().origins.flatMap(({ sources }) => sources.map(nameOf))),
];

export const packVersion = (): string => readPublished().version;

/** Confidence that a second, independent origin adds to a row. */
const SECOND_ORIGIN = 0.1;

/** Shared data of an origin's rows, without left-out sources; null when all of them are left out. */
const leftOf = ({ sources, licence, published_on }: PackOrigins["origins"][number], leave_out: readonly string[]) => {
  const left = sources.filter((source) => !leave_out.includes(nameOf(source)));
  if (left.length === 0) return null;
  return { licence, published_on, others: left.length === sources.length ? null : left.join("; ") };
};

/**
 * Every row of the pack in the format of a label list. A row of which only some sources are left out stays, with less
 * confidence, and names the others.
 */
export const packLabels = (leave_out: readonly string[]): readonly ListedLabel[] => {
  const { evidence, origins } = readPublished();
  const left = origins.map((origin) => leftOf(origin, leave_out));
  const labels: ListedLabel[] = [];
  for (const line of readLines()) {
    const cells = line.split("\t");
    const origin = left[Number(cells[7])];
    if (origin === undefined) throw new RangeError(`label pack: unknown origin: ${line}`);
    if (origin === null) continue;
    const { licence, published_on, others } = origin;
    const { network, address, entity, label, category } = labelOf(cells);
    const sure = Number(cells[5]) / 100;
    labels.push({
      ...{ network, address, entity, label, category, licence, published_on },
      confidence: others === null ? sure : Math.round((sure - SECOND_ORIGIN) * 100) / 100,
      evidence: others ?? evidence[Number(cells[6])] ?? "",
    });
  }
  return labels;
};
