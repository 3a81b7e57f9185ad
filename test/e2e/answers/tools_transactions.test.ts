import { beforeAll, expect, test } from "vitest";
import { on } from "../../../src/demo/evm/act.ts";
import { BYSTANDERS, DEPOSIT_ADDRESS, LOOKALIKE } from "../../../src/demo/evm/characters.ts";
import { eachNth } from "../../long.ts";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";
import {
  BOB,
  CAROL,
  compareRows,
  ERIN,
  type ExpectedRow,
  FRANK,
  HEIDI,
  type TransactionAnswerRow,
} from "../transaction_rows.ts";
import { openTruth, type Truth } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
});

const TOOL = "get_wallet_transactions";
const addressOf = (name: string): string => truth.addressOf(name);
const compare = (wallet: string, rows: readonly TransactionAnswerRow[], lines: readonly ExpectedRow[]) =>
  compareRows(truth, wallet, { rows, lines });

const compareSummary = (
  summary: Record<string, number>,
  rows: readonly TransactionAnswerRow[],
  hidden_spam: number,
): void => {
  const total = (direction: string) =>
    rows.filter((row) => row.direction === direction).reduce((sum, { usd_value }) => sum + (usd_value ?? 0), 0);
  expect(summary).toMatchObject({
    tx_count: rows.length,
    unique_tokens: new Set(rows.map(({ token_address }) => token_address)).size,
    labeled_counterparties: new Set(rows.filter(({ peer }) => peer.label !== null).map(({ peer }) => peer.address))
      .size,
    rows_without_price: rows.filter(({ usd_value }) => usd_value === null).length,
    hidden_spam,
  });
  expect(summary.total_in_usd).toBeCloseTo(total("in"), 6);
  expect(summary.total_out_usd).toBeCloseTo(total("out"), 6);
};

const readTransactions = async (wallet: string, args: Readonly<Record<string, unknown>> = {}) => {
  const { body } = await stage.ask(TOOL, {
    address: addressOf(wallet),
    network: "demo",
    records_per_page: 100,
    ...args,
  });
  return body;
};

test.each([
  ["bob", BOB],
  ["carol", CAROL],
  ["erin", ERIN],
  ["frank", FRANK],
])("lists every transaction of %s, newest first", async (wallet, lines) => {
  const body = await readTransactions(wallet);
  await compare(wallet, body.data, lines);
  compareSummary(body.summary, body.data, 0);
  expect(body.pagination).toMatchObject({
    page: 1,
    returned_count: lines.length,
    has_more_data: false,
    is_complete: true,
  });
  // Every transaction that the wallet sent is listed.
  const hashes = new Set(body.data.map(({ tx_hash }: TransactionAnswerRow) => tx_hash));
  expect(truth.sentBy(wallet).filter(({ hash }) => !hashes.has(hash))).toEqual([]);
});

test("hides and counts heidi's spam, and shows it on request", async () => {
  const all = await readTransactions("heidi", { include_spam: true });
  await compare("heidi", all.data, HEIDI);
  compareSummary(all.summary, all.data, 0);
  const shown = await readTransactions("heidi");
  const honest = HEIDI.filter(({ spam }) => spam === undefined);
  await compare("heidi", shown.data, honest);
  compareSummary(shown.summary, shown.data, HEIDI.length - honest.length);
});

/** All rows of a wallet at a block, from pages of 100. */
const wholeOf = async (wallet: string, as_of_block: number, more: Readonly<Record<string, unknown>> = {}) => {
  const rows: TransactionAnswerRow[] = [];
  let hidden = 0;
  for (let page = 1; ; page += 1) {
    const { data, pagination, summary } = await readTransactions(wallet, { page, as_of_block, ...more });
    rows.push(...data);
    hidden += summary.hidden_spam;
    if (!pagination.has_more_data) return { rows, hidden };
  }
};

test("joins pages of 1, 3 and 7 rows to the whole list", async () => {
  const { number } = stage.world.head;
  for (const [wallet, size] of [
    ["heidi", 1],
    ["heidi", 3],
    ["heidi", 7],
    ["alice", 7],
    ["mallory", 7],
  ] as const) {
    const whole = await wholeOf(wallet, number);
    const rows: TransactionAnswerRow[] = [];
    let hidden = 0;
    for (let page = 1; ; page += 1) {
      const { data, pagination, summary } = await readTransactions(wallet, {
        page,
        records_per_page: size,
        as_of_block: number,
      });
      rows.push(...data);
      hidden += summary.hidden_spam;
      const has_more_data = rows.length < whole.rows.length;
      const returned_count = data.length;
      expect(pagination).toEqual({
        ...{ page, per_page: size, returned_count, has_more_data, is_complete: !has_more_data, network: "demo" },
      });
      if (!pagination.has_more_data) break;
    }
    // A transaction that continues over a page's edge keeps its fee on its first row.
    expect(rows).toEqual(whole.rows);
    expect(hidden).toBe(whole.hidden);
  }
});

