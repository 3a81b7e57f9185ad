/** Blocks read from their text, and the same read from the objects of `JSON.parse`, the reference for the text. */

import { readReceiptLogs } from "../../src/chains/evm/receipt_logs.ts";
import { answersIn, sliceIn } from "../../src/chains/evm/scan/answers.ts";
import { type ScannedBlock, type ScannedReceipt, scanBlock, scanReceipts } from "../../src/chains/evm/scan/records.ts";
import type { BlockTexts } from "../../src/chains/evm/verify/block_verifier.ts";
import { BadAnswer, fieldsOf, type JsonFields, listOf } from "../../src/chains/node/answer.ts";
import { parseJson } from "../../src/chains/node/connection.ts";

export interface ScannedAnswer {
  readonly block: unknown;
  readonly receipts: unknown;
}

export interface ScanResult {
  readonly block: ScannedBlock;
  readonly receipts: readonly ScannedReceipt[];
}

const BLOCK_ID = 1;
const RECEIPTS_ID = 2;

/** The text of a node's answer to a call for each. */
export const textOf = ({ block, receipts }: ScannedAnswer): Buffer => {
  const answers = [
    { jsonrpc: "2.0", id: BLOCK_ID, result: block },
    { jsonrpc: "2.0", id: RECEIPTS_ID, result: receipts },
  ];
  return Buffer.from(JSON.stringify(answers));
};

const resultIn = (answers: unknown, id: number): unknown => {
  if (!Array.isArray(answers)) throw new BadAnswer("no list of answers");
  return answers.find((one) => one?.id === id)?.result;
};

/** @throws BadAnswer */
export const textsIn = (text: Buffer): BlockTexts => {
  const answers = answersIn(text);
  const [block, receipts] = [BLOCK_ID, RECEIPTS_ID].map((id) => sliceIn(resultIn(answers, id) ?? null));
  if (block === undefined || block === null || receipts === undefined || receipts === null)
    throw new BadAnswer("a call has no answer");
  return { block, receipts: [receipts] };
};

/** Reads like the product. @throws BadAnswer */
export const scannedIn = ({ block, receipts }: BlockTexts, with_filters = true): ScanResult => ({
  block: scanBlock(block),
  receipts: receipts.flatMap((slice) => scanReceipts(slice, with_filters)),
});

/** The same from objects. @throws BadAnswer */
export const parsedIn = (text: Buffer): ScanResult => {
  const answers = parseJson(text.toString("utf8"));
  const header = fieldsOf(resultIn(answers, BLOCK_ID), "block");
  return {
    block: {
      header,
      transactions: listOf(header.transactions, "transactions").map((item) => fieldsOf(item, "transaction")),
    },
    receipts: listOf(resultIn(answers, RECEIPTS_ID), "receipts").map((item): ScannedReceipt => {
      const fields: JsonFields = fieldsOf(item, "receipt");
      return { fields, ...readReceiptLogs(fields) };
    }),
  };
};
