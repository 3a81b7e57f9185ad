import { type Bytes, concatHex, fromHex, type Hex, hex, keccak256, toBigInt, toHex } from "../../../lib/bytes.ts";
import { wordOf } from "../../abi.ts";
import { constantsIn } from "./code_functions.ts";

/** Keys of settings: words that a code contains, or the hash of, or the slot of a mapping under. Pure. */

export interface SettingKeys {
  /** Of 32 bytes. */
  readonly words: readonly Hex[];
  readonly texts: readonly string[];
  /** Numbers that the code compares with something. */
  readonly numbers: readonly bigint[];
}

const NAMES = [
  ...[
    "tax",
    "fee",
    "fees",
    "rate",
    "buy",
    "sell",
    "transfer",
    "limit",
    "max",
    "maxTx",
    "maxWallet",
    "maxSell",
    "cap",
    "bps",
  ],
  ...[
    "burn",
    "mint",
    "supply",
    "pause",
    "paused",
    "stop",
    "open",
    "trading",
    "enabled",
    "live",
    "lock",
    "locked",
    "mode",
  ],
  ...[
    "owner",
    "admin",
    "minter",
    "pool",
    "pair",
    "router",
    "treasury",
    "marketing",
    "liquidity",
    "dev",
    "reward",
    "bonus",
  ],
  ...[
    "ban",
    "bot",
    "block",
    "blacklist",
    "whitelist",
    "allow",
    "deny",
    "cooldown",
    "delay",
    "penalty",
    "factor",
    "share",
  ],
  ...["buyTax", "sellTax", "buyFee", "sellFee", "transferTax", "transferFee", "taxRate", "feeRate", "config", "value"],
];
/** `sellTax`, `SELLTAX`, `SELL_TAX`, `sell_tax`. */
const spellings = (name: string): readonly string[] => {
  const parted = name.replace(/([a-z])([A-Z])/g, "$1_$2");
  return [...new Set([name, name.toUpperCase(), parted.toUpperCase(), parted.toLowerCase()])];
};
/** Slots of mappings, and small numbers that are keys. */
const [SLOTS, NUMBERS] = [16, 32];
const KEYS_MAX = 8;
const TEXT_BYTES_MIN = 3;
const WORD_BYTES = 32;

const utf8 = new TextEncoder();
const bytesOf = (data: Hex): Bytes => fromHex(data) ?? new Uint8Array(0);
const hashOf = (data: Hex): Hex => toHex(keccak256(bytesOf(data)));
const padded = (text: Bytes): Hex => hex(toHex(text).padEnd(2 * WORD_BYTES, "0"));

interface KnownKey {
  readonly word: Hex;
  readonly text: string | null;
}

/** By a constant: the hash of a name, and the slot of a mapping under the name, under its hash, or under a number. */
const byConstant = (): ReadonlyMap<Hex, KnownKey> => {
  const known = new Map<Hex, KnownKey>();
  const slots = Array.from({ length: SLOTS }, (_, slot) => wordOf(BigInt(slot)));
  const add = (key: Hex, value: KnownKey): void => {
    for (const slot of slots) known.set(hashOf(concatHex(key, slot)), value);
  };
  for (const text of NAMES.flatMap(spellings)) {
    const raw = toHex(utf8.encode(text));
    const [word, hash] = [padded(utf8.encode(text)), hashOf(raw)];
    known.set(hash, { word: hash, text });
    add(raw, { word, text });
    add(word, { word, text });
    add(hash, { word: hash, text });
  }
  for (let number = 0; number < NUMBERS; number += 1) {
    const word = wordOf(BigInt(number));
    add(word, { word, text: null });
  }
  return known;
};

let remembered: ReadonlyMap<Hex, KnownKey> | null = null;

/** Letters, digits and marks between them, as in a name. */
const textOf = (constant: Bytes): string | null => {
  const text = new TextDecoder("latin1").decode(constant);
  return /^[A-Za-z][\w.-]*$/.test(text) ? text : null;
};

const [PUSH2, PUSH32, DUP1, DUP16, EQ, SUB, XOR] = [0x61, 0x7f, 0x80, 0x8f, 0x14, 0x03, 0x18];
const [SELECTOR_BYTES, ADDRESS_BYTES] = [4, 20];

/** Constants before a comparison. Selectors and addresses are compared by every code. */
const comparedNumbers = (code: Bytes): readonly bigint[] => {
  const found: bigint[] = [];
  for (let at = 0; at < code.length; at += 1) {
    const op = code[at] ?? 0;
    if (op < PUSH2 - 1 || op > PUSH32) continue;
    const size = op - PUSH2 + 2;
    const after = at + 1 + size;
    const next = code[after] ?? 0;
    const compares = next >= DUP1 && next <= DUP16 ? code[after + 1] : next;
    const is_compared = compares === EQ || compares === SUB || compares === XOR;
    if (is_compared && size > 1 && size !== SELECTOR_BYTES && size !== ADDRESS_BYTES)
      found.push(toBigInt(code.subarray(at + 1, after)));
    at += size;
  }
  return found;
};

export const settingKeysIn = (codes: readonly Bytes[]): SettingKeys => {
  remembered ??= byConstant();
  const known = remembered;
  const constants = codes.flatMap((code) => constantsIn(code, TEXT_BYTES_MIN));
  const hashed = constants.flatMap((one) => (one.length === WORD_BYTES ? (known.get(toHex(one)) ?? []) : []));
  const plain = constants.flatMap((one): KnownKey[] => {
    const end = one.indexOf(0);
    const text = textOf(end === -1 ? one : one.subarray(0, end));
    return text === null || text.length < TEXT_BYTES_MIN ? [] : [{ word: padded(utf8.encode(text)), text }];
  });
  const all = [...hashed, ...plain];
  return {
    words: [...new Set(all.map(({ word }) => word))].slice(0, KEYS_MAX),
    texts: [...new Set(all.flatMap(({ text }) => text ?? []))].slice(0, KEYS_MAX),
    numbers: [...new Set(codes.flatMap(comparedNumbers))].slice(0, KEYS_MAX),
  };
};
