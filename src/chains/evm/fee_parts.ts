/**
 * Parts of a fee that a receipt states beside gas (`knowledge/fees.yaml`): data on layer 1, the operator fee of OP
 * Stack.
 */
import type { EvmFeePart, FeeAmount } from "../../knowledge/fee_part.ts";
import { EVM_FEE_PARTS } from "../../knowledge/fees.gen.ts";
import { BadAnswer, type JsonFields } from "../node/answer.ts";
import { dataOf, quantityOrNull } from "./wire.ts";

export interface StatedFees {
  readonly layer1: bigint;
  readonly operator: bigint;
}

export interface FeeReceipt {
  readonly receipt: JsonFields;
  readonly gas_used: bigint;
  /** `extraData` of the header, as the node states it. */
  readonly extra_data: unknown;
}

export const NO_STATED_FEES: StatedFees = { layer1: 0n, operator: 0n };

/** SystemConfig stores the scalar as uint32 and the constant as uint64 (specs.optimism.io, isthmus/system-config). */
const SCALAR_END = 1n << 32n;
const CONSTANT_END = 1n << 64n;

const bounded = (receipt: JsonFields, field: string, end: bigint): bigint => {
  const value = quantityOrNull(receipt[field], field) ?? 0n;
  if (value >= end) throw new BadAnswer(`${field} is larger than any`);
  return value;
};

const amountOf = (amount: FeeAmount, { receipt, gas_used }: FeeReceipt): bigint => {
  if ("field" in amount) return quantityOrNull(receipt[amount.field], amount.field) ?? 0n;
  const scalar = bounded(receipt, amount.scalar, SCALAR_END);
  const constant = bounded(receipt, amount.constant, CONSTANT_END);
  return (gas_used * scalar * amount.multiplied_by) / amount.divided_by + constant;
};

/** Extra data without a version counts as version 0: only Jovian and later forks have another one. */
const holds = ({ extra_data_version }: EvmFeePart, extra_data: unknown): boolean => {
  if (extra_data_version === null) return true;
  const version = extra_data === undefined || extra_data === null ? 0 : (dataOf(extra_data, "extra data")[0] ?? 0);
  return version >= extra_data_version.from && version < extra_data_version.below;
};

/** @throws BadAnswer for values that no node can state */
export const statedFees = (stated: FeeReceipt): StatedFees => {
  const sums = { layer1: 0n, operator: 0n };
  for (const part of EVM_FEE_PARTS) {
    const amount = amountOf(part.amount, stated);
    if (amount > 0n && holds(part, stated.extra_data)) sums[part.part] += amount;
  }
  return sums;
};
