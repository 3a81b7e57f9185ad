import { type Hex, toHex } from "../../../lib/bytes.ts";
import type { TokenApproval } from "../decoding/approvals.ts";
import type { Action, ActionReader } from "./action.ts";

const NO_ADDRESS = /^0+$/;

const typeOf = ({ amount, scope, spender, kind }: TokenApproval): Action["type"] => {
  if (scope === "piece" ? spender === "" : amount === 0n) return "revoke";
  return kind === "permit" ? "permit" : "approve";
};

/** Rights over tokens granted or revoked: approvals, permits by signature, Permit2. */
export const rights: ActionReader = ({ approvals }) =>
  approvals.map((approval) => ({
    type: typeOf(approval),
    protocol: approval.kind === "permit2" ? "Permit2" : null,
    actor: approval.owner,
    given: [],
    received: [],
    contract: approval.spender === "" ? null : approval.spender,
    log_index: approval.log_index,
  }));

/** Accounts that run foreign code from now on (EIP-7702). Invalid signatures do nothing. */
export const delegations: ActionReader = ({ authorizations }) =>
  authorizations.flatMap(({ authority, delegate }): readonly Action[] => {
    if (authority === null) return [];
    const contract: Hex = toHex(delegate);
    const is_end = NO_ADDRESS.test(contract);
    return [
      {
        type: is_end ? "end_delegation" : "delegate_code",
        protocol: "EIP-7702",
        actor: toHex(authority),
        given: [],
        received: [],
        contract: is_end ? null : contract,
        log_index: null,
      },
    ];
  });

/** Contracts deployed by the transaction itself or by a contract. */
export const deployments: ActionReader = ({ transaction }) => {
  const { sender, created_contract, calls, creations = [] } = transaction;
  const deploy = (actor: Hex, contract: Hex): Action => ({
    ...{ type: "deploy", protocol: null, actor, given: [], received: [], contract, log_index: null },
  });
  const own = created_contract === null ? [] : [deploy(toHex(sender), toHex(created_contract))];
  const inner = calls
    .filter(({ kind }) => kind === "create" || kind === "create2")
    .map((call) => deploy(toHex(call.sender), toHex(call.recipient)));
  const told = creations.map(({ address, creator, is_upgrade }) => ({
    ...deploy(toHex(creator), toHex(address)),
    ...(is_upgrade ? { type: "upgrade" as const } : {}),
  }));
  return [...own, ...inner, ...told];
};
