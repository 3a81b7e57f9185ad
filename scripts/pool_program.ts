/**
 * Compiles `contracts/solana/constant_product.c` and writes `contracts/solana/constant_product.json`:
 * `node dist/scripts/pool_program.js`, with clang 14 (any that has the target bpf). Only developers run it.
 *
 * clang emits a relocatable object. A Solana runtime loads a shared object of version 0 in which every call of the
 * system is a relocation by name (solana-sbpf elf.rs: R_BPF_64_32 against an undefined symbol of .dynsym). The source has one
 * function and no data, and writes system calls as the hash of their name, so linking only has to find and name the calls.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CONTRACTS } from "./contracts.ts";

const SOURCE = join(CONTRACTS, "solana", "constant_product.c");
export const PROGRAM_FILE = join(CONTRACTS, "solana", "constant_product.json");

/** Content of `PROGRAM_FILE`. */
export interface ProgramFile {
  readonly source_sha256: string;
  /** The shared object, base64. */
  readonly elf: string;
}

export const sourceHash = (): string => createHash("sha256").update(readFileSync(SOURCE)).digest("hex");

/** First 32 bits of the name of a system call: murmur3 with seed 0 (solana-sbpf, hash_symbol_name). */
const SYSTEM_CALLS: ReadonlyMap<number, string> = new Map([[0xa22b9c85, "sol_invoke_signed_c"]]);

const FILE_HEADER = 64;
const PROGRAM_HEADER = 56;
const SECTION_HEADER = 64;
const PROGRAM_HEADERS = 3;
const INSTRUCTION = 8;
const CALL = 0x85;

const compiled = (): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), "pool-program-"));
  const file = join(folder, "program.o");
  const flags = ["-target", "bpf", "-O2", "-mcpu=v2", "-ffreestanding", "-fno-builtin", "-fno-jump-tables"];
  try {
    execFileSync(process.env.CLANG ?? "clang-14", [...flags, "-c", SOURCE, "-o", file]);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** The section `.text` of an object of 64 bits. Throws when there is anything that would have to be linked. */
const textOf = (object: Buffer): Buffer => {
  const word = (at: number): number => Number(object.readBigUInt64LE(at));
  const [table, count, names] = [word(40), object.readUInt16LE(60), object.readUInt16LE(62)];
  const headers = Array.from({ length: count }, (_, i) => table + i * SECTION_HEADER);
  const names_at = word((headers[names] ?? 0) + 24);
  const sections = headers.map((at) => {
    const name = names_at + object.readUInt32LE(at);
    const text = object.toString("latin1", name, object.indexOf(0, name));
    return { name: text, bytes: object.subarray(word(at + 24), word(at + 24) + word(at + 32)) };
  });
  const foreign = sections.filter(({ name }) => name.startsWith(".rel") || /^\.(ro)?data|^\.bss/.test(name));
  const text = sections.find(({ name }) => name === ".text");
  if (text === undefined || foreign.length > 0) throw new Error("the source has data, or calls that are not inlined");
  return Buffer.from(text.bytes);
};

interface ElfSection {
  readonly name: string;
  /** Of the section: kind, flags, the section it refers to, size of an entry. */
  readonly type: number;
  readonly flags: number;
  readonly link: number;
  readonly entry: number;
  readonly bytes: Buffer;
}

const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [i, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), i * 8);
  return bytes;
};

/** Turns the hashes of system calls into relocations; `text` gets the mark of a call that has one. */
const relocations = (text: Buffer, text_at: number) => {
  const names: string[] = [];
  const entries: Buffer[] = [];
  for (let at = 0; at < text.length; at += INSTRUCTION) {
    if (text[at] !== CALL) continue;
    const name = SYSTEM_CALLS.get(text.readUInt32LE(at + 4));
    if (name === undefined) throw new Error("a call that is no known call of the system");
    if (!names.includes(name)) names.push(name);
    text.writeInt32LE(-1, at + 4);
    const R_BPF_64_32 = 10n;
    const info = Buffer.alloc(8);
    info.writeBigUInt64LE((BigInt(names.indexOf(name) + 1) << 32n) | R_BPF_64_32);
    entries.push(words(text_at + at), info);
  }
  return { names, table: Buffer.concat(entries) };
};

const symbolsOf = (names: readonly string[]) => {
  const texts = Buffer.from(`\0${names.map((name) => `${name}\0`).join("")}`, "latin1");
  const table = Buffer.alloc((names.length + 1) * 24);
  const GLOBAL = 0x10;
  for (const [i, name] of names.entries()) {
    table.writeUInt32LE(texts.indexOf(`\0${name}\0`) + 1, (i + 1) * 24);
    table.writeUInt8(GLOBAL, (i + 1) * 24 + 4);
  }
  return { texts, table };
};

