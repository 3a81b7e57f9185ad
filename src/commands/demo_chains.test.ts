import { expect, test } from "vitest";
import { startSolanaWorld } from "../demo/solana/world.ts";
import { ofSolana } from "./demo_chains.ts";

test("a skipped slot of the demo stands where the slot before it stood, so that a kept index fits", async () => {
  const world = await startSolanaWorld(1_755_000_000);
  try {
    const { head, blockHash } = ofSolana(world);
    const slots = Array.from({ length: head.number + 1 }, (_, slot) => slot);
    const skipped = slots.filter((slot) => world.blockHash(slot) === null);
    expect(skipped.length).toBeGreaterThan(0);
    for (const slot of skipped) expect([slot, await blockHash(slot)]).toEqual([slot, await blockHash(slot - 1)]);
    expect(await blockHash(head.number)).toBe(head.hash);
    expect(await blockHash(head.number + 1)).toBeNull();
  } finally {
    await world.stop();
  }
});