test("has no data on a page after the last one", async () => {
  expect(await readTransactions("bob", { page: 3, records_per_page: 5 })).toMatchObject({
    status: "no_data",
    type: "transactions",
  });
});

test("filters exactly the fitting rows by day, direction, token and value", async () => {
  // Days are inclusive: day 10 is 2026-08-11, day 35 is 2026-09-05.
  const window = await readTransactions("bob", { from_date: "2026-08-11", to_date: "2026-09-05" });
  await compare(
    "bob",
    window.data,
    BOB.filter(({ at }) => at >= on(10, 0) && at < on(36, 0)),
  );
  expect(window.metadata.date_range).toEqual({ from: "2026-08-11", to: "2026-09-05" });
  const one_day = await readTransactions("bob", { from_date: "2026-09-10", to_date: "2026-09-10" });
  await compare(
    "bob",
    one_day.data,
    BOB.filter(({ at }) => at >= on(40, 0)),
  );
  await compare(
    "bob",
    (await readTransactions("bob", { direction: "in" })).data,
    BOB.filter(({ direction }) => direction === "in"),
  );
  const outs = BOB.filter(({ direction }) => direction === "out");
  await compare("bob", (await readTransactions("bob", { direction: "out" })).data, outs);
  const dollars = (await readTransactions("bob", { token_address: addressOf("usdc") })).data;
  await compare(
    "bob",
    dollars,
    BOB.filter(({ token }) => token === "usdc"),
  );
  const natives = (await readTransactions("erin", { token_address: "native" })).data;
  await compare(
    "erin",
    natives,
    ERIN.filter(({ token }) => token === "native"),
  );
  const both = (
    await readTransactions("heidi", { token_address: addressOf("usdc"), direction: "in", include_spam: true })
  ).data;
  await compare(
    "heidi",
    both,
    HEIDI.filter(({ token, direction }) => token === "usdc" && direction === "in"),
  );
  // Worth at least 1,000 dollars: the purchase's two rows and the mint. Rows without a price do not qualify.
  const large = (await readTransactions("bob", { min_usd: 1_000 })).data;
  await compare(
    "bob",
    large,
    BOB.filter(({ at, kind }) => (at === on(10, 10) + 12 || at === 1_884) && kind !== "call"),
  );
});

test("has no data in a window before the first row, or after the last", async () => {
  expect(await readTransactions("bob", { from_date: "2026-08-02", to_date: "2026-08-10" })).toMatchObject({
    status: "no_data",
    type: "transactions",
  });
  expect(await readTransactions("bob", { from_date: "2026-09-11", to_date: "2026-10-29" })).toMatchObject({
    status: "no_data",
  });
});

/** All characters except the bank, which had all coins before the first block, and the validator, whose tips are no rows. */
const ADDING_UP = [
  ...["oscar", "alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy", "mallory", "trent"],
  ...["peggy", "walter", "victor", "exchange", "judys_safe", "vault", "pair_sunrise_usdc", "disperser", LOOKALIKE],
  ...[DEPOSIT_ADDRESS, ...BYSTANDERS.slice(0, 3)],
];

test.each(eachNth(ADDING_UP, 4))(
  "adds inflows, outflows and fees of %s up to the balances of the node",
  async (who) => {
    const { rows } = await wholeOf(who, stage.world.head.number, { include_spam: true });
    const sums = new Map<string, bigint>([["native", -truth.feesOf(who)]]);
    for (const { token_address, amount_raw, direction, kind } of rows) {
      if (kind === "erc721" || kind === "erc1155") continue;
      const change = direction === "in" ? BigInt(amount_raw) : -BigInt(amount_raw);
      sums.set(token_address, (sums.get(token_address) ?? 0n) + change);
    }
    // Drift was rebased, which is no transfer.
    sums.delete(addressOf("drift"));
    for (const [token, sum] of sums) expect([token, sum]).toEqual([token, await truth.balance(token, who)]);
    expect(rows.length).toBeGreaterThan(0);
  },
);
