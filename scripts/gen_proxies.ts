/** `src/knowledge/proxies.gen.ts` from `knowledge/proxies.yaml`. */
import { keccak256, toBigInt, toHex } from "../src/lib/bytes.ts";
import type { Workshop } from "./generated.ts";
import { checkIds, knowledgeReader } from "./knowledge.ts";
import { readInterfaces, resolverOf } from "./protocol_files.ts";

interface HashedSlot {
  readonly name: string;
  readonly minus_one?: boolean;
}

/** Type of the answer of a vector's call: an address, addresses, or a number. */
type VectorAnswer = string | number | readonly string[];

/** A row's test vector. Code may have spaces. */
export interface ProxyVector {
  readonly code: string;
  readonly storage?: Readonly<Record<string, string>>;
  readonly calls?: Readonly<Record<string, VectorAnswer>>;
  readonly implementation: string | readonly string[];
  readonly admin?: string;
}

interface CodeProxy {
  readonly code: string;
  readonly implementation_slot?: HashedSlot;
}

interface SlotProxy {
  readonly slot: HashedSlot;
  readonly then_call?: string;
}

interface CallProxy {
  readonly call: string;
  readonly returns: "address" | "addresses";
  readonly same_in_slot?: number;
  readonly code_bytes_max?: number;
  readonly in_own_code?: true;
  readonly where?: { readonly call: string; readonly returns: number };
}

export interface ProxyRow {
  readonly id: string;
  readonly kind: string | null;
  readonly upgrade: string;
  readonly admin_call?: string;
  readonly found_by: CodeProxy | SlotProxy | CallProxy;
  readonly vectors: readonly ProxyVector[];
}

interface ProxyFile {
  readonly admin_slots: readonly HashedSlot[];
  readonly shapes: readonly ProxyRow[];
}

const utf8 = new TextEncoder();
const WORD_DIGITS = 64;
const ADDRESS_BYTES = 20;

const hexCall = (digits: string): string => `hex("${digits}")`;
const word = (value: bigint): string => hexCall(value.toString(16).padStart(WORD_DIGITS, "0"));
const selector = (signature: string): string => hexCall(toHex(keccak256(utf8.encode(signature)).subarray(0, 4)));
const orNull = <T>(value: T | undefined, write: (value: T) => string): string =>
  value === undefined ? "null" : write(value);

const slotOf = ({ name, minus_one }: HashedSlot): string =>
  word(toBigInt(keccak256(utf8.encode(name))) - (minus_one === true ? 1n : 0n));

const placeholder = (id: string, text: string): string => {
  const [name, value] = text.split(":");
  if (name === "implementation" && value === undefined)
    return `{ address: "implementation", length: ${ADDRESS_BYTES} }`;
  if (name === "admin") return `{ address: "admin", length: ${value ?? ADDRESS_BYTES} }`;
  if (name === "push_implementation" && value === undefined) return '{ push: "implementation" }';
  if (name === "any" && value !== undefined) return `{ any: ${value} }`;
  if (name === "jump" && value !== undefined) return `{ jump: 0x${value} }`;
  throw new Error(`knowledge/proxies.yaml: ${id} has an unknown placeholder {${text}}`);
};

const piecesOf = (id: string, code: string): string => {
  const pieces = code
    .replaceAll(" ", "")
    .split(/(\{[^}]*\})/)
    .filter((piece) => piece !== "")
    .map((piece) => (piece.startsWith("{") ? placeholder(id, piece.slice(1, -1)) : `{ bytes: ${hexCall(piece)} }`));
  return `[${pieces.join(", ")}]`;
};

const foundBy = ({ id, found_by }: ProxyRow): string => {
  if ("code" in found_by) {
    const { code, implementation_slot } = found_by;
    const named = /\{(push_)?implementation\}/.test(code);
    if (named === (implementation_slot !== undefined))
      throw new Error(`knowledge/proxies.yaml: ${id} must have its implementation either in its code or in a slot`);
    return `{ way: "code", pieces: ${piecesOf(id, code)}, implementation_slot: ${orNull(implementation_slot, slotOf)} }`;
  }
  if ("slot" in found_by) {
    const { slot, then_call } = found_by;
    return `{ way: "slot", slot: ${slotOf(slot)}, then_call: ${orNull(then_call, selector)} }`;
  }
  const { call, returns, same_in_slot, code_bytes_max, in_own_code = false, where } = found_by;
  const condition = orNull(where, (one) => `{ selector: ${selector(one.call)}, returns: ${one.returns}n }`);
  return [
    `{ way: "call", selector: ${selector(call)}, returns: "${returns}"`,
    `same_in_slot: ${orNull(same_in_slot, (slot) => word(BigInt(slot)))}`,
    `code_bytes_max: ${code_bytes_max ?? null}, in_own_code: ${in_own_code}, where: ${condition} }`,
  ].join(", ");
};

const evidenceOf = ({ kind, found_by }: ProxyRow): string => {
  if ("call" in found_by) return found_by.call;
  if (kind === "eip1967" || kind === "beacon") return "EIP-1967 slots";
  return "slot" in found_by ? `storage slot ${found_by.slot.name}` : "runtime code";
};

const shapeOf = (row: ProxyRow): string =>
  [
    `  {\n    id: "${row.id}"`,
    `    kind: ${JSON.stringify(row.kind)}`,
    `    upgrade: "${row.upgrade}"`,
    `    admin_call: ${orNull(row.admin_call, selector)}`,
    `    evidence: ${JSON.stringify(evidenceOf(row))}`,
    `    found_by: ${foundBy(row)},\n  },`,
  ].join(",\n");

/** A row whose calls are signatures. */
const withCalls = (row: ProxyRow, resolve: (text: string) => string): ProxyRow => {
  const { admin_call, found_by } = row;
  const by_slot =
    "slot" in found_by && found_by.then_call !== undefined ? { then_call: resolve(found_by.then_call) } : {};
  const by_call = "call" in found_by ? { call: resolve(found_by.call) } : {};
  return {
    ...row,
    ...(admin_call === undefined ? {} : { admin_call: resolve(admin_call) }),
    found_by: { ...found_by, ...by_slot, ...by_call },
  };
};

/** @throws Error for a file that does not fit its schema */
export const readProxyFile = (root: string): ProxyFile => {
  // The schema has just been checked.
  const file = knowledgeReader(root)("proxies") as ProxyFile;
  checkIds("proxies", file.shapes);
  const resolve = resolverOf(readInterfaces(root));
  return { ...file, shapes: file.shapes.map((row) => withCalls(row, resolve)) };
};

export const writeProxies = ({ root }: Pick<Workshop, "root">): string => {
  const { admin_slots, shapes } = readProxyFile(root);
  return [
    "// GENERATED by scripts/gen.ts from knowledge/proxies.yaml. Do not edit.",
    'import { type Hex, hex } from "../lib/bytes.ts";',
    'import type { ProxyShape } from "./proxy_shape.ts";',
    "",
    "/** Slots in which a proxy may name the account that may replace its implementation. */",
    `export const ADMIN_SLOTS: readonly Hex[] = [\n${admin_slots.map((slot) => `  ${slotOf(slot)},\n`).join("")}];`,
    "",
    "/** In the order in which they are tried. */",
    `export const PROXY_SHAPES: readonly ProxyShape[] = [\n${shapes.map(shapeOf).join("\n")}\n];\n`,
  ].join("\n");
};
