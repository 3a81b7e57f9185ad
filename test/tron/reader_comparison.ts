/** Compares answers of Tron read from their text and from their objects, in every member. */
import { expect } from "vitest";
import { BadAnswer, fieldsOf, listOf } from "../../src/chains/node/answer.ts";
import { parseLossless } from "../../src/chains/node/lossless_json.ts";
import { readBlock } from "../../src/chains/tron/blocks.ts";
import { type Info, JsonInfo } from "../../src/chains/tron/info.ts";
import { JsonListedTransaction, type ListedTransaction } from "../../src/chains/tron/listed.ts";
import { parseBlocks, parseInfos } from "../../src/chains/tron/scan/answers.ts";
import { InfoRecord, TransactionRecord } from "../../src/chains/tron/scan/record.ts";

/** Number of the compared block, if any. */
export const NUMBER = 70_000_000;

/** Outcomes differ only in whether an answer was rejected: messages may differ. */
const outcome = <T>(read: () => T): T | "refused" => {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(BadAnswer);
    return "refused";
  }
};

/** Equal bytes are equal, in whatever buffer. */
const plain = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
};

/** Every member, each read by itself. */
const transactionReaders = (listed: ListedTransaction) =>
  [
    () => listed.hash,
    () => listed.raw,
    () => listed.ending,
    () => listed.whole(),
    () => listed.contract(() => ({ withdraw_amount: 3 })),
  ].map((ask) => outcome(() => plain(ask())));

const infoReaders = (info: Info) =>
  [
    () => info.id,
    () => info.number,
    () => info.is_good,
    () => info.energy,
    () => info.fee,
    () => info.logs(7),
    () => info.inner(),
    () => info.fields(),
  ].map((ask) => outcome(() => plain(ask())));

/** Items read from their text since the test began: contracts are among the transactions. */
export const counts = { transactions: 0, contracts: 0, infos: 0, left: 0, blocks: 0 };

export const begin = (): void => {
  Object.assign(counts, { transactions: 0, contracts: 0, infos: 0, left: 0, blocks: 0 });
};

const transactionOf = (item: unknown) => {
  const is_read = item instanceof TransactionRecord;
  counts[is_read ? "transactions" : "left"] += 1;
  if (is_read && item.has_contract) counts.contracts += 1;
  return outcome(() => transactionReaders(is_read ? item : new JsonListedTransaction(fieldsOf(item, "transaction"))));
};

const infoOutcome = (item: unknown) => {
  const is_read = item instanceof InfoRecord;
  counts[is_read ? "infos" : "left"] += 1;
  return outcome(() => infoReaders(is_read ? item : new JsonInfo(fieldsOf(item, "info"))));
};

/** Of all blocks; a value of another shape is compared unchanged. */
const blocksOutcome = (json: unknown, transaction: (item: unknown) => unknown) => {
  const list: unknown = Object(json).block;
  if (!Array.isArray(list)) return json;
  return {
    ...Object(json),
    block: list.map((one) => {
      const items: unknown = Object(one).transactions;
      return Array.isArray(items) ? { ...one, transactions: items.map(transaction) } : one;
    }),
  };
};

const infosOutcome = (json: unknown, info: (item: unknown) => unknown) => (Array.isArray(json) ? json.map(info) : json);

/** From objects. */
const byObjects = {
  transaction: (item: unknown) =>
    outcome(() => transactionReaders(new JsonListedTransaction(fieldsOf(item, "transaction")))),
  info: (item: unknown) => outcome(() => infoReaders(new JsonInfo(fieldsOf(item, "info")))),
};

/** Reads the texts as without a scan: all at once, by `JSON.parse`. */
export const expectSame = (block: string, infos: string): void => {
  const [block_text, infos_text] = [Buffer.from(block), Buffer.from(infos)];
  expect(outcome(() => blocksOutcome(parseBlocks(block_text), transactionOf))).toEqual(
    outcome(() => blocksOutcome(parseLossless(block), byObjects.transaction)),
  );
  expect(outcome(() => infosOutcome(parseInfos(infos_text), infoOutcome))).toEqual(
    outcome(() => infosOutcome(parseLossless(infos), byObjects.info)),
  );
  for (const verify of ["full", "header"] as const) {
    const read = (blocks: () => unknown, told: () => unknown) =>
      outcome(() => {
        const [one] = listOf(fieldsOf(blocks(), "blocks").block, "blocks");
        return plain(readBlock({ block: one, infos: told() }, { number: NUMBER, has_inner: true, verify }).block);
      });
    const found = read(
      () => parseBlocks(block_text),
      () => parseInfos(infos_text),
    );
    if (found !== "refused") counts.blocks += 1;
    expect(found).toEqual(
      read(
        () => parseLossless(block),
        () => parseLossless(infos),
      ),
    );
  }
};
