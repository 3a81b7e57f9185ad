import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { type Bytes, type Hex, toHex } from "../../../lib/bytes.ts";
import { addressAt, uintAt, WORD_BYTES } from "../../../lib/words.ts";
import { bytesAt, selectorOf } from "../../abi.ts";

/** A function call, made by the executor of the actor's intention. */
export interface RequestedCall {
  /** Null when only the data is known: a contract that calls itself, or lends its code. */
  readonly callee: Hex | null;
  readonly selector: Hex;
  readonly data: Bytes;
}

const SELECTOR_BYTES = 4;
const DEPTH_MAX = 4;
const INNER_MAX = 64;

/**
 * Functions that only forward calls, with the words of their data that hold callee and data. Sources: Safe, ERC-4337,
 * ERC-6900, DSProxy, Multicall3.
 */
const WRAPPERS: readonly (readonly [string, { readonly callee: number | null; readonly data: number }])[] = [
  [INTERFACES.safe.execTransaction, { callee: 0, data: 2 }],
  ["execTransactionFromModule(address,uint256,bytes,uint8)", { callee: 0, data: 2 }],
  ["execute(address,uint256,bytes)", { callee: 0, data: 2 }],
  ["execute(address,uint256,bytes,uint8)", { callee: 0, data: 2 }],
  ["executeCall(address,uint256,bytes)", { callee: 0, data: 2 }],
  ["execute(address,bytes)", { callee: 0, data: 1 }],
  ["executeUserOp(address,uint256,bytes,uint8)", { callee: 0, data: 2 }],
  ["callContract(address,uint256,bytes)", { callee: 0, data: 2 }],
];

/** Functions with a list of calls to the contract itself. */
const LISTS: readonly (readonly [string, number])[] = [
  [INTERFACES.multicall.multicall, 0],
  [INTERFACES.multicall.multicall_deadline, 1],
  ["multicall(bytes32,bytes[])", 1],
  ["batch(bytes[])", 0],
];

const wrapperBy = new Map(WRAPPERS.map(([signature, places]) => [selectorOf(signature), places]));
const listBy = new Map(LISTS.map(([signature, scope]) => [selectorOf(signature), scope]));
/** (address target, bytes data)[], and the same with a flag or a value in between. Source: mds1/multicall3. */
const AGGREGATES = new Map<Hex, { readonly list: number; readonly data: number }>([
  [selectorOf("aggregate((address,bytes)[])"), { list: 0, data: 1 }],
  [selectorOf("tryAggregate(bool,(address,bytes)[])"), { list: 1, data: 1 }],
  [selectorOf(INTERFACES.multicall.aggregate3), { list: 0, data: 2 }],
  [selectorOf("executeBatch((address,uint256,bytes)[])"), { list: 0, data: 2 }],
  [selectorOf("aggregate3Value((address,bool,uint256,bytes)[])"), { list: 0, data: 3 }],
  // euler-xyz/ethereum-vault-connector EthereumVaultConnector.sol
  [selectorOf("batch((address,address,uint256,bytes)[])"), { list: 0, data: 3 }],
]);

const HANDLE_OPS: readonly Hex[] = [
  selectorOf(INTERFACES.erc4337.handleOps_v06),
  selectorOf(INTERFACES.erc4337.handleOps_v07),
];
/** Word of an operation that holds its call. */
const OPERATION_CALL = 3;

const requestedCallOf = (callee: Hex | null, input: Bytes): RequestedCall => ({
  ...{ callee, selector: toHex(input.subarray(0, SELECTOR_BYTES)), data: input.subarray(SELECTOR_BYTES) },
});

/** Dynamic items of a list whose offset is in word `index`; empty when the data contains no such list. */
const itemsAt = (data: Bytes, index: number): readonly Bytes[] => {
  const offset = uintAt(data, index);
  if (offset + BigInt(WORD_BYTES) > BigInt(data.length)) return [];
  const list = data.subarray(Number(offset));
  const count = uintAt(list, 0);
  const items = list.subarray(WORD_BYTES);
  if (count * BigInt(WORD_BYTES) > BigInt(items.length)) return [];
  return Array.from({ length: Math.min(Number(count), INNER_MAX) }, (_, i) => {
    const at = uintAt(items, i);
    return at > BigInt(items.length) ? new Uint8Array(0) : items.subarray(Number(at));
  });
};

