import { beforeAll, expect, test } from "vitest";
import { DEPOSIT_ADDRESS } from "../../../src/demo/evm/characters.ts";
import { type SharedWorldService, sharedWorld, T0 } from "../served_world.ts";
import { openTruth, type Truth } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
});

const DAY_S = 86_400;
/** The first day of the story. */
const from_date = new Date(T0 * 1000).toISOString().slice(0, 10);
const callTool = async (tool: string, name: string, more: object = {}) =>
  (await stage.ask(tool, { address: truth.addressOf(name), network: "demo", from_date, ...more })).body;

interface PeerRow {
  readonly peer: { readonly address: string };
  readonly interaction_count: number;
  readonly volume_in_usd: number | null;
  readonly volume_out_usd: number | null;
}

/** 0.1 ether that frank sent to carol on day 14 at 16:00. */
const tenthOfEther = async () => 0.1 * ((await truth.etherUsd(T0 + 14 * DAY_S + 16 * 3_600)) ?? Number.NaN);

const close = (usd: number) => expect.closeTo(usd, 5);

test("lists carol's counterparties: the exchange, frank, bob and the bank", async () => {
  const { data, summary, pagination } = await callTool("get_wallet_counterparties", "carol");
  const rows = data.map((row: PeerRow) => [
    row.peer.address,
    row.interaction_count,
    row.volume_in_usd,
    row.volume_out_usd,
  ]);
  // The exchange paid 2,000 USDT, frank 0.1 ether and got 1,200 USDC, bob got 500 USDT. The bank's ether arrived before
  // there was a price. Her first USDC were minted, without a counterparty.
  expect(rows).toEqual([
    [truth.addressOf("exchange"), 1, 2_000, 0],
    [truth.addressOf("frank"), 2, close(await tenthOfEther()), 1_200],
    [truth.addressOf("bob"), 1, 0, 500],
    [truth.addressOf("bank"), 1, null, 0],
  ]);
  expect(summary).toMatchObject({ counterparty_count: 4, total_out_usd: 1_700, unpriced_transfers: 1, hidden_spam: 0 });
  expect(summary.total_in_usd).toBeCloseTo(2_000 + (await tenthOfEther()), 5);
  expect(pagination.is_complete).toBe(true);
});

test("counts no counterparties of frank's failed transactions", async () => {
  const { data } = await callTool("get_wallet_counterparties", "frank");
  expect(data.map((row: PeerRow) => [row.peer.address, row.volume_in_usd, row.volume_out_usd])).toEqual([
    [truth.addressOf("carol"), 1_200, close(await tenthOfEther())],
    [truth.addressOf("bank"), null, 0],
  ]);
});

test("hides heidi's poisoned payments, and shows them with their transaction on request", async () => {
  const { summary } = await callTool("get_wallet_counterparties", "heidi");
  const { data } = await callTool("get_wallet_counterparties", "heidi", { include_spam: true });
  const flagged = data.filter(({ is_spam }: { is_spam: boolean }) => is_spam);
  expect(summary.hidden_spam).toBeGreaterThan(0);
  expect(flagged.flatMap(({ spam_reasons }: { spam_reasons: string[] }) => spam_reasons)).toEqual(
    expect.arrayContaining(["zero_value_transfer", "lookalike_peer"]),
  );
  const hashes = new Set(truth.sent.map(({ hash }) => hash));
  for (const { evidence } of flagged)
    expect(evidence.map(({ ref }: { ref: string }) => hashes.has(ref as `0x${string}`))).toEqual([true]);
});

test.each([
  // carol: bank, mint, frank and the exchange brought something; she called two dollars.
  [
    "carol",
    {
      tx_sent: 2,
      tx_received: 4,
      tx_count: 6,
      failed_tx: 0,
      nonce: 2,
      unique_counterparties: 4,
      unique_contracts_called: 2,
      unique_tokens: 3,
      token_transfer_count: 4,
    },
  ],
  // frank: one of five transactions succeeded; he called USDC, a forwarder and a router.
  [
    "frank",
    {
      tx_sent: 5,
      tx_received: 2,
      tx_count: 7,
      failed_tx: 4,
      nonce: 5,
      unique_counterparties: 2,
      unique_contracts_called: 3,
      unique_tokens: 2,
      token_transfer_count: 1,
    },
  ],
])("matches the statistics of %s with the books", async (name, expected) => {
  const { body } = await stage.ask("get_wallet_stats", { address: truth.addressOf(name) });
  expect(body).toMatchObject({ ...expected, swap_count: 0, contracts_deployed: 0 });
  expect(body.gas_spent_native).toBe(Number(truth.feesOf(name)) / 1e18);
  expect(body.by_network.map(({ network }: { network: string }) => network)).toEqual(["demo"]);
});

interface Pattern {
  readonly pattern: string;
  readonly evidence: readonly { readonly ref: string; readonly observed_at: string }[];
}
const patternOf = (body: { detected: Pattern[] }, name: string) =>
  body.detected.find(({ pattern }) => pattern === name);
const at = (day: number, hour: number) =>
  `${new Date((T0 + day * DAY_S + hour * 3_600) * 1000).toISOString().slice(0, 19)}Z`;

test("reports mallory's round trips in Harbor as wash trading", async () => {
  const found = patternOf(await callTool("get_wallet_transaction_patterns", "mallory"), "wash_trading");
  // Both sides of the sandwich of day 44 are in one block; then three days of buying at 11:00 and selling at 11:30.
  expect(found?.evidence.slice(2).map(({ observed_at }) => observed_at)).toEqual(
    [63, 64, 65].flatMap((day) => [at(day, 11), at(day, 11.5)]),
  );
  const [front, back] = found?.evidence ?? [];
  expect(front?.observed_at).toBe(back?.observed_at);
  expect(front?.observed_at.slice(0, 13)).toBe(at(44, 17).slice(0, 13));
});

test("reports that alice's deposit address only forwards, and nothing remarkable about bob", async () => {
  const deposit = await callTool("get_wallet_transaction_patterns", DEPOSIT_ADDRESS);
  // Five deposits, each forwarded half an hour later.
  expect(deposit.activity).toMatchObject({ tx_count: 10, active_days: 5 });
  expect(deposit.type_mix).toEqual([
    { type: "receive", count: 5, percent: 50 },
    { type: "send", count: 5, percent: 50 },
  ]);
  expect(deposit.flow_patterns.median_hold_hours).toBeCloseTo(0.5, 2);
  expect(patternOf(deposit, "pass_through")?.evidence.map(({ observed_at }) => observed_at)).toEqual(
    [54, 60, 66, 72, 78].map((day) => at(day, 9.2)),
  );
  expect((await callTool("get_wallet_transaction_patterns", "bob")).detected).toEqual([]);
});
