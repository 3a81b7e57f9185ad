import { getContractAddress } from "viem";
import { expect, test } from "vitest";
import { fuzzVerification } from "../../../../bench/replay/mutated.ts";
import { ALICE, evmBlock } from "../../../../test/evm_block.ts";
import { ethereum } from "../../networks/known.gen.ts";

const COUNT = 4_000;

test("no broken answer traps or changes a fact (bench/verify_fuzz.ts breaks a million)", async () => {
  const created = getContractAddress({ from: ALICE.address, nonce: 5n }).toLowerCase();
  const replay = evmBlock({ number: 20_000_001, parent_hash: `0x${"77".repeat(32)}`, created });
  const found = await fuzzVerification({ blocks: [{ network: ethereum, replay }], count: COUNT, seed: 7 });
  expect(found).toMatchObject({ inputs: COUNT, traps: 0, other_rows: 0, rows_from_no_json: 0 });
  // The draw is useful: some inputs are not JSON, some are rejected for their content, some differ in nothing that
  // matters.
  expect(found.no_json).toBeGreaterThan(COUNT / 4);
  expect(found.refused - found.no_json).toBeGreaterThan(COUNT / 10);
  expect(found.same).toBeGreaterThan(0);
  // A broken text is not longer than its block, and needs no more memory.
  expect(found.grown_bytes).toBe(0);
});
