import { beforeAll, expect, test } from "vitest";
import { formatAddress } from "../../src/chains/tron/address.ts";
import { ADDRESSES } from "../../src/demo/evm/characters.ts";
import { hex } from "../../src/lib/bytes.ts";
import { sharedFamilies, sharedWorld, type TestService } from "../e2e/served_world.ts";
import { eachNth, sized } from "../long.ts";
import { type ActAnswer, type ActAnswers, actContradictions } from "./act_figures.ts";

/** Transactions of wallets of three worlds: the list and the analysis of each of them show one act. */

const found: Record<string, ActAnswers[]> = {};

const PER_PAGE = 100;
/** Newest pages of a wallet's list. */
const PAGES_MAX = sized({ slice: 2, long: Number.POSITIVE_INFINITY });
/** Maximum checked transactions of a world per kind (type, function, direction, outcome, movements). */
const ALIKE = sized({ slice: 1, long: Number.POSITIVE_INFINITY });
/** One of this many wallets is checked. */
const WALLETS_EACH = 6;
/** Concurrent analyses. */
const AT_ONCE = 4;

const listed = async (
  stage: Pick<TestService, "ask">,
  of: { readonly address: string; readonly network: string },
): Promise<ActAnswer[]> => {
  const rows: ActAnswer[] = [];
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const asked = { ...of, from_date: "2025-06-01", page, records_per_page: PER_PAGE };
    const { body } = await stage.ask("get_wallet_transactions", asked);
    if (body.status !== undefined) return rows;
    rows.push(...body.data);
    if (!body.pagination.has_more_data) return rows;
  }
  return rows;
};

/** One row of each checked transaction. `counts`: number of similar ones, over all wallets. */
const chosen = (rows: readonly ActAnswer[], counts: Map<string, number>): readonly ActAnswer[] => {
  const seen = new Set<string>();
  return rows.filter(({ tx_hash, tx_type, method, direction, status, kind }) => {
    if (tx_hash === undefined || seen.has(tx_hash)) return false;
    seen.add(tx_hash);
    const like = [tx_type, method, direction, status, kind].join(" ");
    const count = (counts.get(like) ?? 0) + 1;
    counts.set(like, count);
    return count <= ALIKE;
  });
};

const analyzeAll = async (
  stage: Pick<TestService, "ask">,
  network: string,
  wallets: Readonly<Record<string, string>>,
) => {
  const asked: (Omit<ActAnswers, "analysis"> & { readonly tx_hash: string })[] = [];
  const counts = new Map<string, number>();
  for (const [wallet, address] of eachNth(Object.entries(wallets), WALLETS_EACH))
    for (const { tx_hash, tx_type } of chosen(await listed(stage, { address, network }), counts))
      asked.push({ wallet, address, tx_type, tx_hash });
  const analyses = new Map<string, ActAnswer>();
  const wanted = [...new Set(asked.map(({ tx_hash }) => tx_hash))];
  for (let from = 0; from < wanted.length; from += AT_ONCE)
    await Promise.all(
      wanted.slice(from, from + AT_ONCE).map(async (tx_hash) => {
        const { body } = await stage.ask("analyze_transaction", { tx_hash, network });
        if (body.type !== "transaction_analysis") throw new Error(`${tx_hash}: ${JSON.stringify(body)}`);
        analyses.set(tx_hash, body);
      }),
    );
  return asked.map((one): ActAnswers => ({ ...one, analysis: analyses.get(one.tx_hash) }));
};

const ON_TRON = Object.fromEntries(
  Object.entries(ADDRESSES).map(([name, address]) => [name, formatAddress(hex(address.slice(2).toLowerCase()))]),
);

beforeAll(async () => {
  const families = await sharedFamilies();
  found.solana = await analyzeAll(families, "demo-solana", families.solana.characters);
  found.tron = await analyzeAll(families, "demo-tron", ON_TRON);
  const evm = await sharedWorld();
  found.evm = await analyzeAll(evm, "demo", ADDRESSES);
});

/** Minimum counts; lower ones would mean that a world, or the selection of its transactions, has lost some. */
const FEWEST = sized({ slice: { solana: 3, tron: 7, evm: 20 }, long: { solana: 6, tron: 20, evm: 60 } });

test.each(["solana", "tron", "evm"] as const)(
  "shows one act of every transaction in list and analysis on %s",
  (family) => {
    const all = found[family] ?? [];
    expect(all.length).toBeGreaterThanOrEqual(FEWEST[family]);
    expect(all.flatMap(actContradictions)).toEqual([]);
  },
);

/** Of the EVM world. */
const KINDS = sized({
  slice: ["swap", "add_liquidity"],
  long: ["swap", "add_liquidity", "remove_liquidity", "deposit", "withdraw", "borrow", "repay"],
});
const TRADING = sized({ slice: [], long: ["solana", "tron"] });

test("compares acts of many kinds, and not only transfers", () => {
  const types = new Set((found.evm ?? []).map(({ tx_type }) => tx_type));
  for (const type of KINDS) expect([type, types.has(type)]).toEqual([type, true]);
  for (const family of TRADING)
    expect((found[family] ?? []).some(({ analysis }) => analysis.headline?.type === "swap")).toBe(true);
});

const trade = (): ActAnswers => {
  const one = (found.evm ?? []).find(
    ({ tx_type, analysis }) => tx_type === "swap" && analysis.actions.some(({ type }: ActAnswer) => type === "swap"),
  );
  if (one === undefined) throw new Error("nobody traded");
  return structuredClone(one);
};

type Plant = (answers: ActAnswers) => ActAnswers;
const PLANTED: readonly (readonly [what: string, plant: Plant, found: RegExp])[] = [
  ["a trade that is listed as a transfer", (one) => ({ ...one, tx_type: "transfer" }), /listed as transfer, and swap/],
  ["a trade that is listed as liquidity", (one) => ({ ...one, tx_type: "add_liquidity" }), /listed as add_liquidity/],
  [
    "a headline that differs from the movements",
    (one) => {
      one.analysis.headline.tokens_in[0].amount_raw += "0";
      return one;
    },
    /not what its actor gained and lost/,
  ],
  [
    "a missing leg",
    (one) => {
      one.analysis.actions.find(({ type }: ActAnswer) => type === "swap").tokens_in[0].amount_raw = "1";
      return one;
    },
    /do not add up/,
  ],
];

test.each(PLANTED)("finds %s", (_, plant, message) => {
  expect(actContradictions(trade())).toEqual([]);
  expect(actContradictions(plant(trade())).join("\n")).toMatch(message);
});