const aligned = (size: number): number => (size + 7) & ~7;
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length) - bytes.length)]);

/** Addresses are offsets in the file. */
const link = (object: Buffer): Buffer => {
  const text = textOf(object);
  const text_at = FILE_HEADER + PROGRAM_HEADERS * PROGRAM_HEADER;
  const { names, table } = relocations(text, text_at);
  const symbols = symbolsOf(names);
  const dynamic_at = text_at + aligned(text.length);
  const DYNAMIC_BYTES = 16 * 8;
  const symbols_at = dynamic_at + DYNAMIC_BYTES;
  const texts_at = symbols_at + symbols.table.length;
  const table_at = texts_at + aligned(symbols.texts.length);
  // DT_REL, DT_RELSZ, DT_RELENT, DT_SYMTAB, DT_SYMENT, DT_STRTAB, DT_STRSZ, DT_NULL.
  const dynamic = words(
    17,
    table_at,
    18,
    table.length,
    19,
    16,
    6,
    symbols_at,
    11,
    24,
    5,
    texts_at,
    10,
    symbols.texts.length,
    0,
    0,
  );
  const pieces: readonly ElfSection[] = [
    { name: ".text", type: 1, flags: 6, link: 0, entry: 0, bytes: text },
    { name: ".dynamic", type: 6, flags: 3, link: 4, entry: 16, bytes: dynamic },
    { name: ".dynsym", type: 11, flags: 2, link: 4, entry: 24, bytes: symbols.table },
    { name: ".dynstr", type: 3, flags: 2, link: 0, entry: 0, bytes: symbols.texts },
    { name: ".rel.dyn", type: 9, flags: 2, link: 3, entry: 16, bytes: table },
  ];
  const section_names = Buffer.from(`\0${pieces.map(({ name }) => `${name}\0`).join("")}.shstrtab\0`, "latin1");
  const all = [...pieces, { name: ".shstrtab", type: 3, flags: 0, link: 0, entry: 0, bytes: section_names }];
  const body = Buffer.concat(all.map(({ bytes }) => padded(bytes)));
  const sections_at = text_at + body.length;
  const load = { from: dynamic_at, to: table_at + table.length };
  return Buffer.concat([
    fileHeader(text_at, sections_at, all.length + 1),
    programHeader({ type: 1, flags: 5, at: text_at, size: text.length }),
    programHeader({ type: 1, flags: 4, at: load.from, size: load.to - load.from }),
    programHeader({ type: 2, flags: 6, at: dynamic_at, size: DYNAMIC_BYTES }),
    body,
    sectionHeaders(all, section_names, text_at),
  ]);
};

const fileHeader = (entry: number, sections_at: number, section_count: number): Buffer => {
  const header = Buffer.alloc(FILE_HEADER);
  header.write("\x7fELF\x02\x01\x01", "latin1");
  const [SHARED, MACHINE_BPF] = [3, 247];
  for (const [at, value] of [
    [16, SHARED],
    [18, MACHINE_BPF],
    [20, 1],
    [52, FILE_HEADER],
    [54, PROGRAM_HEADER],
    [56, PROGRAM_HEADERS],
    [58, SECTION_HEADER],
    [60, section_count],
    [62, section_count - 1],
  ] as const)
    header.writeUInt16LE(value, at);
  words(entry, FILE_HEADER, sections_at).copy(header, 24);
  return header;
};

interface ElfSegment {
  readonly type: number;
  readonly flags: number;
  readonly at: number;
  readonly size: number;
}

const programHeader = ({ type, flags, at, size }: ElfSegment): Buffer => {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(type, 0);
  header.writeUInt32LE(flags, 4);
  return Buffer.concat([header, words(at, at, at, size, size, 8)]);
};

const sectionHeaders = (pieces: readonly ElfSection[], names: Buffer, first_at: number): Buffer => {
  let at = first_at;
  const headers = pieces.map(({ name, type, flags, link: refers, entry, bytes }) => {
    const header = Buffer.alloc(SECTION_HEADER);
    header.writeUInt32LE(names.indexOf(`\0${name}\0`) + 1, 0);
    header.writeUInt32LE(type, 4);
    words(flags, flags === 0 ? 0 : at, at, bytes.length).copy(header, 8);
    header.writeUInt32LE(refers, 40);
    words(8, entry).copy(header, 48);
    at += aligned(bytes.length);
    return header;
  });
  return Buffer.concat([Buffer.alloc(SECTION_HEADER), ...headers]);
};

const isMain = process.argv[1] !== undefined && fileURLToPath(import.meta.url) === process.argv[1];
if (isMain) {
  const file: ProgramFile = { source_sha256: sourceHash(), elf: link(compiled()).toString("base64") };
  writeFileSync(PROGRAM_FILE, `${JSON.stringify(file, null, 2)}\n`);
}
