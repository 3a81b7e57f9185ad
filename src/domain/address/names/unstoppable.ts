import type { Chain } from "../../../chains/chain.ts";
import { type Bytes, concatHex, EMPTY, type Hex } from "../../../lib/bytes.ts";
import { addressAt, bytesAt, selectorOf, tailOf, textsAt, wordOf } from "../../abi.ts";
import { namehash } from "./ens_name.ts";

/** One network's reader contract of Unstoppable Domains, read at one block. */
export interface UnstoppableReader {
  readonly chain: Chain;
  readonly proxy: Hex;
  readonly at: number;
  readonly signal: AbortSignal;
}

export interface UnstoppableName {
  readonly owner: Hex;
  readonly resolver: Hex | null;
  /** Coin type (SLIP-44) -> address as its owner wrote it. */
  readonly addresses: ReadonlyMap<number, string>;
}

/** Record keys of the UNS standard, by coin type. */
const KEYS: readonly (readonly [coin: number, key: string])[] = [
  [60, "crypto.ETH.address"],
  [0, "crypto.BTC.address"],
  [501, "crypto.SOL.address"],
  [195, "crypto.TRX.address"],
];

const utf8 = new TextEncoder();

/** `getData(string[] keys, uint256 tokenId)`. */
const getData = (name: string): Hex => {
  const tails = KEYS.map(([, key]) => tailOf(utf8.encode(key)));
  let offset = 32 * KEYS.length;
  const heads = tails.map((tail) => {
    const head = wordOf(BigInt(offset));
    offset += tail.length / 2;
    return head;
  });
  const list = concatHex(wordOf(BigInt(KEYS.length)), ...heads, ...tails);
  return concatHex(selectorOf("getData(string[],uint256)"), wordOf(64n), namehash(name), list);
};

const callReader = async ({ chain, proxy, at, signal }: UnstoppableReader, data: Hex): Promise<Bytes> => {
  const [answer] = await chain.call([{ to: proxy, data }], signal, at);
  return answer?.ok === true ? answer.data : EMPTY;
};

/** A name's records; null when the name has no owner on this network. */
export const readUnstoppable = async (reader: UnstoppableReader, name: string): Promise<UnstoppableName | null> => {
  const data = await callReader(reader, getData(name));
  const owner = addressAt(data, 1);
  if (owner === null) return null;
  const values = textsAt(data, 2, KEYS.length) ?? [];
  const filled = KEYS.flatMap(([coin], i) => {
    const value = values[i]?.trim() ?? "";
    return value === "" ? [] : [[coin, value] as const];
  });
  return { owner, resolver: addressAt(data, 0), addresses: new Map(filled) };
};

/** The name that an address claims, only when it resolves back. */
export const unstoppablePrimary = async (reader: UnstoppableReader, address: Hex): Promise<string | null> => {
  const data = await callReader(reader, concatHex(selectorOf("reverseNameOf(address)"), wordOf(address)));
  const bytes = bytesAt(data, 0);
  const name = bytes === null ? "" : Buffer.from(bytes).toString("utf8").toLowerCase();
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name)) return null;
  const records = await readUnstoppable(reader, name);
  return reader.chain.parseAddress(records?.addresses.get(60) ?? "") === address ? name : null;
};
