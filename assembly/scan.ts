/** A block and its receipts as records (./records): each field by its position in the text, logs as bytes. */
import { Cursor, enter, fail, nextElement, nextName, OPEN_LIST, OPEN_OBJECT, ParseFault } from "./cursor";
import { FEE_FIELDS } from "./fee_fields.gen";
import { ObjectFields } from "./fields";
import { beginLogs, putLogs, repeatAll } from "./logs";
import { beginRecords, hasRecordRoom, putObject, putWord, take, WORD } from "./records";

/** Fields of each object. `src/chains/evm/scan/records.ts` has the same names in the same order. */
const header = new ObjectFields(
  "number hash parentHash timestamp miner author logsBloom baseFeePerGas mixHash extraData nonce sha3Uncles stateRoot " +
    "transactionsRoot receiptsRoot difficulty gasLimit gasUsed withdrawals transactions",
);
const TRANSACTIONS: i32 = 19;
const transaction = new ObjectFields(
  "hash blockHash blockNumber transactionIndex from to value nonce input data type gas gasPrice maxFeePerGas " +
    "maxPriorityFeePerGas maxFeePerBlobGas blobVersionedHashes feeCurrency mint requestId l1BaseFee depositValue " +
    "retryValue maxSubmissionFee refundTo beneficiary retryTo retryData",
);
/** `input` and `data`. */
const INPUTS: u64 = (1 << 8) | (1 << 9);
const receipt = new ObjectFields(
  "transactionHash blockHash blockNumber transactionIndex gasUsed cumulativeGasUsed status contractAddress " +
    "effectiveGasPrice blobGasUsed blobGasPrice logsBloom depositReceiptVersion depositNonce " +
    FEE_FIELDS +
    " logs",
);
const FILTER: i32 = 11;
const LOGS: i32 = receipt.count - 1;

let objects: u32 = 0;
let has_filters: bool = false;

/** Number of transactions or receipts of the last scan. */
export function countScanned(): u32 {
  return objects;
}

/** Writes the block at the cursor: its transactions, then its header. */
export function scanHeader(): void {
  beginRecords();
  objects = 0;
  header.begin();
  enter(OPEN_OBJECT);
  let name: usize;
  while ((name = nextName()) !== 0) {
    const field = header.find(name);
    if (field !== TRANSACTIONS) {
      header.note(field);
      continue;
    }
    header.meet(field);
    scanTransactions();
  }
  if (!header.isMet(TRANSACTIONS)) fail(ParseFault.Missing);
  header.forget(TRANSACTIONS);
  putObject(header, 0, 0);
}

function scanTransactions(): void {
  enter(OPEN_LIST);
  while (nextElement()) {
    transaction.readAll();
    putObject(transaction, INPUTS, 0);
    objects++;
  }
}

/** Writes a block's list of receipts, or one of them. Each receipt is its logs, then its fields. */
export function scanReceiptList(with_filters: bool): void {
  has_filters = with_filters;
  beginRecords();
  objects = 0;
  if (load<u8>(Cursor.at) === OPEN_OBJECT) return scanReceipt();
  enter(OPEN_LIST);
  while (nextElement()) scanReceipt();
}

/** Number of logs, the logs, whether they repeat the receipt's fields correctly, then the receipt's own fields. */
function scanReceipt(): void {
  objects++;
  receipt.begin();
  beginLogs();
  if (!hasRecordRoom(WORD)) return;
  const head = take(WORD);
  let logs: u32 = 0;
  enter(OPEN_OBJECT);
  let name: usize;
  while ((name = nextName()) !== 0) {
    const field = receipt.find(name);
    if (field !== LOGS) {
      receipt.note(field);
      continue;
    }
    receipt.meet(field);
    logs = putLogs();
  }
  if (!receipt.isMet(LOGS)) fail(ParseFault.Missing);
  receipt.forget(LOGS);
  const are_repeated = repeatAll(receipt);
  if (!hasRecordRoom(WORD)) return;
  store<u32>(head, logs);
  putWord(u32(are_repeated));
  putObject(receipt, 0, has_filters ? 0 : 1 << FILTER);
}
