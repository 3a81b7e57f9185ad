import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createGunzip } from "node:zlib";
import { ADDRESSES } from "../chains/addresses.ts";
import type { Family } from "../chains/chain.ts";
import { NETWORKS } from "../chains/networks/index.ts";
import { INDEXED_LABEL_SOURCES } from "../labels/derived_labels.ts";
import { parseBitfinexWallets } from "../labels/import/bitfinex_wallets.ts";
import { parseDomains } from "../labels/import/domains.ts";
import { parseForta } from "../labels/import/forta.ts";
import { joinParsed } from "../labels/import/join_parsed.ts";
import { parseLabels } from "../labels/import/label_rows.ts";
import { parseOfac } from "../labels/import/ofac.ts";
import { parseOkxReserves } from "../labels/import/okx_reserves.ts";
import { type ImportRefusal, type ImportScope, ListFault, type ParsedList } from "../labels/import/parsed_list.ts";
import { parseSanctions } from "../labels/import/sanctions_generic.ts";
import { parseSanctionsLines } from "../labels/import/sanctions_lines.ts";
import { parseScamSniffer } from "../labels/import/scam_sniffer.ts";
import { parseTagPack, parseTagPackCsv } from "../labels/import/tagpack.ts";
import { parseTokenList } from "../labels/import/token_list.ts";
import { LABEL_SOURCES } from "../labels/index.ts";
import { PACK_LIST } from "../labels/pack/index.ts";
import type { Hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import { countSanctioned, currentLists, type ListDifference, type ListHead, replaceList } from "../store/lists.ts";
import type { FactsStore } from "../store/open.ts";

/** Formats of `--format`. */
export const LIST_FORMATS = [
  "labels-json",
  "labels-csv",
  "tagpack",
  "tagpack-csv",
  "token-list",
  "ofac-xml",
  "sanctions-json",
  "sanctions-csv",
  "sanctions-lines",
  "domains",
  "bitfinex-wallets",
  "okx-reserves",
  "forta-csv",
  "scam-sniffer",
] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];

/** A list file and what its operator says about it. */
export interface ListFile {
  readonly path: string;
  /** Its text, where there is no file. */
  readonly text?: string;
  /** Further files of the list, in the same format. */
  readonly more?: readonly string[];
  /** How messages call it; left out: by its path. */
  readonly called?: string;
  readonly format: ListFormat;
  readonly list: string;
  /** SPDX id or a sentence; '' when unknown. */
  readonly licence: string;
  /** Origin of the file; '' when unknown. */
  readonly origin: string;
  /** Fewer rows are a fault; left out: one. */
  readonly rows_min?: number;
  /** Whether a list may lose more than a fifth at once; left out: labels and tokens may, sanctions may not. */
  readonly may_shrink?: boolean;
}

export interface ListReport extends ListDifference {
  readonly list: string;
  readonly kind: ParsedList["kind"];
  readonly version: string;
  readonly accepted: number;
  readonly duplicates: number;
  readonly refused: readonly ImportRefusal[];
}

/** Networks of this instance, as far as an import has to know them. */
export type KnownNetworks = readonly { readonly id: string; readonly family: Family; readonly chain_id: number }[];

/** Unpacked. SDN_ADVANCED.XML has about 120 MB. */
const FILE_BYTES_MAX = 512 * 1024 * 1024;
/** The SDN list has about 1,000 addresses. */
const OFAC_ADDRESSES_MIN = 500;
/** A list of the same name that loses more than this at once was cut off, or is another list. */
const DROP_PERCENT_MAX = 20;
/** Sources that the program writes itself. */
const BUILT_IN: readonly string[] = [...LABEL_SOURCES.map(({ name }) => name), ...INDEXED_LABEL_SOURCES, PACK_LIST];
const LIST_ID = /^[a-z][a-z0-9_.-]{1,63}$/;
const FAMILIES: readonly Family[] = ["evm", "tron", "solana"];

const refuse = (message: string): AssayError => new AssayError({ code: "CONFIG", message, public: message });

