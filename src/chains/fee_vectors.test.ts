/** The vectors of `knowledge/fees.yaml`, in the form of a node's answer. That file has the arithmetic in comments. */

import { join } from "node:path";
import { LiteSVM } from "litesvm";
import { describe, expect, test } from "vitest";
import { type FeeRow, type FeeVector, readFeeRows } from "../../scripts/gen_fees.ts";
import { madeKey, madeTransaction, packed, SYSTEM } from "../demo/solana/made_transaction.ts";
import { readReceiptLogs } from "./evm/receipt_logs.ts";
import { type EvmTransactionInput, readTransaction } from "./evm/transactions.ts";
import { readRawTransaction } from "./solana/transaction.ts";
import { costOf } from "./solana/transaction_details.ts";
import { Keys } from "./solana/wire.ts";
import { JsonInfo } from "./tron/info.ts";

const rows = readFeeRows(join(import.meta.dirname, "../.."));
const vectorsOf = (family: FeeRow["family"]) =>
  rows
    .filter((row) => row.family === family)
    .flatMap((row) => row.vectors.map((vector, i) => ({ id: row.id, i, row, vector })));

const quantity = (value: number): string => `0x${value.toString(16)}`;

const evmTransaction = (
  { receipt = {}, extra_data, gas_price = 0 }: FeeVector,
  committed: EvmTransactionInput["committed"] = null,
) => {
  const hash = `0x${"11".repeat(32)}`;
  const from = `0x${"aa".repeat(20)}`;
  const stated = Object.fromEntries(Object.entries(receipt).map(([name, value]) => [name, quantity(value)]));
  const fields = { hash, from, to: from, value: "0x0", nonce: "0x1", gas: "0xf4240", input: "0x" };
  const whole = { transactionHash: hash, status: "0x1", logs: [], ...stated };
  return readTransaction({
    index: 0,
    fields: { ...fields, gasPrice: quantity(gas_price) },
    receipt: whole,
    told: readReceiptLogs(whole),
    trace: null,
    base_fee: null,
    extra_data,
    pays_coin: true,
    committed,
  });
};

describe("EVM", () => {
  test.each(vectorsOf("evm"))("$id, vector $i: the fee and its part follow from the formula", ({ row, vector }) => {
    const { fee, layer1_fee = 0n, operator_fee = 0n } = evmTransaction(vector);
    expect(fee).toBe(BigInt(vector.fee));
    const parts: Readonly<Record<string, bigint>> = { layer1: layer1_fee, operator: operator_fee };
    if (row.part !== "gas") expect(parts[row.part]).toBe(BigInt(vector.amount));
    else expect([layer1_fee, operator_fee]).toEqual([0n, 0n]);
  });

  test("an operator fee beside data on layer 1 is a part of its own", () => {
    // 21,000 * 10 + 5,000 for layer 1 + (21,000 * 1,000,000 / 1e6 + 1) for the operator.
    const receipt = { gasUsed: 21_000, l1Fee: 5_000, operatorFeeScalar: 1_000_000, operatorFeeConstant: 1 };
    const read = evmTransaction({ receipt, extra_data: "0x00000000fa00000006", gas_price: 10, amount: 0, fee: 0 });
    expect(read).toMatchObject({ fee: 236_001n, layer1_fee: 5_000n, operator_fee: 21_001n });
  });

  test("on a network without such parts, a receipt that states them adds nothing to the fee", () => {
    const plain = { gas_used: 21_000n, sender: null, is_hashed: false, price: "told", has_layer1_fee: false } as const;
    const receipt = { gasUsed: 21_000, l1Fee: 5_000, operatorFeeScalar: 1_000_000, operatorFeeConstant: 1 };
    const read = evmTransaction({ receipt, gas_price: 10, amount: 0, fee: 0 }, plain);
    expect(read.fee).toBe(210_000n);
    expect([read.layer1_fee, read.operator_fee]).toEqual([undefined, undefined]);
  });

  test("rejects a scalar or a constant that its type cannot hold", () => {
    const stated = (receipt: Record<string, number>) =>
      evmTransaction({ receipt: { gasUsed: 21_000, ...receipt }, amount: 0, fee: 0 });
    expect(() => stated({ operatorFeeScalar: 2 ** 32 })).toThrow("operatorFeeScalar is larger than any");
    expect(() => stated({ operatorFeeConstant: 2 ** 64 })).toThrow("operatorFeeConstant is larger than any");
    expect(stated({ operatorFeeScalar: 2 ** 32 - 1, operatorFeeConstant: 0 }).operator_fee).toBe(
      // 21,000 * 4,294,967,295 / 1e6 = 90,194,313.195
      90_194_313n,
    );
  });
});

describe("Solana", () => {
  const [payer, other, second] = [madeKey(1), madeKey(2), madeKey(3)];
  const charged = vectorsOf("solana").filter(({ row }) => row.part !== "transfer");

  test.each(charged)(
    "$id, vector $i: the part that signatures do not explain is the priority fee",
    ({ row, vector }) => {
      const { fee, amount, signatures = 1, compute_unit_price } = vector;
      const price = {
        program: "ComputeBudget111111111111111111111111111111",
        accounts: [],
        data: packed(["u8", 3], ["u64", compute_unit_price ?? 0]),
      };
      const pay = { program: SYSTEM, accounts: [payer, other], data: packed(["u32", 2], ["u64", 0]) };
      const made = madeTransaction({
        lamports: [
          [payer, 100_000n, 100_000n - BigInt(fee)],
          ...(signatures > 1 ? [[second, 5n, 5n] as const] : []),
          [other, 7n, 7n],
        ],
        instructions: [price, pay],
        fee,
      });
      const raw = { ...readRawTransaction(made, new Keys()), signers: signatures };
      expect(raw.fee).toBe(BigInt(fee));
      const cost = costOf(raw);
      const priority = cost.unit === "compute_unit" ? cost.priority_fee : null;
      expect(priority).toBe(BigInt(row.part === "priority" ? amount : fee - amount));
    },
  );

  test.each(vectorsOf("solana").filter(({ row }) => row.part === "transfer"))(
    "$id, vector $i: the runtime requires the same of a new account",
    ({ vector }) => {
      const asked = new LiteSVM().minimumBalanceForRentExemption(BigInt(vector.data_bytes ?? 0));
      expect(asked).toBe(BigInt(vector.amount));
    },
  );
});

describe("Tron", () => {
  test.each(vectorsOf("tron"))("$id, vector $i: the info's fee holds the part", ({ row, vector }) => {
    const { info = {}, amount, fee } = vector;
    expect(new JsonInfo(info).fee).toBe(BigInt(fee));
    // The node states it in the field that the row names.
    const { receipt = {} } = info as { readonly receipt?: Readonly<Record<string, unknown>> };
    expect("receipt" in row.amount ? receipt[row.amount.receipt] : null).toBe(amount);
  });
});
