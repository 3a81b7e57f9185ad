/** The account with control over a token. */

import { INTERFACES } from "../../../knowledge/names.gen.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { addressAt, selectorOf } from "../../abi.ts";
import { readSafe } from "../../address/code/account_code.ts";
import type { SnapshotContext } from "../../context.ts";
import { nodeStateBlock } from "../../node_state.ts";
import { burnAddressesOf } from "../holders/burn_addresses.ts";

export type Ownership = "renounced" | "eoa" | "multisig" | "timelock" | "unknown";

/**
 * Where a token is not a contract, its owner is its mint authority. `told`: the owner by its newest event; null without
 * one.
 */
export const readOwnership = (scope: SnapshotContext, token: Hex, told: Hex | null): Promise<Ownership> =>
  scope.chain.can.token_accounts ? minterOf(scope, token) : ownerOf(scope, token, told);

const minterOf = async ({ chain, snapshot, signal }: SnapshotContext, token: Hex): Promise<Ownership> => {
  const at = await nodeStateBlock({ chain, snapshot, signal });
  const traits = at === null ? null : await chain.tokenTraits(token, signal, at);
  if (at === null || traits === null) return "unknown";
  if (traits.mint_authority === null) return "renounced";
  return (await chain.describe?.(traits.mint_authority, signal, at))?.kind === "eoa" ? "eoa" : "unknown";
};

/** Of a block that no node has any more: what the contract's newest event up to it says. The kind of another owner is unknown. */
const ownerKnown = ({ chain }: SnapshotContext, told: Hex | null): Ownership =>
  told !== null && (told === "" || burnAddressesOf(chain.network).includes(told)) ? "renounced" : "unknown";

/** The account that may change the contract: by its newest event, else as the contract itself reports. */
const ownerOf = async (scope: SnapshotContext, token: Hex, told: Hex | null): Promise<Ownership> => {
  const { chain, signal } = scope;
  const at = await nodeStateBlock(scope);
  if (at === null) return ownerKnown(scope, told);
  const [said] = await chain.call([{ to: token, data: selectorOf(INTERFACES.ownable.owner) }], signal, at);
  const is_said = said?.ok === true && said.data.length === 32;
  const owner = is_said ? (addressAt(said.data, 0) ?? "") : told;
  if (owner === null) return "unknown";
  if (owner === "" || burnAddressesOf(chain.network).includes(owner)) return "renounced";
  const { code } = await chain.account(owner, signal, at);
  if (code.length === 0)
    return (await chain.describe?.(owner, signal, at))?.kind === "tron_multisig" ? "multisig" : "eoa";
  const [safe, [delay]] = await Promise.all([
    readSafe({ chain, address: owner, code, at, signal }),
    // OpenZeppelin TimelockController.
    chain.call([{ to: owner, data: selectorOf(INTERFACES.timelock.getMinDelay) }], signal, at),
  ]);
  if (safe !== null) return "multisig";
  return delay?.ok === true && delay.data.length === 32 ? "timelock" : "unknown";
};
