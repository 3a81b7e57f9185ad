import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { chain, FRIEND, MANY, POISONER, POOL, seedScenario, WALLET } from "../../../test/transactions_scenario.ts";
import { getWalletTransactions } from "./index.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await seedScenario(store);
});
afterAll(() => store.close());

const run = (asked: Partial<z.input<typeof getWalletTransactions.input>>) =>
  runTool(
    getWalletTransactions,
    { address: `0x${WALLET}`, network: "demo", ...asked },
    callContext({ facts: store.facts, chain: () => chain }),
  );

const dataOf = async (asked: Partial<z.input<typeof getWalletTransactions.input>>) => {
  const outcome = await run(asked);
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return getWalletTransactions.output.parse(outcome.data);
};

describe("one counterparty", () => {
  test("has its transfers in both directions, and their totals", async () => {
    // 10 ETH at 2,000 and 1 to 45 dollars came, 1 ETH left; two tokens came without a price.
    const { data, summary } = await dataOf({ counterparty: `0x${FRIEND}`, records_per_page: 100 });
    expect(summary).toMatchObject({
      ...{ tx_count: MANY + 4, total_in_usd: 20_000 + 1_035, total_out_usd: 2_000, rows_without_price: 2 },
      hidden_spam: 0,
    });
    const peers = new Set(data.map(({ peer }) => peer.address.toLowerCase()));
    expect([...peers]).toEqual([`0x${FRIEND}`]);
  });

  test("joins with the other filters, and its pages neither repeat nor skip", async () => {
    const asked = { counterparty: `0x${FRIEND}`, direction: "in", min_usd: 40 } as const;
    // 40 to 45 dollars, and 20,000.
    const whole = (await dataOf({ ...asked, records_per_page: 100 })).data;
    expect(whole.map(({ usd_value }) => usd_value)).toEqual([45, 44, 43, 42, 41, 40, 20_000]);
    const [first, second] = [
      await dataOf({ ...asked, records_per_page: 4 }),
      await dataOf({ ...asked, records_per_page: 4, page: 2 }),
    ];
    expect([...first.data, ...second.data]).toEqual(whole);
    expect([first.pagination.has_more_data, second.pagination.has_more_data]).toEqual([true, false]);
  });

  test("spam of it is hidden and counted, and calls that moved nothing are no transfers", async () => {
    expect((await dataOf({ counterparty: `0x${POOL}` })).data.map(({ block_number }) => block_number)).toEqual([
      103, 103,
    ]);
    const { data, summary } = await dataOf({ counterparty: `0x${POISONER}`, include_spam: true });
    expect([data.length, summary.hidden_spam]).toEqual([1, 0]);
    expect((await dataOf({ counterparty: `0x${POISONER}` })).summary.hidden_spam).toBe(1);
  });

  test("the void is written as zeros, as in the rows; fees do not count", async () => {
    const { data } = await dataOf({ counterparty: `0x${"0".repeat(40)}` });
    expect(data.map(({ kind }) => kind)).toEqual(["withdrawal"]);
  });

  test("a stranger has none, and the sentence names the filter", async () => {
    expect(await run({ counterparty: `0x${"ee".repeat(20)}` })).toMatchObject({
      kind: "no_data",
      message: expect.stringMatching(/ with counterparty=0x[eE]{40}\.$/),
    });
  });
});
