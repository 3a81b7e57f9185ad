import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { created, fee, moved, owned, pool, state, swap, USDC } from "../../../test/developer_rows.ts";
import { blockHash, openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { type FixedState, fixedChain } from "../../../test/fixed_chain.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import {
  addressOf,
  bytesOf,
  dailyBlocks,
  dayOf,
  priceRow,
  tokenRow,
  transactionsOf,
  transfersOf,
} from "../../../test/value_rows.ts";
import { selectorOf, wordOf } from "../../domain/abi.ts";
import { readRugs } from "../../domain/token/developer/rugs.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import { analyzeTokenDeveloper } from "./index.ts";

const DEV = addressOf(0xdef);
const MATE = addressOf(0x3a7e);
const STRANGER = addressOf(0x57);
const SOLD = addressOf(0x501d);
const MINTED = addressOf(0x313);
const POOL_SOLD = addressOf(0x9001);
const POOL_MINTED = addressOf(0x9002);
const PAD = addressOf(0x9ad);
const CLIENT = addressOf(0xc11e);
const PAD_TOKEN = addressOf(0x9ad7);
const ORPHAN = addressOf(0x0f0);
const TIMELOCK = addressOf(0x71e);
const HEAD = 120;
const UNIT = 10n ** 18n;

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  const transfers = [
    // Block 101: DEV gives MATE a coin and makes SOLD. 104: the pools open. 110: 400 are sold. 112: 60 are made for MATE.
    ...transfersOf({ block: 101 }, DEV, [moved("", DEV, MATE, 1n), moved(SOLD, "", DEV, 1_000n), fee(DEV)]),
    ...transfersOf({ block: 102 }, DEV, [moved(MINTED, "", DEV, 100n), fee(DEV)]),
    ...transfersOf({ block: 104 }, DEV, [
      moved(SOLD, DEV, POOL_SOLD, 100n),
      moved(MINTED, DEV, POOL_MINTED, 50n),
      fee(DEV),
    ]),
    ...transfersOf({ block: 110 }, DEV, [moved(SOLD, DEV, POOL_SOLD, 400n), fee(DEV)]),
    ...transfersOf({ block: 112 }, DEV, [moved(MINTED, "", MATE, 60n), fee(DEV)]),
    ...transfersOf({ block: 113 }, STRANGER, [moved(MINTED, "", STRANGER, 1n), fee(STRANGER)]),
    ...transfersOf({ block: 115 }, PAD, [moved(PAD_TOKEN, "", CLIENT, 5n), fee(PAD)]),
  ];
  const facts = {
    blocks: dailyBlocks(HEAD),
    transfers,
    transactions: transactionsOf(transfers),
    contracts: [created(SOLD, 101, DEV), created(MINTED, 102, DEV), created(PAD_TOKEN, 115, PAD)],
    pools: [pool(POOL_SOLD, SOLD, 104), pool(POOL_MINTED, MINTED, 104)],
    pool_states: [
      state(POOL_SOLD, 104, [100n, 10_000n]),
      state(POOL_SOLD, 110, [500n, 2_000n]),
      state(POOL_MINTED, 104, [50n, 5_000n]),
    ],
    swaps: [swap(POOL_SOLD, 110, DEV, [400n, -8_000n]), swap(POOL_MINTED, 119, STRANGER, [1n, -1n])],
    ownership_events: [owned(MINTED, 102, TIMELOCK), owned(PAD_TOKEN, 115, CLIENT)],
  };
  await store.seed({ network: "demo", from: 100, to: HEAD }, facts);
  await store.writer.insert("tokens", [
    tokenRow(SOLD, "SLD", 18),
    tokenRow(MINTED, "MNT", 18),
    tokenRow(PAD_TOKEN, "PAD", 18),
    tokenRow(ORPHAN, "ORF", 18),
    tokenRow(USDC, "USDC", 6),
  ]);
  await store.writer.insert(
    "prices",
    Array.from({ length: HEAD - 99 }, (_, i) => priceRow(USDC, dayOf(100 + i), 1)),
  );
  await store.writer.insert("labels", [
    {
      network: "demo",
      address: bytesOf(PAD),
      source: "test",
      label: "Pad of tests",
      category: "launchpad",
      entity: "",
      confidence: 1,
      evidence: "",
      valid_from: 0,
      licence: "",
      published_on: "",
      written_at: 1,
    },
  ]);
});
afterAll(() => store.close());

