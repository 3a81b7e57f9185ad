import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { ROOT, staleFiles } from "../../../scripts/generated.ts";
import { demoPageOf, examplesOf } from "../../../scripts/generated_demos.ts";
import { familiesIndex, sharedFamilies, sharedWorld, worldIndex } from "../served_world.ts";

/** Compares generated files on the shared worlds' nodes, over a copy of their index. */
const staleOn = async (
  copyIndex: () => Promise<string>,
  generatorOn: (index: string) => ReturnType<typeof examplesOf>,
) => {
  const index = await copyIndex();
  try {
    return await staleFiles([generatorOn(index)], { root: ROOT });
  } finally {
    await rm(index, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
};

test("examples, pages of tools, the OpenAPI document and the README show what the tools answer on the demo world", async () => {
  const { world } = await sharedWorld();
  expect(await staleOn(worldIndex, (index) => examplesOf({ world, index }))).toEqual([]);
});

test("docs/demo.md shows what the tools answer on the demo worlds of Solana and Tron", async () => {
  const { solana, tron } = await sharedFamilies();
  expect(await staleOn(familiesIndex, (index) => demoPageOf({ solana, tron, index }))).toEqual([]);
});
