import { afterAll, beforeAll, expect, test } from "vitest";
import type * as z from "zod";
import { openTestFacts, type TestFacts, testAddress } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { toHex } from "../../lib/bytes.ts";
import { tokenHolders } from "./holders.ts";

const TOKEN = testAddress(0x70);
const VOID = Buffer.alloc(0);
const address = (number: number): string => `0x${number.toString(16).padStart(40, "0")}`;

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const moveOn = (network: string) => (block_number: number, from: number | null, to: number, amount: bigint) => ({
  ...{ network, block_number, tx_index: 0, position: 1_048_576 + to, time: 1_700_000_000 + 12 * block_number },
  ...{ kind: "erc20" as const, token: TOKEN, token_id: 0n, amount, sender: testAddress(1) },
  ...{ source: from === null ? VOID : testAddress(from), destination: testAddress(to) },
});

/** One answer of the tool, which has its shape. */
const ask = async (network: string, args: Partial<z.input<typeof tokenHolders.input>> = {}) => {
  const tokens = { [toHex(TOKEN)]: { standard: "erc20", symbol: "TOK", decimals: 2 } };
  const chain = fixedChain({ network: { id: network, stablecoins: [] }, tokens });
  const context = callContext({ facts: store.facts, chain: () => chain });
  const outcome = await runTool(tokenHolders, { network, token_address: address(0x70), ...args }, context);
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return tokenHolders.output.parse(outcome.data);
};

/** Addresses and raw balances of all pages. */
const walk = async (network: string, args: Partial<z.input<typeof tokenHolders.input>>) => {
  const rows: [string, string | null][] = [];
  const pages: number[] = [];
  let after: { after?: string; as_of_block?: number } = {};
  for (let more = true; more; ) {
    const { holders, pagination } = await ask(network, { ...args, ...after });
    rows.push(...holders.map((row): [string, string | null] => [row.address, row.balance_raw]));
    pages.push(pagination.read_count);
    after = pagination.next ?? {};
    more = pagination.has_more_data;
  }
  return { rows, pages };
};

test("pages list every balance once, in the order of addresses, and leave out who has nothing", async () => {
  const network = "paged";
  const move = moveOn(network);
  const transfers = [
    move(1, null, 5, 1_000n),
    move(2, 5, 3, 400n),
    move(3, 3, 9, 400n),
    move(4, 5, 2, 50n),
    move(8, 9, 7, 100n),
  ];
  await store.seed({ network, from: 1, to: 9 }, { transfers });
  const expected = [
    [address(2), "50"],
    [address(5), "550"],
    [address(7), "100"],
    [address(9), "300"],
  ];
  // 2, 3, 5, 7 and 9 ever held it.
  expect(await walk(network, { limit: 2 })).toEqual({ rows: expected, pages: [2, 2, 1] });
  expect(await walk(network, {})).toEqual({ rows: expected, pages: [5] });
  // 7 had not held it by block 7.
  const earlier = [
    [address(2), "50"],
    [address(5), "550"],
    [address(9), "400"],
  ];
  expect(await walk(network, { limit: 3, as_of_block: 7 })).toEqual({ rows: earlier, pages: [3, 1] });
  const answer = await ask(network, { limit: 1 });
  expect(answer).toMatchObject({
    token: { address: address(0x70), symbol: "TOK", decimals: 2 },
    holders: [{ address: address(2), balance: 0.5, label: null, reason: null }],
    pagination: { read_count: 1, returned_count: 1, has_more_data: true, next: { after: address(2), as_of_block: 9 } },
  });
});

test("balances of before the first block count, and the answer states that others may be missing", async () => {
  const network = "begun_late";
  const move = moveOn(network);
  const opening = { network, holder: testAddress(4), token: TOKEN, amount: 70n, block_number: 99 };
  const how = { network, from: 100, to: 110, first: 100, is_opened: 0 };
  const other = { ...opening, holder: testAddress(5), amount: 8n };
  await store.seed(how, { transfers: [move(101, 4, 6, 20n)], openings: [opening, other] });
  // A pass that was interrupted writes an opening again.
  await store.writer.insert("openings", [opening]);
  const expected = [
    [address(4), "50"],
    [address(5), "8"],
    [address(6), "20"],
  ];
  expect((await walk(network, { limit: 1 })).rows).toEqual(expected);
  const answer = await ask(network);
  expect(answer.holders.map((row) => [row.address, row.balance_raw])).toEqual(expected);
  expect(answer).toMatchObject({ is_complete: false, reason: expect.stringContaining("begins after") });
});

test("events that add up to less than nothing are no balance, and the row says so", async () => {
  const network = "impossible";
  const move = moveOn(network);
  await store.seed({ network, from: 0, to: 9 }, { transfers: [move(1, null, 5, 10n), move(2, 8, 5, 30n)] });
  const { holders } = await ask(network);
  expect(holders).toMatchObject([
    { address: address(5), balance_raw: "40", reason: null },
    { address: address(8), balance: null, balance_raw: null, reason: expect.stringContaining("no holder can have") },
  ]);
});