const NETWORK = { stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] };
const STATE: FixedState = {
  network: NETWORK,
  accounts: {
    [DEV]: { nonce: 5, balance: 3n * UNIT }, // five transactions, all of them indexed
    [TIMELOCK]: { code: bytesOf(hex("6001")) },
    [POOL_SOLD]: { code: bytesOf(hex("6001")) },
    [POOL_MINTED]: { code: bytesOf(hex("6001")) },
  },
  answer: ({ to, data }) => {
    if (to === TIMELOCK && data === selectorOf("getMinDelay()")) return { ok: true, data: wordOf(86_400n) };
    // Every transfer that is tried goes through.
    return to === MINTED || to === SOLD ? { ok: true, data: "" } : { ok: false, data: "" };
  },
};

interface DeveloperSetup {
  readonly state?: FixedState;
  readonly networks?: readonly string[];
  readonly as_of_block?: number;
  readonly facts?: TestFacts;
}

const run = (token: Hex, { state = STATE, networks = ["demo"], facts = store, ...more }: DeveloperSetup = {}) =>
  runTool(
    analyzeTokenDeveloper,
    { token_address: `0x${token}`, network: "demo", ...more },
    callContext({
      facts: facts.facts,
      chain: (id) => fixedChain({ ...state, network: { ...state.network, id } }),
      networks: [...networks],
    }),
  );

const dataOf = async (token: Hex, setting: DeveloperSetup = {}) => {
  const outcome = await run(token, setting);
  if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
  return analyzeTokenDeveloper.output.parse(outcome.data);
};
const shown = (address: Hex) => fixedChain().formatAddress(address);
const hash = (block: number) => `0x${Buffer.from(blockHash(block * 1_000)).toString("hex")}`;

describe("rugs without a pool being emptied", () => {
  test("a sale of 40 % of the supply that took the price from 100 to 4 dollars is one", async () => {
    const { history, developer_actions } = await dataOf(SOLD);
    const row = history.tokens.find(({ symbol }) => symbol === "SLD");
    expect(row).toMatchObject({ outcome: "rugged", cause: "creator_sale", lifetime_days: 9 });
    expect(row?.evidence).toEqual([{ kind: "tx", ref: hash(110), observed_at: "2026-01-11T00:00:00Z" }]);
    // The pool was fullest when it opened: 2 x 10,000 dollars.
    expect(row?.peak_liquidity_usd).toBe(20_000);
    expect(developer_actions).toMatchObject({
      sold_amount: 400,
      sold_usd: 8_000,
      first_sell_at: "2026-01-11T00:00:00Z",
    });
  });

  test("60 new tokens for a linked wallet on a supply of 100 are one, those for a stranger are not counted", async () => {
    const { history, developer_actions, holdings } = await dataOf(MINTED);
    const row = history.tokens.find(({ symbol }) => symbol === "MNT");
    expect(row).toMatchObject({ outcome: "rugged", cause: "hidden_mint" });
    expect(row?.evidence).toMatchObject([{ kind: "tx", ref: hash(112) }]);
    expect(developer_actions).toMatchObject({ mint_after_launch_raw: (61n * UNIT).toString(), ownership: "timelock" });
    // 50 are left to the developer, MATE has 60, of 161.
    expect(holdings.linked_wallets).toEqual([
      { address: shown(MATE), relation: "funded_before_launch", percent: expect.closeTo((100 * 60) / 161, 9) },
    ]);
    expect(holdings.linked_percent).toBeCloseTo((100 * 110) / 161, 9);
  });

  test("before they happened neither had", async () => {
    const { history, risk_level } = await dataOf(SOLD, { as_of_block: 109 });
    expect(history).toMatchObject({ rugged: 0, alive: 2, rug_rate_percent: 0 });
    expect(risk_level).not.toBe("low");
  });
});

test("two rugs of two are a critical record", async () => {
  const { history, risk_level, flags } = await dataOf(SOLD);
  expect(history).toMatchObject({ tokens_launched: 2, rugged: 2, rug_rate_percent: 100 });
  expect(risk_level).toBe("critical");
  expect(flags.map(({ code }) => code)).toEqual(expect.arrayContaining(["serial_rugger", "linked_supply"]));
});

test("attributes a launchpad token to the account it was created for", async () => {
  const { developer, history, risk_level } = await dataOf(PAD_TOKEN);
  expect(developer).toMatchObject({ address: shown(CLIENT), launchpad: "Pad of tests" });
  expect(history).toMatchObject({ tokens_launched: 1, rug_rate_percent: null });
  expect(history.tokens).toMatchObject([{ symbol: "PAD", outcome: null }]);
  expect(risk_level).toBe("high"); // CLIENT holds all of it
});

