import { expect, test } from "vitest";
import { startSolanaWorld } from "../demo/solana/world.ts";
import { ofSolana } from "./demo_chains.ts";

test("keeps the position of a skipped demo slot, so that a stored index stays valid", async () => {
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
