import { fromBase58 } from "../../src/lib/base58.ts";

interface WireMessage {
  readonly header?: Readonly<Record<string, number>>;
  readonly accountKeys: readonly string[];
  readonly recentBlockhash: string;
  readonly instructions: readonly { programIdIndex: number; accounts: readonly number[]; data: string }[];
  readonly addressTableLookups?: readonly {
    readonly accountKey: string;
    readonly writableIndexes: readonly number[];
    readonly readonlyIndexes: readonly number[];
  }[];
}

const raw = (text: string): Uint8Array => fromBase58(text) ?? new Uint8Array(0);

const counted = (bytes: ArrayLike<number>): Buffer => {
  const { length } = bytes;
  const size = length < 128 ? [length] : [(length & 0x7f) | 0x80, length >> 7];
  return Buffer.concat([Buffer.from(size), Uint8Array.from(bytes)]);
};

/** A recorded transaction in its wire format; null if the recording lacks some of it (encoding `jsonParsed`). */
export const wireOfJson = (transaction: unknown): Buffer | null => {
  const { signatures, message } = Object(transaction) as { signatures?: readonly string[]; message?: WireMessage };
  if (signatures === undefined || message?.header === undefined) return null;
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = message.header;
  const tables = message.addressTableLookups;
  return Buffer.concat([
    Buffer.from([signatures.length]),
    ...signatures.map(raw),
    Buffer.from(tables === undefined ? [] : [0x80]),
    Buffer.from([numRequiredSignatures ?? 0, numReadonlySignedAccounts ?? 0, numReadonlyUnsignedAccounts ?? 0]),
    Buffer.from([message.accountKeys.length]),
    ...message.accountKeys.map(raw),
    raw(message.recentBlockhash),
    Buffer.from([message.instructions.length]),
    ...message.instructions.flatMap(({ programIdIndex, accounts, data }) => [
      Buffer.from([programIdIndex]),
      counted(accounts),
      counted(raw(data)),
    ]),
    ...(tables === undefined ? [] : [Buffer.from([tables.length])]),
    ...(tables ?? []).flatMap((one) => [
      raw(one.accountKey),
      counted(one.writableIndexes),
      counted(one.readonlyIndexes),
    ]),
  ]);
};
