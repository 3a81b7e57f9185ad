import type { EventLog } from "../../../chains/chain.ts";
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { type Hex, toHex } from "../../../lib/bytes.ts";
import { topicOf } from "../../../protocols/protocol.ts";
import { topicAddress } from "../../../protocols/topics.ts";
import { isStill, netOf, type PartyNet } from "./nets.ts";

/** A smart account that acts. */
export interface ActingAccount {
  readonly address: Hex;
  readonly type: "multisig_exec" | "user_operation";
  /** Contract that executes operations and logs its own bookkeeping; null for a Safe. */
  readonly entry_point: Hex | null;
}

const SAFE_EVENTS = [INTERFACES.safe.ExecutionSuccess, INTERFACES.safe.ExecutionFailure].map((event) =>
  toHex(topicOf(event)),
);
const OPERATION = toHex(topicOf(INTERFACES.erc4337.UserOperationEvent));

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
    return { address: moved, type: "user_operation", entry_point: toHex(operation.address) };
  const safes = [...new Set(of(SAFE_EVENTS).map(({ address }) => toHex(address)))];
  const safe = safes.find((one) => one === recipient) ?? (safes.length === 1 ? safes[0] : undefined);
  return safe === undefined ? null : { address: safe, type: "multisig_exec", entry_point: null };
};
