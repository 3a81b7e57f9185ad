import type { EventLog } from "../../../chains/chain.ts";
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { EMPTY, type Hex, toHex } from "../../../lib/bytes.ts";
import { topicOf } from "../../../protocols/protocol.ts";
import { topicAddress } from "../../../protocols/topics.ts";
import { isStill, netOf, type PartyNet } from "./nets.ts";

/** A smart account that acts. */
export interface ActingAccount {
  readonly address: Hex;
  readonly type: "multisig_exec" | "user_operation";
  /** Logs of its own operation: a bundle has those of others too. */
  readonly logs: readonly EventLog[];
  /** Contract that executes operations and logs its own bookkeeping; null for a Safe. */
  readonly entry_point: Hex | null;
}

const SAFE_EVENTS = [INTERFACES.safe.ExecutionSuccess, INTERFACES.safe.ExecutionFailure].map((event) =>
  toHex(topicOf(event)),
);
const OPERATION = toHex(topicOf(INTERFACES.erc4337.UserOperationEvent));
/** Ends the checks of all operations of a bundle. Source: eth-infinitism/account-abstraction EntryPoint.sol. */
const EXECUTION = toHex(topicOf("BeforeExecution()"));

/** Logs between the end of the operation before and its own end. */
const logsOfOperation = (logs: readonly EventLog[], account: Hex): readonly EventLog[] => {
  const topicAt = (n: number): Hex => toHex(logs[n]?.topics[0] ?? EMPTY);
  const end = logs.findIndex(
    ({ topics: [, , named] }, n) =>
      topicAt(n) === OPERATION && named !== undefined && toHex(topicAddress(named)) === account,
  );
  let start = end - 1;
  while (start >= 0 && topicAt(start) !== OPERATION && topicAt(start) !== EXECUTION) start -= 1;
  return logs.slice(start + 1, end + 1);
};

/**
 * The Safe that executed a decision of its owners, or the account of a bundled operation; null when the signer acts
 * directly.
 */
export const accountIn = (
  logs: readonly EventLog[],
  recipient: Hex | null,
  nets: ReadonlyMap<Hex, PartyNet>,
): ActingAccount | null => {
  if (logs.length === 0) return null;
  const of = (topics: readonly Hex[]) => logs.filter((log) => log.topics[0] && topics.includes(toHex(log.topics[0])));
  const operated = of([OPERATION]).flatMap(({ topics: [, , account] }) =>
    account ? [toHex(topicAddress(account))] : [],
  );
  const moved = operated.find((account) => !isStill(netOf(nets, account))) ?? operated[0];
  const [operation] = of([OPERATION]);
  if (moved !== undefined && operation !== undefined)
    return {
      ...{ address: moved, type: "user_operation", entry_point: toHex(operation.address) },
      logs: logsOfOperation(logs, moved),
    };
  const safes = [...new Set(of(SAFE_EVENTS).map(({ address }) => toHex(address)))];
  const safe = safes.find((one) => one === recipient) ?? (safes.length === 1 ? safes[0] : undefined);
  return safe === undefined ? null : { address: safe, type: "multisig_exec", logs, entry_point: null };
};
