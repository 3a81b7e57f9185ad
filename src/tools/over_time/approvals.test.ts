import { afterAll, beforeAll, expect, test } from "vitest";
import type * as z from "zod";
import { blockHash, openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { type FixedState, fixedChain } from "../../../test/fixed_chain.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, tokenRow, transfersOf } from "../../../test/value_rows.ts";
import { selectorOf } from "../../domain/abi.ts";
import { INTERFACES } from "../../knowledge/names.gen.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import type { TableRows } from "../../store/tables.gen.ts";
import { walletApprovals } from "./approvals.ts";

const network = "demo";
const [WALLET, ROUTER, DRAINER, OLD, MARKET, USDC, ART, BANK] = [1, 2, 3, 4, 5, 6, 7, 8].map((number) =>
  addressOf(number + 0x100),
) as [Hex, Hex, Hex, Hex, Hex, Hex, Hex, Hex];
const DOLLAR = 10n ** 6n;
const NO_LIMIT = 2n ** 256n - 1n;

const usdc = (source: Hex, destination: Hex, dollars: bigint) =>
  ({ kind: "erc20", token: USDC, source, destination, amount: dollars * DOLLAR }) as const;

const piece = (block: number, [source, destination, token_id]: readonly [Hex, Hex, bigint]) =>
  transfersOf({ block, tx_index: 3 }, source, [{ kind: "erc721", token: ART, source, destination, amount: 1n }]).map(
    (row) => ({ ...row, token_id, position: 1_048_576 + Number(token_id) }),
  );

/** 1,000 dollars come, 50 and 100 leave. Pieces 7 and 8 come, 8 leaves. */
const transfers = [
  ...transfersOf({ block: 100 }, BANK, [usdc(BANK, WALLET, 1_000n)]),
  ...piece(101, [BANK, WALLET, 7n]),
  ...piece(101, [BANK, WALLET, 8n]),
  ...piece(101, [BANK, WALLET, 9n]),
  ...transfersOf({ block: 105 }, DRAINER, [usdc(WALLET, DRAINER, 50n)]),
  ...transfersOf({ block: 106 }, WALLET, [usdc(WALLET, MARKET, 100n)]),
  ...piece(107, [WALLET, BANK, 8n]),
];

const transaction = (block: number, sender: Hex, recipient: Hex): TableRows["transactions"] => ({
  ...{ network, block_number: block, tx_index: 0, hash: blockHash(block * 1_000), time: dayOf(block) },
  ...{ sender: bytesOf(sender), recipient: bytesOf(recipient), value: 0n, fee: 0n, gas_used: 21_000, nonce: 0 },
  ...{ succeeded: 1, selector: bytesOf(hex("01020304")), created: "" },
});

const approval = (
  block: number,
  kind: TableRows["approvals"]["kind"],
  [token, spender, amount]: readonly [Hex, Hex, bigint],
): TableRows["approvals"] => ({
  ...{ network, block_number: block, tx_index: 1, log_index: Number(amount % 100n), time: dayOf(block) },
  ...{ owner: bytesOf(WALLET), token: bytesOf(token), spender: bytesOf(spender), kind, amount },
  tx_hash: blockHash(block * 1_000 + 1),
});

const approvals = [
  approval(101, "erc20", [USDC, ROUTER, NO_LIMIT]),
  approval(102, "erc20", [USDC, DRAINER, 200n * DOLLAR]),
  approval(102, "erc20", [USDC, OLD, 30n * DOLLAR]),
  approval(103, "for_all", [ART, MARKET, 1n]),
  approval(104, "erc721", [ART, ROUTER, 7n]),
  approval(104, "erc721", [ART, MARKET, 8n]),
  // The contract withdrew it without an event.
  approval(104, "erc721", [ART, ROUTER, 9n]),
];

const label = (address: Hex, category: string): TableRows["labels"] => ({
  ...{ network, address: bytesOf(address), source: "operator", label: `A ${category}`, category, entity: "" },
  ...{ confidence: 0.95, evidence: "", written_at: 1, valid_from: 0, licence: "", published_on: "" },
});

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed(
    { network, from: 0, to: 110 },
    {
      ...{ blocks: dailyBlocks(110), transfers, approvals, labels: [label(ROUTER, "dex"), label(DRAINER, "phishing")] },
      transactions: [transaction(105, DRAINER, USDC), transaction(106, WALLET, ROUTER)],
      tokens: [tokenRow(USDC, "USDC", 6), { ...tokenRow(ART, "ART", null), standard: "erc721" }],
    },
  );
});
afterAll(() => store.close());

const word = (value: bigint) => ({ ok: true, data: hex(value.toString(16).padStart(64, "0")) });

/** 150 of the drainer's 200 are left, and none of the old spender's; the router may still take piece 7. */
const answer: FixedState["answer"] = ({ data }) => {
  if (data.startsWith(selectorOf(INTERFACES.erc721.getApproved)))
    return word(data.endsWith("9") ? 0n : BigInt(`0x${ROUTER}`));
  if (data.startsWith(selectorOf(INTERFACES.erc721.isApprovedForAll))) return word(1n);
  return word(data.endsWith(DRAINER) ? 150n * DOLLAR : data.endsWith(OLD) ? 0n : NO_LIMIT);
};

