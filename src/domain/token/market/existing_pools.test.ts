import { expect, test } from "vitest";
import { hex } from "../../../lib/bytes.ts";
import type { IndexedFacts } from "../../context.ts";
import { existingPools } from "./existing_pools.ts";

const [EARLY, LATE, CURVE, SINGLE] = [
  hex("01".repeat(20)),
  hex("02".repeat(20)),
  hex("03".repeat(22)),
  hex("04".repeat(32)),
];
const POOLS = [
  { pool: EARLY, family: "uniswap_v2", created_block: null },
  { pool: LATE, family: "uniswap_v2", created_block: null },
  { pool: CURVE, family: "curve", created_block: null },
  { pool: SINGLE, family: "uniswap_v4", created_block: null },
  { pool: hex("05".repeat(20)), family: "uniswap_v2", created_block: 7 },
];

/** Facts that know the creation of EARLY alone. */
const leftAt = async (snapshot: object): Promise<readonly string[]> => {
  const ask = async (_: unknown, __: string, { addresses }: { addresses: readonly string[] }) =>
    addresses.filter((address) => address === EARLY).map((address) => ({ address }));
  // The function reads these parts of a snapshot only.
  const scope = { facts: { ask }, snapshot } as unknown as IndexedFacts;
  return (await existingPools(scope, POOLS)).map(({ pool }) => pool);
};
const PAST = { is_past: true, from_block: 0, coverage: { complete: true, traces: true } };

test("a past block has no pools whose contracts were created later", async () => {
  expect(await leftAt(PAST)).toEqual([EARLY, SINGLE, hex("05".repeat(20))]);
});

test("leaves all pools where creations are not known, and at the newest block", async () => {
  for (const other of [{ is_past: false }, { from_block: 50 }, { coverage: { complete: true, traces: false } }])
    expect(await leftAt({ ...PAST, ...other })).toHaveLength(POOLS.length);
});