const textsAt = (data: Bytes, index: number): readonly Bytes[] =>
  itemsAt(data, index).map((item) => {
    const length = uintAt(item, 0);
    return length > BigInt(item.length) ? new Uint8Array(0) : item.subarray(WORD_BYTES, WORD_BYTES + Number(length));
  });

const innerOf = ({ callee, selector, data }: RequestedCall): readonly RequestedCall[] => {
  const wrapper = wrapperBy.get(selector);
  if (wrapper !== undefined) {
    const inner = bytesAt(data, wrapper.data);
    return inner === null ? [] : [requestedCallOf(toHex(addressAt(data, wrapper.callee ?? 0)), inner)];
  }
  const list = listBy.get(selector);
  if (list !== undefined) return textsAt(data, list).map((one) => requestedCallOf(callee, one));
  const aggregate = AGGREGATES.get(selector);
  if (aggregate !== undefined)
    return itemsAt(data, aggregate.list).map((item) =>
      requestedCallOf(toHex(addressAt(item, 0)), bytesAt(item, aggregate.data) ?? new Uint8Array(0)),
    );
  if (selector === MULTI_SEND) return packedIn(bytesAt(data, 0));
  if (selector === EXECUTE)
    return itemsAt(bytesAt(data, 1) ?? new Uint8Array(0), 0).map((item) =>
      requestedCallOf(toHex(addressAt(item, 0)), bytesAt(item, 2) ?? new Uint8Array(0)),
    );
  if (!HANDLE_OPS.includes(selector)) return [];
  return itemsAt(data, 0).map((item) =>
    requestedCallOf(toHex(addressAt(item, 0)), bytesAt(item, OPERATION_CALL) ?? new Uint8Array(0)),
  );
};

/** ERC-7821: a mode, and the calls as bytes. */
const EXECUTE = selectorOf("execute(bytes32,bytes)");

const MULTI_SEND = selectorOf("multiSend(bytes)");
const PACKED_HEAD = 1 + 20 + 2 * WORD_BYTES;

/** Calls packed one after the other: operation, callee, value, length, data. Source: safe-global MultiSend.sol. */
const packedIn = (packed: Bytes | null): readonly RequestedCall[] => {
  const found: RequestedCall[] = [];
  let left = packed ?? new Uint8Array(0);
  while (left.length >= PACKED_HEAD && found.length < INNER_MAX) {
    const length = uintAt(left.subarray(1 + 20 + WORD_BYTES), 0);
    if (length > BigInt(left.length)) break;
    const end = PACKED_HEAD + Number(length);
    found.push(requestedCallOf(toHex(left.subarray(1, 21)), left.subarray(PACKED_HEAD, end)));
    left = left.subarray(end);
  }
  return found;
};

const unwrapped = (asked: RequestedCall, depth: number): readonly RequestedCall[] => {
  if (depth >= DEPTH_MAX) return [asked];
  const inner = innerOf(asked).filter(({ selector }) => selector.length === 2 * SELECTOR_BYTES);
  return inner.length === 0 ? [asked] : inner.slice(0, INNER_MAX).flatMap((one) => unwrapped(one, depth + 1));
};

/**
 * The innermost calls: forwarding calls are unwrapped. Of a bundle only those of the `account`, where one is given. Never
 * throws.
 */
export const requestedCallsIn = (
  callee: Hex | null,
  input: Bytes,
  account: Hex | null = null,
): readonly RequestedCall[] => {
  if (input.length < SELECTOR_BYTES) return [];
  const call = requestedCallOf(callee, input);
  if (account === null || !HANDLE_OPS.includes(call.selector)) return unwrapped(call, 0);
  return innerOf(call).flatMap((one) => (one.callee === account ? unwrapped(one, 1) : []));
};
