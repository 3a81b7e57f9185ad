import { afterEach, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../../test/facts_store.ts";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { addressOf, transfersOf } from "../../../../test/value_rows.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { readFirstFunders } from "./first_funders.ts";

const [WALLET, FUNDER, LATER, WRAPPER] = [0xa1, 0xa2, 0xa3, 0xa4].map(addressOf) as [Hex, Hex, Hex, Hex]; // four of four
const chain = fixedChain({ network: { wrapped_native: WRAPPER } });

const paid = (block: number, source: Hex, amount: bigint) =>
  transfersOf({ block }, source, [{ kind: "native" as const, token: "", source, destination: WALLET, amount }]);

/** Unwrapped coins and a zero payment precede the first real payment of 7. */
const STORY = [...paid(101, WRAPPER, 5n), ...paid(102, LATER, 0n), ...paid(103, FUNDER, 7n), ...paid(104, LATER, 9n)];

let store: TestFacts;
afterEach(() => store.close());

const fundersWhere = async (bounds: { readonly first?: number; readonly has_traces?: boolean }) => {
  store = await openTestFacts();
  await store.seed({ network: "demo", from: 100, to: 110, ...bounds }, { transfers: STORY });
  const { facts } = store;
  return readFirstFunders({ facts, chain, snapshot: await facts.snapshot("demo", null) }, [WALLET, LATER]);
};

test("the first payment is the funding, not an unwrap and not a zero transfer", async () => {
  const funders = await fundersWhere({});
  expect([...funders.keys()]).toEqual([WALLET]);
  expect(funders.get(WALLET)).toMatchObject({ funder: FUNDER, amount: 7n });
});

test("reports no first funder while older blocks or inner calls are missing", async () => {
  expect((await fundersWhere({ has_traces: false })).size).toBe(0);
  await store.close();
  expect((await fundersWhere({ first: 90 })).size).toBe(0);
});
