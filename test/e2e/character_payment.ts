import { expect, vi } from "vitest";
import { CHARACTERS, type CharacterName } from "../../src/demo/evm/characters.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";

interface CharacterPayment {
  readonly from: CharacterName;
  readonly to: CharacterName;
  /** In wei. */
  readonly value: number;
}

/** Pays in a block of its own, the newest one, and waits for the block: the node answers before it has mined. */
export const payNow = async ({ rpc }: EvmWorld, { from, to, value }: CharacterPayment) => {
  const sender = CHARACTERS[from].address;
  await rpc.call("anvil_impersonateAccount", sender);
  const sent = { from: sender, to: CHARACTERS[to].address, value: `0x${value.toString(16)}` };
  const hash = String(await rpc.call("eth_sendTransaction", sent));
  const receipt = await vi.waitFor(async () => {
    const found = await rpc.call("eth_getTransactionReceipt", hash);
    expect(found).not.toBeNull();
    // The answer of the JSON-RPC specification.
    return found as { readonly blockNumber: string };
  });
  return { hash, block: Number(receipt.blockNumber) };
};
