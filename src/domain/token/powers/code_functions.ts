import { contractInfo } from "evmole";
import { type Bytes, type Hex, hex, keccak256, toHex } from "../../../lib/bytes.ts";

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
  /** Those of `writes` that hold one value, and no mapping or list. */
  readonly plain_writes: ReadonlySet<string>;
}

/** A function at a contract. */
export interface DeployedFunction extends CodeFunction {
  readonly at: Hex;
}

const VIEWS: readonly (string | undefined)[] = ["view", "pure"];
const REMEMBERED_MAX = 500;

const remembered = new Map<Hex, readonly CodeFunction[]>();

const read = (code: Bytes): readonly CodeFunction[] => {
  const { functions = [], storage = [] } = contractInfo(`0x${toHex(code)}`, {
    ...{ selectors: true, arguments: true, stateMutability: true, storage: true },
  });
  return functions.map(({ selector, arguments: types = "", stateMutability }) => {
    const slotsWith = (by: "reads" | "writes", is_plain = false) =>
      new Set(
        storage
          .filter(({ type }) => !is_plain || !/^mapping|\[/.test(type))
          .filter((slot) => slot[by].includes(selector))
          .map(({ slot, offset }) => `${slot}:${offset}`),
      );
    return {
      selector: hex(selector),
      types,
      is_view: VIEWS.includes(stateMutability),
      is_payable: stateMutability === "payable",
      writes: slotsWith("writes"),
      reads: slotsWith("reads"),
      plain_writes: slotsWith("writes", true),
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

const ADDRESS_BYTES = 20;
const [PUSH1, PUSH20, PUSH32] = [0x60, 0x73, 0x7f];
/** An address has at least this many significant bits; counters and masks have fewer. */
const ADDRESS_BITS_MIN = 120n;

/** Counters and masks are no addresses. */
export const isPlausible = (address: Hex): boolean =>
  BigInt(`0x${address}`) >> ADDRESS_BITS_MIN > 0n && !/^f{20}/.test(address);

/** Addresses among the constants of a code: immutable variables are written into it. */
export const addressesInCode = (code: Bytes): readonly Hex[] => {
  const found = new Set<Hex>();
  for (let at = 0; at < code.length; at += 1) {
    const op = code[at] ?? 0;
    if (op < PUSH1 || op > PUSH32) continue;
    const size = op - PUSH1 + 1;
    const value = code.subarray(at + 1, at + 1 + size);
    const lead = value.subarray(0, Math.max(0, size - ADDRESS_BYTES));
    if (op >= PUSH20 && value.length === size && lead.every((byte) => byte === 0))
      found.add(toHex(value.subarray(size - ADDRESS_BYTES)));
    at += size;
  }
  return [...found].filter(isPlausible);
};
