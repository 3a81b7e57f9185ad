/** Constructed transactions as the headline takes them. */
import type { EventLog, Transaction } from "../src/chains/chain.ts";
import { actionsOf } from "../src/domain/transaction/actions/index.ts";
import { approvalsOf } from "../src/domain/transaction/decoding/approvals.ts";
import { movementsOf } from "../src/domain/transaction/decoding/movements.ts";
import { endsOf, type HeadlineCase } from "../src/domain/transaction/headline/case.ts";
import { type AssignedLabel, protocolAt } from "../src/domain/transaction/headline/names.ts";
import { type Hex, hex } from "../src/lib/bytes.ts";
import { bareTransaction } from "./activity_scenario.ts";
import { ALICE, bytes, logOf } from "./sample_logs.ts";

export const [TOKEN, OTHER, POOL, ROUTER, WETH, SAFE, VAULT] = ["70", "71", "90", "91", "ee", "5a", "7a"].map((byte) =>
  hex(byte.repeat(20)),
) as [Hex, Hex, Hex, Hex, Hex, Hex, Hex];
export const TRANSFER = "Transfer(address,address,uint256)";
const DATA = bytes("12345678");

export const emitted = (address: string, index: number, log: EventLog): EventLog => ({
  ...log,
  address: bytes(address),
  index,
});
export const moved = (token: string, [from, to, amount]: readonly [string, string, number], index: number): EventLog =>
  emitted(token, index, logOf(TRANSFER, [from, to], [amount]));

/** A call of Alice to a router on Ethereum, if the change does not say otherwise. */
export const caseOf = (
  change: Partial<Transaction>,
  labels: Readonly<Record<string, AssignedLabel>> = {},
): HeadlineCase => {
  const transaction = bareTransaction({
    value: 0n,
    sender: bytes(ALICE),
    recipient: bytes(ROUTER),
    input: DATA,
    ...change,
  });
  const movements = movementsOf(transaction, { wrapped_native: WETH });
  const approvals = approvalsOf(transaction, null);
  const around = { transaction, movements, wrapped_native: WETH };
  const actions = actionsOf({ ...around, approvals, authorizations: [], pools: new Map() });
  const name: HeadlineCase["name"] = (address) => protocolAt("ethereum", address, labels[address] ?? null);
  return {
    ...around,
    ...endsOf(transaction),
    actions,
    name,
    is_dollar: () => false,
    decimals: () => 18,
    usd: () => null,
  };
};
