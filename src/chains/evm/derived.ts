/** Values that a transaction does not state: they follow from fields that a block's hash commits to. */
import { type Bytes, keccak256 } from "../../lib/bytes.ts";
import { BadAnswer, type JsonFields } from "../node/answer.ts";
import { digitsOf, rlpOf } from "./rlp.ts";
import type { PriceRule } from "./verify/rules.ts";
import { countOf, quantityOf } from "./wire.ts";

export interface Derivable {
  /** The signer; null if it was not recovered. */
  readonly sender: Bytes | null;
  /** The hash also covers the transaction's own fields, not only its receipt. */
  readonly is_hashed: boolean;
  readonly price: PriceRule;
  readonly has_layer1_fee: boolean;
}

/** A deposit from layer 1 (ethereum-optimism/optimism specs/deposits.md): its gas was bought there. */
const DEPOSIT_TYPE = 0x7e;
/** Types whose creations follow from the sender's nonce in the hashed fields (yellow paper 7, EIP-2718 and after). */
const COUNTED_TYPES: readonly number[] = [0, 1, 2, 3, 4, 0x7b];

/** The type's number; 0 if a node omits it. */
export const typeOf = (fields: JsonFields): number =>
  fields.type === undefined || fields.type === null ? 0 : countOf(fields.type, "transaction type");

export const isDeposit = (fields: JsonFields): boolean => typeOf(fields) === DEPOSIT_TYPE;

interface PricedTransaction {
  readonly fields: JsonFields;
  readonly receipt: JsonFields;
  readonly base_fee: bigint | null;
}

/** Types that state the price of gas themselves, and types that state caps (EIP-1559). */
const PRICED_TYPES: readonly number[] = [0, 1];
const CAPPED_TYPES: readonly number[] = [2, 3, 4];

/**
 * Price of gas in base units of the coin. If fields and rules are known, it is derived, and the text must state the
 * same.
 * @throws BadAnswer
 */
export const priceOf = (priced: PricedTransaction, derivable: Derivable | null): bigint => {
  const { fields, receipt } = priced;
  const told = quantityOf(receipt.effectiveGasPrice ?? fields.gasPrice, "gas price");
  if (derivable === null || !derivable.is_hashed || derivable.price === "told") return told;
  const by_caps = derivable.price === "base" ? null : ownPrice(priced);
  const may_be = derivable.price === "caps" ? [by_caps] : [by_caps, priced.base_fee];
  if (may_be.every((price) => price === null)) return told;
  if (!may_be.includes(told)) throw new BadAnswer("a gas price that is not what the transaction pays", "gas_price");
  return told;
};

/** Null for a type that states neither a price nor caps. */
const ownPrice = (priced: PricedTransaction): bigint | null => {
  const type = typeOf(priced.fields);
  if (PRICED_TYPES.includes(type)) return quantityOf(priced.fields.gasPrice, "gas price");
  return CAPPED_TYPES.includes(type) ? cappedPrice(priced) : null;
};

const cappedPrice = ({ fields, base_fee }: PricedTransaction): bigint => {
  const cap = quantityOf(fields.maxFeePerGas, "highest gas price");
  const wanted = (base_fee ?? 0n) + quantityOf(fields.maxPriorityFeePerGas, "tip");
  return wanted < cap ? wanted : cap;
};

interface CreationTransaction {
  readonly fields: JsonFields;
  readonly receipt: JsonFields;
  readonly sender: Bytes;
}

/** Address of the contract that a transaction created; null if it does not follow from hashed fields. */
export const createdBy = ({ fields, receipt, sender }: CreationTransaction, { is_hashed }: Derivable): Bytes | null => {
  if (!is_hashed) return null;
  const nonce = nonceOf(fields, receipt);
  if (nonce === null) return null;
  // The last 20 bytes of a hash of 32 (yellow paper, 7).
  return keccak256(rlpOf([sender, digitsOf(BigInt(nonce))])).subarray(12);
};

/** The receipt of a deposit has the nonce, hashed since Canyon (it then has a version too). */
const nonceOf = (fields: JsonFields, receipt: JsonFields): number | null => {
  const type = typeOf(fields);
  if (COUNTED_TYPES.includes(type)) return countOf(fields.nonce, "nonce");
  const is_hashed = type === DEPOSIT_TYPE && (receipt.depositReceiptVersion ?? null) !== null;
  return is_hashed ? countOf(receipt.depositNonce, "deposit nonce") : null;
};
