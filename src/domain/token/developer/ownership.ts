/** The account with control over a token. */

import { INTERFACES } from "../../../knowledge/names.gen.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { addressAt, selectorOf } from "../../abi.ts";
import { readSafe } from "../../address/code/account_code.ts";
import type { SnapshotContext } from "../../context.ts";
import { burnAddressesOf } from "../holders/burn_addresses.ts";

export type Ownership = "renounced" | "eoa" | "multisig" | "timelock" | "unknown";

/**
 * Where a token is not a contract, its owner is its mint authority. `told`: the owner by its newest event; null without
 * one.
 */
export const readOwnership = (scope: SnapshotContext, token: Hex, told: Hex | null): Promise<Ownership> =>
  scope.chain.can.token_accounts ? minterOf(scope, token) : ownerOf(scope, token, told);

const minterOf = async ({ chain, signal }: SnapshotContext, token: Hex): Promise<Ownership> => {
  const traits = await chain.tokenTraits(token, signal);
  if (traits === null) return "unknown";
  if (traits.mint_authority === null) return "renounced";
  return (await chain.describe?.(traits.mint_authority, signal))?.kind === "eoa" ? "eoa" : "unknown";
};

/** The account that may change the contract: by its newest event, else as the contract itself reports. */
const ownerOf = async (scope: SnapshotContext, token: Hex, told: Hex | null): Promise<Ownership> => {
  const { snapshot, chain, signal } = scope;
  const at = chain.can.archive ? snapshot.block.number : undefined;
  const [said] = await chain.call([{ to: token, data: selectorOf(INTERFACES.ownable.owner) }], signal, at);
  const is_said = said?.ok === true && said.data.length === 32;
  const owner = is_said ? (addressAt(said.data, 0) ?? "") : told;
  if (owner === null) return "unknown";
  if (owner === "" || burnAddressesOf(chain.network).includes(owner)) return "renounced";
  const { code } = await chain.account(owner, signal, at);
  if (code.length === 0) return (await chain.describe?.(owner, signal))?.kind === "tron_multisig" ? "multisig" : "eoa";
  const [safe, [delay]] = await Promise.all([
    readSafe({ chain, address: owner, code, at: snapshot.block.number, signal }),
    // OpenZeppelin TimelockController.
    chain.call([{ to: owner, data: selectorOf(INTERFACES.timelock.getMinDelay) }], signal, at),
  ]);
  if (safe !== null) return "multisig";
  return delay?.ok === true && delay.data.length === 32 ? "timelock" : "unknown";
};