const code = bytesOf(hex("60806040"));
const chain = (state: FixedState = {}) =>
  fixedChain({
    network: { id: network, stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] },
    accounts: { [ROUTER]: { code }, [MARKET]: { code } },
    answer,
    ...state,
  });

const ask = async (asked: Partial<z.input<typeof walletApprovals.input>> = {}, state: FixedState = {}) => {
  const context = callContext({ facts: store.facts, chain: () => chain(state) });
  const outcome = await runTool(walletApprovals, { address: `0x${WALLET}`, network, ...asked }, context);
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return walletApprovals.output.parse(outcome.data);
};

const spenderOf = ({ spender }: { readonly spender: { readonly address: string } }) =>
  spender.address.slice(2).toLowerCase();

test("open approvals have what is left, what is at risk, and who set and used them", async () => {
  const { summary, approvals: rows } = await ask();
  // 1,000 - 50 - 100 are held: no more than 850 can be taken by both together.
  expect(summary).toEqual({ open: 4, unlimited: 2, risky_spender: 1, value_at_risk_usd: 850, without_value: 2 });
  expect(rows.map((row) => [spenderOf(row), row.kind, row.amount, row.at_risk_raw, row.value_at_risk_usd])).toEqual([
    [ROUTER, "amount", null, "850000000", 850],
    [DRAINER, "amount", 150, "150000000", 150],
    [ROUTER, "piece", 1, "1", null],
    // Pieces 7 and 9 are held.
    [MARKET, "all_pieces", null, "2", null],
  ]);
  const [router, drainer, one, all] = rows;
  expect(router).toMatchObject({
    ...{ symbol: "USDC", is_unlimited: true, amount_raw: String(NO_LIMIT), amount_from: "node", balance: 850 },
    spender: { label: "A dex", category: "dex", kind: "contract" },
    approved: { amount_raw: String(NO_LIMIT), block_number: 101, time: "2026-01-02T00:00:00Z" },
    last_use: { by: "call", block_number: 106, time: "2026-01-07T00:00:00Z" },
  });
  expect(drainer).toMatchObject({
    ...{ amount_raw: "150000000", is_unlimited: false, spender: { category: "phishing", kind: "account" } },
    approved: { amount_raw: "200000000", block_number: 102 },
    last_use: { by: "spender", block_number: 105 },
  });
  expect(one).toMatchObject({ token_id: "7", balance: 2, value_reason: expect.stringContaining("no price") });
  expect(one?.last_use_reason).toContain("ends when the piece leaves");
  expect(all).toMatchObject({ symbol: "ART", amount_raw: null, last_use: null });
});

test("findings say what speaks against an approval", async () => {
  const { approvals: rows } = await ask();
  expect(rows.map(({ findings }) => findings.map((found) => found.code))).toEqual([
    ["unlimited"],
    ["risky_spender"],
    [],
    ["unknown_spender", "all_pieces"],
  ]);
  const [risky] = rows[1]?.findings ?? [];
  expect(risky?.reason).toContain("phishing_or_scam");
  expect(risky?.evidence).toEqual([expect.objectContaining({ kind: "label", ref: "operator: A phishing" })]);
  expect(rows[3]?.findings[0]?.reason).toContain("no store of verified sources");
});

test("without a node the amounts are those of the last events, and the rows say so", async () => {
  const { approvals: rows, metadata } = await ask({}, { down: true });
  expect(rows.map((row) => [spenderOf(row), row.kind, row.amount, row.amount_from])).toEqual([
    [ROUTER, "amount", null, "event"],
    [DRAINER, "amount", 200, "event"],
    [OLD, "amount", 30, "event"],
    [ROUTER, "piece", 1, "event"],
    [ROUTER, "piece", 1, "event"],
    [MARKET, "all_pieces", null, "event"],
  ]);
  expect(rows[1]?.amount_reason).toContain("may be used up");
  expect(rows[0]?.spender.kind).toBeNull();
  expect(metadata.warnings.map(({ code: of }) => of)).toContain("ALLOWANCES_FROM_EVENTS");
});

test("an older block has the approvals and balances of its own time", async () => {
  const { approvals: rows } = await ask({ as_of_block: 104 }, { down: true });
  expect(rows.map((row) => [row.token_id, row.balance, row.last_use])).toEqual([
    [null, 1_000, null],
    [null, 1_000, null],
    [null, 1_000, null],
    ["7", 3, null],
    ["9", 3, null],
    ["8", 3, null],
    [null, 3, null],
  ]);
});

test("pages follow each other without a gap", async () => {
  const [first, second] = [await ask({ limit: 3 }), await ask({ skip: 3, limit: 3 })];
  expect([first.listing.has_more_data, second.listing.has_more_data]).toEqual([true, false]);
  expect([...first.approvals, ...second.approvals]).toEqual((await ask()).approvals);
  expect(second.summary).toEqual(first.summary);
});
