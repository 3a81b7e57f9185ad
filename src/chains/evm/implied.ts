/**
 * Values that some kinds of transactions imply, although no hash covers them: a node that states others lies.
 * (OffchainLabs/go-ethereum, core/types/arb_types.go; ethereum-optimism/specs, protocol/deposits.md.)
 */
import { toHex } from "../../lib/bytes.ts";
import { BadAnswer, type JsonFields } from "../node/answer.ts";
import { typeOf } from "./derived.ts";
import { countOf, quantityOf } from "./wire.ts";

const WORD_DIGITS = 64;
/** The address of ArbOS, and of the contract that stores retryables. */
const ARBOS = `0x${"a4b05".padStart(40, "0")}`;
const RETRYABLES = `0x${"6e".padStart(40, "0")}`;
/** submitRetryable(bytes32,uint256,…) of the latter. */
const SUBMIT = "0xc9f95d32";

const word = (value: bigint): string => value.toString(16).padStart(WORD_DIGITS, "0");
const digits = (value: unknown): string => (typeof value === "string" ? value.slice(2) : "");

/** The input of a submission, encoded from its hashed fields. */
const submissionOf = (fields: JsonFields): string => {
  const amounts = [
    fields.l1BaseFee,
    fields.depositValue,
    fields.retryValue,
    fields.maxFeePerGas,
    fields.gas,
    fields.maxSubmissionFee,
  ];
  const people = [fields.refundTo, fields.beneficiary, fields.retryTo];
  const data = digits(fields.retryData);
  const words = [
    digits(fields.requestId),
    ...amounts.map((amount) => word(quantityOf(amount, "amount"))),
    ...people.map((address) => digits(address).padStart(WORD_DIGITS, "0")),
  ];
  // Offset of the data, then its length, follow these.
  const head = [...words, word(BigInt((words.length + 1) * 32)), word(BigInt(data.length / 2))];
  return SUBMIT + head.join("") + data.padEnd(Math.ceil(data.length / WORD_DIGITS) * WORD_DIGITS, "0");
};

type ImpliedFields = (fields: JsonFields, receipt: JsonFields) => Readonly<Record<string, string>>;

const IMPLIED: Readonly<Record<number, ImpliedFields>> = {
  100: () => ({ nonce: "0x0", input: "0x" }),
  102: () => ({ nonce: "0x0" }),
  105: (fields) => ({ nonce: "0x0", value: "0x0", to: RETRYABLES, input: submissionOf(fields) }),
  106: () => ({ nonce: "0x0", value: "0x0", from: ARBOS, to: ARBOS }),
  // Since Canyon the receipt's hash covers the nonce.
  126: (_, { depositReceiptVersion, depositNonce }) =>
    typeof depositReceiptVersion === "string" && typeof depositNonce === "string" ? { nonce: depositNonce } : {},
};

/** Inputs may be bytes already. */
const textOf = (value: unknown): unknown => (value instanceof Uint8Array ? `0x${toHex(value)}` : value);

const isLeftOut = (value: unknown): boolean => value === undefined || value === null;

/**
 * The fields of a hashed transaction, completed with the values that its kind implies.
 * @throws BadAnswer if it has other values than its kind implies
 */
export const withImplied = (fields: JsonFields, receipt: JsonFields): JsonFields => {
  const implied = IMPLIED[typeOf(fields)]?.(fields, receipt);
  if (implied === undefined) return fields;
  const filled: Record<string, unknown> = { ...fields };
  for (const [name, value] of Object.entries(implied)) {
    if (isLeftOut(fields[name])) filled[name] = value;
    const told = textOf(filled[name]);
    if (typeof told !== "string" || told.toLowerCase() !== value.toLowerCase())
      throw new BadAnswer(`the ${name} of a transaction is not what its kind implies`, "implied_fields");
  }
  return filled;
};

/** Unsigned kinds: deposits of the OP Stack, and transactions of ArbOS. */
const UNSIGNED = { deposit: 126, arbitrum_first: 100, arbitrum_last: 106 };

/**
 * The nonce of a transaction. Nodes omit it for unsigned kinds: the receipt may have it, and otherwise it has no
 * meaning.
 */
export const nonceOf = (fields: JsonFields, receipt: JsonFields): number => {
  const type = typeOf(fields);
  const is_unsigned = type === UNSIGNED.deposit || (type >= UNSIGNED.arbitrum_first && type <= UNSIGNED.arbitrum_last);
  if (!is_unsigned || !isLeftOut(fields.nonce)) return countOf(fields.nonce, "nonce");
  return isLeftOut(receipt.depositNonce) ? 0 : countOf(receipt.depositNonce, "deposit nonce");
};