/** Bytes of an address of a family. */
const parseOf = (family: string, text: string): Hex | null => {
  const known = FAMILIES.find((one) => one === family);
  return known === undefined ? null : ADDRESSES[known].parseAddress(text);
};

/** An address in every family whose form it has. */
export const parseAnyAddress = (text: string): readonly { readonly family: Family; readonly address: Hex }[] =>
  FAMILIES.flatMap((family) => {
    const address = parseOf(family, text);
    return address === null ? [] : [{ family, address }];
  });

/** Networks known to parsers: those of the program and of this instance. `evm` in `wanted`: every EVM network. */
export const importScope = (enabled: KnownNetworks, wanted: readonly string[]): ImportScope => ({
  parseAddress: parseOf,
  networks: new Map([...NETWORKS, ...enabled].map(({ id, family, chain_id }) => [id, { family, chain_id }])),
  default_networks: [...new Set(wanted)],
});

/** Text of the file in pieces, unpacked when its name ends in .gz. */
const piecesOf = async function* (path: string): AsyncGenerator<string> {
  const raw = createReadStream(path);
  const stream = path.endsWith(".gz") ? raw.pipe(createGunzip()) : raw;
  raw.on("error", (error) => stream.destroy(error));
  const decoder = new StringDecoder("utf8");
  let bytes = 0;
  // Without an encoding both streams give buffers.
  for await (const piece of stream as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > FILE_BYTES_MAX) throw new ListFault(`it is larger than ${FILE_BYTES_MAX} bytes`);
    yield decoder.write(piece);
  }
  yield decoder.end();
};

const readText = async (path: string): Promise<string> => {
  const pieces: string[] = [];
  for await (const piece of piecesOf(path)) pieces.push(piece);
  return pieces.join("");
};

type ParseText = (text: string, scope: ImportScope) => ParsedList;

const TEXT_FORMATS: Readonly<Record<Exclude<ListFormat, "ofac-xml">, ParseText>> = {
  "labels-json": (text, scope) => parseLabels(text, "json", scope),
  "labels-csv": (text, scope) => parseLabels(text, "csv", scope),
  tagpack: parseTagPack,
  "tagpack-csv": parseTagPackCsv,
  "token-list": parseTokenList,
  "sanctions-json": (text, scope) => parseSanctions(text, "json", scope),
  "sanctions-csv": (text, scope) => parseSanctions(text, "csv", scope),
  "sanctions-lines": parseSanctionsLines,
  domains: parseDomains,
  "bitfinex-wallets": parseBitfinexWallets,
  "okx-reserves": parseOkxReserves,
  "forta-csv": parseForta,
  "scam-sniffer": parseScamSniffer,
};

const parse = async (
  { path, text, more = [], format }: Pick<ListFile, "path" | "text" | "more" | "format">,
  scope: ImportScope,
): Promise<ParsedList> => {
  const pieces = text === undefined ? piecesOf(path) : Readable.from([text]);
  if (format === "ofac-xml") return parseOfac(pieces, { scope, addresses_min: OFAC_ADDRESSES_MIN });
  const first = TEXT_FORMATS[format](text ?? (await readText(path)), scope);
  let joined = first;
  for (const file of more) joined = joinParsed(joined, TEXT_FORMATS[format](await readText(file), scope));
  return joined;
};

/** The version that the file names, or the fingerprint of what it holds. */
const versionOf = (parsed: ParsedList): string =>
  parsed.version === ""
    ? createHash("sha256").update(JSON.stringify(parsed.entries)).digest("hex").slice(0, 16)
    : parsed.version;

/** A list that may replace the stored one of its name. */
export interface CheckedList {
  readonly head: ListHead;
  readonly parsed: ParsedList;
  /** The stored list; null without one. */
  readonly present: Awaited<ReturnType<typeof currentLists>>[number] | null;
}

/**
 * Reads a list and checks that it may replace the stored one.
 * @throws AssayError CONFIG when a part of the file cannot be imported
 */