test("a developer with more transactions than the index knows has an incomplete history", async () => {
  const accounts = { ...STATE.accounts, [CLIENT]: { nonce: 7 } };
  const { flags } = await dataOf(PAD_TOKEN, { state: { ...STATE, accounts } });
  expect(flags.map(({ code }) => code)).toContain("history_incomplete");
  expect((await dataOf(SOLD)).flags.map(({ code }) => code)).not.toContain("history_incomplete");
});

test("a network that does not answer is a warning, and makes the history incomplete", async () => {
  const { networks_searched, flags, metadata } = await dataOf(SOLD, { networks: ["demo", "other"] });
  expect(networks_searched).toEqual(["demo"]);
  expect(flags.map(({ code }) => code)).toContain("history_incomplete");
  expect(metadata.warnings.map(({ code }) => code)).toEqual(["NETWORK_UNAVAILABLE"]);
});

test("counts a token that cannot be sold as a rug, found by simulation", async () => {
  const closed: FixedState = { ...STATE, answer: () => ({ ok: false, data: "" }) };
  const { history } = await dataOf(MINTED, { state: closed, as_of_block: 111 });
  expect(history.tokens.find(({ symbol }) => symbol === "MNT")?.outcome).toBe("alive"); // it has no other holder yet
  const later = await dataOf(MINTED, { state: closed });
  // STRANGER holds one; its transfer fails. The mint came first and is named.
  expect(later.history.tokens.find(({ symbol }) => symbol === "MNT")?.cause).toBe("hidden_mint");
});

describe("no answer", () => {
  test("finds no developer of a token without a known creator, on complete coverage", async () => {
    expect(await run(ORPHAN)).toMatchObject({ kind: "no_data", type: "token_developer" });
  });

  test("on incomplete coverage nothing is proven", async () => {
    const blind = await openTestFacts();
    try {
      await blind.seed({ network: "demo", from: 100, to: 110, has_traces: false }, {});
      await blind.writer.insert("tokens", [tokenRow(ORPHAN, "ORF", 18)]);
      expect(await run(ORPHAN, { facts: blind })).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
    } finally {
      await blind.close();
    }
  });

  test("an account is no token", async () => {
    expect(await run(STRANGER)).toMatchObject({ kind: "error", code: "NOT_A_TOKEN" });
  });

  test("a silent node is an error", async () => {
    await expect(run(SOLD, { state: { ...STATE, down: true } })).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  });
});

describe("a developer's rugs, as other tools read them", () => {
  const rugsOf = async (wallet: Hex, own: Hex | null, state: FixedState = STATE) => {
    const snapshot = await store.facts.snapshot("demo", null);
    const signal = AbortSignal.timeout(30_000);
    return readRugs(
      { facts: store.facts, chain: fixedChain(state), snapshot, signal },
      wallet,
      own === null ? null : { token: own, created_s: 0 },
    );
  };

  test("lists both rugs, newest first, each with its evidence", async () => {
    const { found, tokens_count, gap } = await rugsOf(DEV, null);
    expect(found.map(({ token, cause }) => [token, cause])).toEqual([
      [MINTED, "hidden_mint"],
      [SOLD, "creator_sale"],
    ]);
    expect(found[1]?.evidence).toEqual([{ kind: "tx", ref: hash(110), observed_at: "2026-01-11T00:00:00Z" }]);
    expect([tokens_count, gap]).toEqual([2, null]);
  });

  test("excludes the requested token from the developer's rugs", async () => {
    const { own, found, tokens_count } = await rugsOf(DEV, SOLD);
    expect(found.map(({ token }) => token)).toEqual([MINTED]);
    expect([own?.token, own?.cause, tokens_count]).toEqual([SOLD, "creator_sale", 1]);
  });

  test("may be more where the developer sent what the index does not know, or no node answers", async () => {
    const accounts = { ...STATE.accounts, [DEV]: { nonce: 6 } };
    expect((await rugsOf(DEV, null, { ...STATE, accounts })).gap).toContain("outside the index's coverage");
    expect(await rugsOf(DEV, null, { ...STATE, down: true })).toMatchObject({
      found: [],
      gap: expect.stringContaining("no node"),
    });
  });

  test("finds no rugs of an account without launches", async () => {
    expect(await rugsOf(STRANGER, null)).toMatchObject({ found: [], tokens_count: 0 });
  });
});
