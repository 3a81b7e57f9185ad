import type { InternalCall, Transaction } from "../chains/chain.ts";
import { EMPTY, equalBytes, fromHex, type Hex, keccak256, toHex } from "../lib/bytes.ts";
import { type BlockScope, pushTransfer, transactionColumns } from "./decode_scope.ts";
import type { ContractsRow } from "./rows.ts";

/**
 * Native coins that moved inside a transaction, and contracts that were created or destroyed. Inner calls count from
 * position 1, those without value too, so that transfers and contracts agree on positions.
 */
export const decodeCalls = (scope: BlockScope, transaction: Transaction): void => {
  if (transaction.created_contract === null && transaction.calls.length === 0) return;
  const place = transactionColumns(scope, transaction);
  const { sender } = transaction;
  const { contracts } = scope.rows;
  if (transaction.created_contract !== null) {
    const address = transaction.created_contract;
    contracts.push({
      ...place,
      address,
      position: 0,
      event: "created",
      method: "create",
      creator: sender,
      factory: EMPTY,
      init_hash: keccak256(transaction.input),
      code_hash: EMPTY,
    });
  }
  let young: ReadonlySet<Hex> | null = null;
  /** Balances of contracts that are gone when the transaction ends: their code runs and receives until then. */
  const dying = new Map<Hex, bigint>();
  for (const [index, call] of transaction.calls.entries()) {
    const position = index + 1;
    let fate: Fate = "stays";
    if (call.kind === "selfdestruct") {
      young ??= createdIn(transaction);
      fate = young.has(toHex(call.sender)) ? "gone" : fateOfOlder(scope);
    }
    if (call.value > 0n) {
      const burnt = fate === "gone" && equalBytes(call.sender, call.recipient);
      pushTransfer(scope, transaction, {
        position,
        kind: "internal",
        token: EMPTY,
        token_id: 0n,
        source: call.sender,
        destination: burnt ? EMPTY : call.recipient,
        amount: call.value,
      });
    }
    noteDestroyed(dying, call, fate);
    const event = eventOf(call, fate);
    if (event !== null) contracts.push({ ...place, position, ...event, creator: sender });
  }
  burnDying(scope, transaction, dying);
};

const noteDestroyed = (dying: Map<Hex, bigint>, call: InternalCall, fate: Fate): void => {
  const [from, to] = [toHex(call.sender), toHex(call.recipient)];
  const [given, taken] = [dying.get(from), dying.get(to)];
  if (fate === "gone") dying.set(from, 0n);
  else if (given !== undefined && from !== to) dying.set(from, given - call.value);
  if (taken !== undefined && from !== to) dying.set(to, taken + call.value);
};

/** Burns coins that reached a contract after it destroyed itself (yellow paper 6.2). */
const burnDying = (scope: BlockScope, transaction: Transaction, dying: ReadonlyMap<Hex, bigint>): void => {
  let position = transaction.calls.length;
  for (const [address, amount] of dying) {
    if (amount <= 0n) continue;
    position += 1;
    const source = fromHex(address) ?? EMPTY;
    const coin = { kind: "internal", token: EMPTY, token_id: 0n } as const;
    pushTransfer(scope, transaction, { position, ...coin, source, destination: EMPTY, amount });
  }
};

type Fate = "gone" | "perhaps" | "stays";

/**
 * Since EIP-6780 (Cancun) a self-destruct removes the code only of a contract that was created in the same transaction;
 * before, always. If the network's file does not state when that fork came, the code may be gone: the row is written,
 * and a reader that needs certainty queries the code.
 */
const fateOfOlder = ({ network, block }: BlockScope): Fate => {
  const from = network.selfdestruct_keeps_code_from;
  if (from === undefined) return "perhaps";
  return block.time < from ? "gone" : "stays";
};

const createdIn = ({ created_contract, calls }: Transaction): ReadonlySet<Hex> => {
  const created = calls.filter(({ kind }) => kind === "create" || kind === "create2").map((call) => call.recipient);
  return new Set([...created, ...(created_contract === null ? [] : [created_contract])].map(toHex));
};

const eventOf = (
  call: InternalCall,
  fate: Fate,
): Pick<ContractsRow, "address" | "event" | "method" | "factory" | "init_hash" | "code_hash"> | null => {
  if (call.kind === "create" || call.kind === "create2") {
    const hashes = { init_hash: call.init_hash ?? EMPTY, code_hash: call.code_hash ?? EMPTY };
    return { address: call.recipient, event: "created", method: call.kind, factory: call.sender, ...hashes };
  }
  if (call.kind !== "selfdestruct" || fate === "stays") return null;
  const nothing = { factory: EMPTY, init_hash: EMPTY, code_hash: EMPTY };
  return { address: call.sender, event: "destroyed", method: "none", ...nothing };
};
