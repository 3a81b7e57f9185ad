import { contractInfo } from "evmole";
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { type Bytes, type Hex, hex, keccak256, toBigInt, toHex } from "../../../lib/bytes.ts";

/** Functions of runtime code, read from the code alone. Pure. */

/** A function as the code dispatches it. */
export interface CodeFunction {
  readonly selector: Hex;
  /** Inferred argument types, as in a signature: `address,uint256[]`. */
  readonly types: string;
  /** The code shows that it changes nothing. */
  readonly is_view: boolean;
  readonly is_payable: boolean;
  /** Storage slots that it writes, by slot and offset; empty where none was found. */
  readonly writes: ReadonlySet<string>;
  readonly reads: ReadonlySet<string>;
  /** Slots that it reads and that hold one value, no mapping or list. */
  readonly values: readonly StoredValue[];
}

/** A place in storage that holds one value. */
export interface StoredValue {
  /** As in `writes`. */
  readonly key: string;
  /** Hex of one word. */
  readonly slot: Hex;
  /** Bytes from the end of the word. */
  readonly offset: number;
  readonly size: number;
}

/** A function at a contract. */
export interface DeployedFunction extends CodeFunction {
  readonly at: Hex;
}

const VIEWS: readonly (string | undefined)[] = ["view", "pure"];
const REMEMBERED_MAX = 500;

const remembered = new Map<Hex, readonly CodeFunction[]>();

const [WORD_BYTES, ADDRESS_BYTES] = [32, 20];

/** Bytes of a value type; null for mappings, lists and texts. */
const sizeOf = (type: string): number | null => {
  if (type === "bool") return 1;
  if (type === "address") return ADDRESS_BYTES;
  const bits = /^u?int(\d+)$/.exec(type)?.[1];
  if (bits !== undefined) return Number(bits) / 8;
  const bytes = /^bytes(\d+)$/.exec(type)?.[1];
  return bytes === undefined ? null : Number(bytes);
};

const read = (code: Bytes): readonly CodeFunction[] => {
  const { functions = [], storage = [] } = contractInfo(`0x${toHex(code)}`, {
    ...{ selectors: true, arguments: true, stateMutability: true, storage: true },
  });
  return functions.map(({ selector, arguments: types = "", stateMutability }) => {
    const slotsWith = (by: "reads" | "writes") =>
      new Set(storage.filter((slot) => slot[by].includes(selector)).map(({ slot, offset }) => `${slot}:${offset}`));
    const values = storage
      .filter(({ type, reads }) => reads.includes(selector) && sizeOf(type) !== null)
      .map(({ slot, offset, type }) => ({
        ...{ key: `${slot}:${offset}`, slot: hex(slot.padStart(64, "0")), offset, size: sizeOf(type) ?? WORD_BYTES },
      }));
    return {
      selector: hex(selector),
      types,
      is_view: VIEWS.includes(stateMutability),
      is_payable: stateMutability === "payable",
      writes: slotsWith("writes"),
      reads: slotsWith("reads"),
      values,
    };
  });
};

/** The functions of a code, in the order of their selectors. Clones share one reading. */
export const functionsInCode = (code: Bytes): readonly CodeFunction[] => {
  const key = toHex(keccak256(code));
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const found = read(code);
  const [oldest] = remembered.keys();
  if (remembered.size >= REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
  remembered.set(key, found);
  return found;
};

const [PUSH1, PUSH32] = [0x60, 0x7f];
/** An address has at least this many significant bits; counters and masks have fewer. */
const ADDRESS_BITS_MIN = 120n;

/** Counters and masks are no addresses. */
export const isPlausible = (address: Hex): boolean =>
  BigInt(`0x${address}`) >> ADDRESS_BITS_MIN > 0n && !/^f{20}/.test(address);

/** Constants of a code with at least this many bytes. */
export const constantsIn = (code: Bytes, least: number): readonly Bytes[] => {
  const found: Bytes[] = [];
  for (let at = 0; at < code.length; at += 1) {
    const op = code[at] ?? 0;
    if (op < PUSH1 || op > PUSH32) continue;
    const size = op - PUSH1 + 1;
    const value = code.subarray(at + 1, at + 1 + size);
    if (size >= least && value.length === size) found.push(value);
    at += size;
  }
  return found;
};

/** Addresses among the constants of a code: immutable variables are written into it. */
export const addressesInCode = (code: Bytes): readonly Hex[] => {
  const found = constantsIn(code, ADDRESS_BYTES).flatMap((value) => {
    const lead = value.subarray(0, value.length - ADDRESS_BYTES);
    return lead.every((byte) => byte === 0) ? [toHex(value.subarray(lead.length))] : [];
  });
  return [...new Set(found)].filter(isPlausible);
};

/** A hash has significant bits at its beginning. */
const HASH_BITS_MIN = 240n;
const HASHES_MAX = 6;
/** The topic of the event that every token has. */
const TRANSFER_TOPIC: Hex = toHex(keccak256(new TextEncoder().encode(INTERFACES.erc20.Transfer)));

/** Constants that may be identifiers of roles. Topics of events are among them. */
export const hashesInCode = (code: Bytes): readonly Hex[] =>
  [
    ...new Set(
      constantsIn(code, WORD_BYTES)
        .filter((value) => toBigInt(value) >> HASH_BITS_MIN > 0n)
        .map(toHex),
    ),
  ]
    .filter((value) => value !== TRANSFER_TOPIC && !value.startsWith("ffff"))
    .slice(0, HASHES_MAX);
