import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import { type Hex, toHex } from "../../../lib/bytes.ts";
import type { Facts } from "../../../store/facts.ts";
import { readActivity } from "./activity.ts";

const network = "demo";
const BLOCKS = 1_024;
const HUB_PEERS = 5_000;

/** Activity of an address: a number of movements, evenly over the blocks, and the peer of movement `n`, as SQL. */
interface ActivityPlan {
  readonly rows: number;
  readonly peer: string;
  readonly kind?: string;
}

const LIVES = {
  quiet: { rows: 3, peer: "n" },
  /** A quarter of it is fees. */
  payer: { rows: 2_400, peer: "n % 7", kind: "if(n % 4 = 0, 'fee', 'erc20')" },
  nearly_hub: { rows: 10_000, peer: `n % ${HUB_PEERS}` },
  hub: { rows: 10_000, peer: `n % ${HUB_PEERS + 1}` },
  /** Its newest movements show that it is a hub. */
  late_hub: { rows: 120_000, peer: `n % ${HUB_PEERS + 1}` },
  /** Its newest movements do not show it. */
  former_hub: { rows: 120_000, peer: `if(n < 60000, n % ${HUB_PEERS + 1}, 1)` },
  machine: { rows: 120_000, peer: "n % 10" },
  giant_machine: { rows: 1_000_001, peer: "n % 10" },
  giant_hub: { rows: 1_000_001, peer: `n % ${HUB_PEERS + 1}` },
} as const satisfies Record<string, ActivityPlan>;
type ActivityName = keyof typeof LIVES;

const NAMES = Object.keys(LIVES);
const addressOf = (name: ActivityName): Hex => toHex(testAddress(0xa00 + NAMES.indexOf(name)));

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed({ network, from: 0, to: BLOCKS - 1 }, {});
  for (const [name, { rows, peer, kind = "'erc20'" }] of Object.entries<ActivityPlan>(LIVES))
    await store.engine.command(`INSERT INTO ledger (network, address, block_number, tx_index, position, direction, time, kind,
        token, token_id, peer, amount, signer)
      WITH number AS n
      SELECT '${network}', unhex('${addressOf(name as ActivityName)}'), intDiv(n * ${BLOCKS}, ${rows}), 0, n, 1, toDateTime(1700000000), ${kind},
        unhex('70'), 0, unhex(leftPad(lower(hex(toUInt64(100 + ${peer}))), 40, '0')), 1, 'other'
      FROM numbers(${rows})`);
  await store.engine.command(`INSERT INTO balances_by_holder (network, token, holder, amount, high, transfers, first_block, last_block)
    SELECT network, token, address, toInt256(0), toInt256(0), count(), min(block_number), max(block_number) FROM ledger
    GROUP BY network, token, address`);
});
afterAll(() => store.close());

const readOf = async (names: readonly ActivityName[]) => {
  const looked_late: unknown[] = [];
  const facts: Facts = {
    ...store.facts,
    ask: (snapshot, query, params) => {
      if ("slices" in params && "addresses" in params && Array.isArray(params.addresses))
        looked_late.push(...params.addresses);
      return store.facts.ask(snapshot, query, params);
    },
  };
  const snapshot = await store.facts.snapshot(network, null);
  return { found: await readActivity({ facts, snapshot }, names.map(addressOf)), looked_late };
};

test.each([
  ["quiet", { movements: 3, moves: 3, is_hub: false }],
  ["payer", { movements: 2_400, moves: 1_800, is_hub: false }],
  ["nearly_hub", { movements: 10_000, moves: 10_000, is_hub: false }],
  ["hub", { movements: 10_000, moves: 10_000, is_hub: true }],
  ["late_hub", { movements: 120_000, moves: null, is_hub: true }],
  ["former_hub", { movements: 120_000, moves: 120_000, is_hub: true }],
  ["machine", { movements: 120_000, moves: 120_000, is_hub: false }],
  ["giant_machine", { movements: 1_000_001, moves: null, is_hub: false }],
  ["giant_hub", { movements: 1_000_001, moves: null, is_hub: true }],
] as const)("%s", async (name, expected) => {
  const { found } = await readOf([name]);
  expect([...found]).toEqual([[addressOf(name), expected]]);
});

test("all together, in the order given; of a million movements a fiftieth is read", async () => {
  const names = Object.keys(LIVES) as ActivityName[];
  const { found, looked_late } = await readOf(names);
  expect([...found.keys()]).toEqual(names.map(addressOf));
  const { found: nobody } = await readOf([]);
  expect(nobody.size).toBe(0);
  // Of 256 slices a fiftieth and a sixth, and the one that it begins in.
  const slices = (name: ActivityName): number => looked_late.filter((address) => address === addressOf(name)).length;
  expect([slices("giant_hub"), slices("late_hub"), slices("hub")]).toEqual([6, 43, 0]);
});
