import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../../test/facts_store.ts";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { callContext } from "../../../../test/fixtures/call_context.ts";
import { runTool } from "../../../../test/fixtures/run_tool.ts";
import { addressOf, dailyBlocks, tokenRow, transfersOf } from "../../../../test/value_rows.ts";
import { hex } from "../../../lib/bytes.ts";
import { getWalletTransactions } from "../../../tools/get_wallet_transactions/index.ts";

const WALLET = hex("10".repeat(20));
const FRIEND = hex("20".repeat(20));
const SCAM = hex("30".repeat(20));
const ITEMS = hex("40".repeat(20));
const HEAD = 106;
const PAYMENTS = 30;
const SCAMS = 300;
const PIECES = 250;

const payment = (block: number, tx_index: number) =>
  transfersOf({ block, tx_index }, FRIEND, [
    { kind: "native", token: "", source: FRIEND, destination: WALLET, amount: BigInt(tx_index + 1) },
  ]);

const scam = (block: number, tx_index: number) =>
  transfersOf({ block, tx_index }, FRIEND, [
    { kind: "erc20", token: SCAM, source: addressOf(tx_index), destination: WALLET, amount: 1n },
  ]);

/** NFTs of one batch transfer: one log, so they share a position and differ only in their ids. */
const batch = Array.from({ length: PIECES }, (_, id) =>
  transfersOf({ block: 103 }, FRIEND, [
    { kind: "erc1155", token: ITEMS, source: FRIEND, destination: WALLET, amount: 1n },
  ]).map((row) => ({ ...row, token_id: BigInt((id * 7) % PIECES) })),
).flat();

let store: TestFacts;
const asked: number[] = [];

beforeAll(async () => {
  store = await openTestFacts();
  const payments = Array.from({ length: PAYMENTS }, (_, i) => payment(101, i)).flat();
  const scams = Array.from({ length: SCAMS }, (_, i) => scam(105, i)).flat();
  await store.seed(
    { network: "demo", from: 100, to: HEAD },
    { blocks: dailyBlocks(HEAD), transfers: [...payments, ...batch, ...scams] },
  );
  await store.writer.insert("tokens", [
    { ...tokenRow(SCAM, "GIFT", 18), name: "claim at gift.com" },
    { ...tokenRow(ITEMS, "ITEMS", null), standard: "erc1155" },
  ]);
});
afterAll(() => store.close());

const chain = fixedChain({});

const dataOf = async (more: {
  page?: number;
  records_per_page?: number;
  include_spam?: boolean;
  token_address?: string;
}) => {
  const facts: TestFacts["facts"] = {
    ...store.facts,
    ask: (snapshot, query, params) => {
      if (query === "transaction_details" && "blocks" in params && Array.isArray(params.blocks)) {
        asked.push(params.blocks.length);
      }
      return store.facts.ask(snapshot, query, params);
    },
  };
  const outcome = await runTool(
    getWalletTransactions,
    { address: `0x${WALLET}`, network: "demo", ...more },
    callContext({ facts, chain: () => chain }),
  );
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return outcome.data;
};

test("a first page below hundreds of spam rows counts them without describing them", async () => {
  asked.length = 0;
  const { data, summary } = await dataOf({ records_per_page: 20 });
  expect(data.every(({ token_address }) => token_address === chain.formatAddress(ITEMS))).toBe(true);
  expect(data).toHaveLength(20);
  expect(summary).toMatchObject({ hidden_spam: SCAMS });
  // The 250 pieces are one transaction, and the page is 20 of them.
  expect(asked).toEqual([1]);
});

test("pages cut through blocks that fill whole batches, and join without gap or overlap", async () => {
  const rows: string[] = [];
  for (let page = 1; page <= 3; page += 1) {
    const { data, pagination } = await dataOf({ page, records_per_page: 100 });
    rows.push(...data.map(({ token_id, amount_raw, block_number }) => `${block_number}:${token_id}:${amount_raw}`));
    expect(pagination.has_more_data).toBe(page < 3);
  }
  // 250 pieces, largest id first, then 30 payments, newest transaction first.
  const pieces = Array.from({ length: PIECES }, (_, i) => `103:${PIECES - 1 - i}:1`);
  const payments = Array.from({ length: PAYMENTS }, (_, i) => `101:null:${PAYMENTS - i}`);
  expect(rows).toEqual([...pieces, ...payments]);
});

test("requested spam is listed with all its details", async () => {
  const { data } = await dataOf({ records_per_page: 100, include_spam: true });
  expect(data).toHaveLength(100);
  expect(data.every(({ is_spam, spam_reasons }) => is_spam && spam_reasons.includes("url_in_name"))).toBe(true);
});