export const checkList = async (
  store: Pick<FactsStore, "engine">,
  file: ListFile,
  scope: ImportScope,
): Promise<CheckedList> => {
  if (!LIST_ID.test(file.list)) throw refuse(`'${file.list}' is no name for a list: ${LIST_ID.source}`);
  if (BUILT_IN.includes(file.list)) throw refuse(`'${file.list}' is the name of a list of this program`);
  const parsed = await readParsed(file, scope);
  const present = (await currentLists(store)).find(({ list }) => list === file.list) ?? null;
  if (present !== null && present.kind !== parsed.kind) {
    throw refuse(`list ${file.list} holds ${present.kind}; give this file another name`);
  }
  const taken = parsed.entries.length;
  if (taken === 0) throw refuse(`${nameOf(file)} holds no row that can be taken`);
  if (taken < (file.rows_min ?? 1))
    throw refuse(
      `${nameOf(file)}: ${taken} rows can be taken and at least ${file.rows_min} are expected: the file is truncated, or its layout is new`,
    );
  if (present !== null) await checkDrop(store, file, { parsed, rows: present.rows });
  const head: ListHead = {
    list: file.list,
    kind: parsed.kind,
    version: versionOf(parsed),
    format: file.format,
    origin: file.origin,
    licence: file.licence,
    published_on: parsed.published_on,
  };
  return { head, parsed, present };
};

/** How a checked list differs from the stored one. */
export const reportOf = ({ head, parsed }: CheckedList, difference: ListDifference): ListReport => ({
  list: head.list,
  kind: parsed.kind,
  version: head.version,
  accepted: parsed.entries.length,
  duplicates: parsed.duplicates,
  refused: parsed.refused,
  ...difference,
});

/**
 * Replaces a stored list with the contents of a file. Importing the same file again changes only the time of the import.
 * @throws AssayError CONFIG when a part of the file cannot be imported; then nothing changes
 */
export const importList = async (
  store: Pick<FactsStore, "engine" | "writer">,
  file: ListFile,
  how: {
    readonly scope: ImportScope;
    readonly now_ms: number;
    /** An identical list is not written, not even the time of the import. */
    readonly leaves_same?: boolean;
  },
): Promise<ListReport> => {
  const checked = await checkList(store, file, how.scope);
  const { head, parsed, present } = checked;
  const unless = how.leaves_same === true ? present : null;
  return reportOf(checked, await replaceList(store, head, { ...parsed, now_ms: how.now_ms, unless }));
};

const nameOf = ({ path, called }: Pick<ListFile, "path" | "called">): string => called ?? path;

/** Lists grow slowly: a sudden loss is a fault, not news. */
const checkDrop = async (
  store: Pick<FactsStore, "engine">,
  file: ListFile,
  { parsed, rows }: { readonly parsed: ParsedList; readonly rows: number },
): Promise<void> => {
  const { list, may_shrink = parsed.kind !== "sanctions" } = file;
  if (may_shrink) return;
  const before = parsed.kind === "sanctions" ? await countSanctioned(store, list) : rows;
  const now =
    parsed.kind === "sanctions"
      ? parsed.entries.filter(({ delisted_on }) => delisted_on === "").length
      : parsed.entries.length;
  if (now * 100 < before * (100 - DROP_PERCENT_MAX)) {
    const what = `${nameOf(file)}: ${now} entries are in force and list ${list} has ${before}: more than ${DROP_PERCENT_MAX} % less.`;
    const how =
      file.may_shrink === false ? "Say --accept-smaller if that is meant." : "Remove the list first if that is meant.";
    throw refuse(`${what} ${how}`);
  }
};

/** Entries of a file. @throws AssayError CONFIG that names the fault */
export const readParsed = async (
  file: Pick<ListFile, "path" | "text" | "more" | "format" | "called">,
  scope: ImportScope,
): Promise<ParsedList> => {
  try {
    return await parse(file, scope);
  } catch (error) {
    if (error instanceof ListFault) throw refuse(`${nameOf(file)}: ${error.message}`);
    if (error instanceof Error && "code" in error && !(error instanceof AssayError)) {
      throw refuse(`${nameOf(file)} cannot be read: ${error.message}`);
    }
    throw error;
  }
};
