import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import { diceOf } from "../../../../test/random.ts";
import { toHex } from "../../../lib/bytes.ts";
import { HOUR_S } from "../../../lib/time.ts";
import { intervalsOf, withParties } from "./intervals.ts";

// Flows of a token by interval, on generated movements, compared with the same sums in plain loops.

const network = "demo";
const T0 = 1_700_000_000;
const BLOCKS = 3_000;
const LENGTHS_S = [6_000, 18_000];
const [TOKEN, BURN, NATIVE] = [testAddress(0x70), testAddress(0xdead), new Uint8Array()];
const PEOPLE = [1, 2, 3, 4, 5, 6].map((number) => testAddress(0xb00 + number));
/** Position of a transaction's fee among its movements. */
const FEE_POSITION = 4_294_967_295;

const drawnTransfer = (dice: (below: number) => number, index: number) => {
  const block_number = dice(BLOCKS);
  const party = () => [...PEOPLE, BURN, NATIVE][dice(PEOPLE.length + 2)] ?? NATIVE;
  const amount = BigInt(dice(5)) * (dice(30) === 0 ? 2n ** 130n : 1n);
  return {
    ...{ network, block_number, tx_index: index, kind: "erc20" as const, token_id: 0n, sender: testAddress(1) },
    ...{ position: dice(6) === 0 ? FEE_POSITION : index, time: T0 + block_number * 12, token: TOKEN },
    ...{ source: party(), destination: party(), amount },
  };
};

let store: TestFacts;
let transfers: readonly ReturnType<typeof drawnTransfer>[] = [];
beforeAll(async () => {
  store = await openTestFacts();
  const dice = diceOf(9);
  transfers = Array.from({ length: 1_200 }, (_, index) => drawnTransfer(dice, index));
  await store.writer.insert("labels", [
    {
      ...{ network, address: PEOPLE[1] ?? NATIVE, source: "test", label: "x", category: "exchange", entity: "x" },
      ...{ confidence: 1, evidence: "", valid_from: 0, licence: "", published_on: "", written_at: 1 },
    },
  ]);
  await store.seed({ network, from: 0, to: BLOCKS - 1, time: T0 }, { transfers });
});
afterAll(() => store.close());

const blocks = { first_block: 40, last_block: 2_600 };
const since = T0 + 40 * 12;

const expectedOf = (group: ReadonlySet<string> | null, length_s: number) => {
  const isGone = (party: string): boolean => party === "" || party === toHex(BURN);
  const isTheirs = (party: string): boolean => !isGone(party) && (group === null || group.has(party));
  const parts = new Map<number, (typeof transfers)[number][]>();
  for (const row of transfers) {
    const is_meant = row.block_number >= blocks.first_block && row.block_number <= blocks.last_block;
    if (!is_meant || row.amount === 0n || toHex(row.source) === toHex(row.destination)) continue;
    const part = Math.floor((row.time - since) / length_s);
    parts.set(part, [...(parts.get(part) ?? []), row]);
  }
  return [...parts]
    .sort(([a], [b]) => a - b)
    .map(([part, all]) => {
      const rows = all.map((row) => {
        const [from, to] = [toHex(row.source), toHex(row.destination)];
        const [is_out, is_in] = [isTheirs(from), isTheirs(to)];
        const is_counted = row.position !== FEE_POSITION && (group === null || is_out || is_in);
        return { from, to, amount: row.amount, is_counted, is_out: is_out && !is_in, is_in: is_in && !is_out };
      });
      const sum = (some: typeof rows): bigint => some.reduce((total, { amount }) => total + amount, 0n);
      const counted = rows.filter(({ is_counted }) => is_counted);
      const distinct = (some: readonly string[]): number => new Set(some.filter((one) => one !== "")).size;
      return {
        ...{ part, movements: rows.length, transfers: counted.length, volume: sum(counted) },
        ...{ senders: distinct(counted.map(({ from }) => from)), receivers: distinct(counted.map(({ to }) => to)) },
        ...{ inflows: counted.filter(({ is_in }) => is_in).length, inflow: sum(rows.filter(({ is_in }) => is_in)) },
        ...{
          outflows: counted.filter(({ is_out }) => is_out).length,
          outflow: sum(rows.filter(({ is_out }) => is_out)),
        },
        minted: sum(rows.filter(({ from, to }) => from === "" && !isGone(to))),
        burned: sum(rows.filter(({ from, to }) => isGone(to) && !isGone(from))),
      };
    });
};

test.each([
  ["everybody", null],
  ["the named and the labelled", new Set([PEOPLE[0], PEOPLE[1]].map((one) => toHex(one ?? NATIVE)))],
] as const)("flows of %s", async (_, group) => {
  const snapshot = await store.facts.snapshot(network, null);
  const asked = {
    ...{ ...blocks, token: toHex(TOKEN), since, burns: [toHex(BURN)] },
    ...{ is_all: group === null ? 1 : 0, members: group === null ? [] : [toHex(PEOPLE[0] ?? NATIVE)] },
    categories: group === null ? [] : ["exchange"],
  };
  for (const length_s of LENGTHS_S) {
    const flows = await store.facts.ask(snapshot, "flows/token_flows", { ...asked, length_s });
    for (const shards of [1, 3]) {
      const parties = await Promise.all(
        Array.from({ length: shards }, (_, shard) =>
          store.facts.ask(snapshot, "flows/parties", { ...asked, lengths: LENGTHS_S, shards, shard }),
        ),
      );
      expect(withParties(flows, length_s, parties)).toEqual(expectedOf(group, length_s));
    }
  }
  const hours = await store.facts.ask(snapshot, "flows/token_flows", { ...asked, length_s: HOUR_S });
  for (const length_s of [3 * HOUR_S, 4_000_000_000])
    expect(intervalsOf(hours, length_s)).toEqual(
      await store.facts.ask(snapshot, "flows/token_flows", { ...asked, length_s }),
    );
});
