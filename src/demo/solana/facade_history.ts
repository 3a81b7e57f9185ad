/** `getSignaturesForAddress` of the façade (agave, rpc: the newest first, at most 1,000). */
import { toBase58 } from "../../lib/base58.ts";
import type { SealedBlock } from "./facade_calls.ts";

const PAGE_MAX = 1_000;
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
/** Version, three bytes of header. */
const MESSAGE_HEADER_BYTES = 4;

/** A transaction's id is its first signature, after the number of signatures (below 128). */
const wireOf = (transaction: unknown): Buffer => {
  const [wire] = Reflect.get(Object(transaction), "transaction") as readonly string[]; // as this façade stores them
  return Buffer.from(wire ?? "", "base64");
};

export const signatureIn = (transaction: unknown): string =>
  toBase58(wireOf(transaction).subarray(1, 1 + SIGNATURE_BYTES));

/** The accounts of a version 0 message without look-up tables. */
const accountsIn = (transaction: unknown): readonly string[] => {
  const wire = wireOf(transaction);
  const count_at = 1 + SIGNATURE_BYTES * (wire[0] ?? 0) + MESSAGE_HEADER_BYTES;
  return Array.from({ length: wire[count_at] ?? 0 }, (_, i) => {
    const at = count_at + 1 + KEY_BYTES * i;
    return toBase58(wire.subarray(at, at + KEY_BYTES));
  });
};

/** The accounts of a transaction never change, and each history looks at all transactions. */
const known = new WeakMap<object, readonly string[]>();

const names = (transaction: unknown, address: string): boolean => {
  const accounts = known.get(Object(transaction)) ?? accountsIn(transaction);
  known.set(Object(transaction), accounts);
  return accounts.includes(address);
};

/** `to`: the newest slot of the commitment. */
export const signaturesOf = (
  blocks: ReadonlyMap<number, SealedBlock>,
  { address, config, to }: { readonly address: unknown; readonly config: unknown; readonly to: number },
): readonly object[] => {
  const listed = [...blocks.values()].reverse().flatMap(({ slot, blockTime, transactions }) =>
    slot > to
      ? []
      : transactions.toReversed().flatMap((one) => {
          if (!names(one, String(address))) return [];
          const err: unknown = Reflect.get(Object(Reflect.get(Object(one), "meta")), "err");
          return { signature: signatureIn(one), slot, err, memo: null, blockTime, confirmationStatus: "finalized" };
        }),
  );
  const before: unknown = Reflect.get(Object(config), "before");
  const limit = Number(Reflect.get(Object(config), "limit") ?? PAGE_MAX);
  const start = before === undefined ? 0 : listed.findIndex(({ signature }) => signature === before) + 1;
  // A node that does not know the signature has nothing before it.
  return before !== undefined && start === 0 ? [] : listed.slice(start, start + Math.min(limit, PAGE_MAX));
};
