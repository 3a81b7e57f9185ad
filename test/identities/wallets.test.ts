import { afterAll, beforeAll, expect, test } from "vitest";
import { CHARACTERS } from "../../src/demo/evm/characters.ts";
import { openWorldStage, type Stage, type WorldStage } from "../e2e/stage.ts";
import { type Answer, equationCount, type WalletAnswers, walletContradictions } from "./wallet_figures.ts";

/** Wallets of a world, all tools that say something of them, and every equation between what they say. */

let evm: WorldStage;
const found: Record<string, WalletAnswers[]> = {};

const PER_PAGE = 100;
/** A wallet of every kind of dealing that the world has. */
const WALLETS = [
  "alice",
  "bob",
  "carol",
  "dave",
  "erin",
  "frank",
  "grace",
  "heidi",
  "judy",
  "nina",
  "peggy",
  "mallory",
] as const;
/** A profile reads everything about everybody around: of each so many wallets one is asked for. */
const PROFILED_EACH = 6;

const ask = async (stage: Stage, tool: string, args: object): Promise<Answer> => {
  const { body } = await stage.ask(tool, { ...args });
  return body.status === undefined ? body : null;
};

const pages = async (stage: Stage, tool: string, args: object): Promise<Answer[]> => {
  const all: Answer[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await ask(stage, tool, { ...args, page, records_per_page: PER_PAGE });
    if (answer === null) return all;
    all.push(answer);
    if (!answer.pagination.has_more_data) return all;
  }
};

interface Who {
  readonly network: string;
  readonly address: string;
  readonly name: string;
}

const askAbout = async (
  stage: Stage,
  { network, address, name }: Who,
  with_profile: boolean,
): Promise<WalletAnswers> => {
  const of = { address, network };
  // A window that begins before the world does, and ends with its last block.
  const window = { ...of, from_date: "2025-06-01" };
  const [stats, life, patterns, analysis, counterparties, transactions, profile] = await Promise.all([
    ask(stage, "get_wallet_stats", window),
    ask(stage, "get_wallet_stats", of),
    ask(stage, "get_wallet_transaction_patterns", window),
    ask(stage, "get_wallet_counterparties_analysis", window),
    pages(stage, "get_wallet_counterparties", window),
    pages(stage, "get_wallet_transactions", window),
    with_profile ? ask(stage, "get_wallet_address_profile", of) : null,
  ]);
  return { name, stats, life, patterns, profile, analysis, counterparties, transactions };
};

const askAll = async (stage: Stage, wallets: readonly Who[]): Promise<WalletAnswers[]> => {
  const all: WalletAnswers[] = [];
  for (const [i, who] of wallets.entries()) all.push(await askAbout(stage, who, i % PROFILED_EACH === 0));
  return all.filter(({ stats }) => stats !== null);
};

beforeAll(async () => {
  evm = await openWorldStage();
  found.evm = await askAll(
    evm,
    WALLETS.map((name) => ({ network: "demo", address: CHARACTERS[name].address, name })),
  );
});
afterAll(async () => {
  await evm?.close();
});

/** Fewer would mean that a world, or how its wallets are found, has lost some. */
const FEWEST = { evm: WALLETS.length } as const;

test.each(["evm"] as const)("all tools say the same of the wallets of the demo world of %s", (family) => {
  const all = found[family] ?? [];
  expect(all.length).toBeGreaterThanOrEqual(FEWEST[family]);
  expect(all.flatMap(walletContradictions)).toEqual([]);
});

test("figures are compared, and not only their absence", () => {
  const all = found.evm ?? [];
  expect(all.filter(({ stats }) => stats.total_in_usd > 0).length).toBeGreaterThanOrEqual(4);
  const parts = all.map(({ stats }) => stats.of_which);
  expect(parts.some((part) => part.in.mints_usd > 0 || part.out.burns_usd > 0)).toBe(true);
  expect(parts.some((part) => part.in.wraps_usd > 0 && part.out.wraps_usd > 0)).toBe(true);
  expect(all.some(({ stats }) => stats.spam_transfers > 0)).toBe(true);
  for (const one of all) expect(equationCount(one)).toBeGreaterThan(0);
});

/** A wallet that every tool tells of: what is planted into its answers is a contradiction that must be found. */
const whole = (): WalletAnswers => {
  const one = (found.evm ?? []).find(
    ({ stats, patterns, profile, analysis, counterparties, transactions }) =>
      stats.total_in_usd > 0 &&
      stats.total_out_usd > 0 &&
      patterns !== null &&
      profile !== null &&
      analysis !== null &&
      counterparties.length > 0 &&
      transactions.length > 0,
  );
  if (one === undefined) throw new Error("no wallet has all figures");
  return structuredClone(one);
};

type Plant = (answers: WalletAnswers) => void;
const PLANTED: readonly (readonly [what: string, plant: Plant, found: RegExp])[] = [
  [
    "an inflow of its own",
    ({ patterns }) => {
      patterns.flow_patterns.in_usd *= 1.001;
    },
    /inflow of patterns/,
  ],
  [
    "an outflow of its own",
    ({ patterns }) => {
      patterns.flow_patterns.out_usd += 1;
    },
    /outflow of patterns/,
  ],
  [
    "something left out and not named",
    ({ counterparties }) => {
      counterparties[0].summary.total_in_usd -= 1;
    },
    /inflow of get_wallet_counterparties /,
  ],
  [
    "something named that was not left out",
    ({ analysis }) => {
      analysis.summary.left_out.burns_usd += 1;
    },
    /outflow of get_wallet_counterparties_analysis/,
  ],
  [
    "a row counted twice",
    ({ counterparties }) => {
      counterparties[0].data[0].volume_in_usd += 1;
    },
    /all counterparties/,
  ],
  [
    "a row lost",
    ({ transactions }) => {
      transactions[0].data.splice(0, 5);
    },
    /list of transactions/,
  ],
  [
    "spam not counted",
    ({ stats }) => {
      stats.spam_transfers += 1;
    },
    /spam of the list/,
  ],
  [
    "a transaction too many",
    ({ patterns }) => {
      patterns.activity.tx_count += 1;
    },
    /transactions of patterns/,
  ],
  [
    "a day too many",
    ({ patterns }) => {
      patterns.activity.active_days += 1;
    },
    /active days/,
  ],
  [
    "another first day",
    ({ profile }) => {
      profile.activity.first_seen = "2020-01-01T00:00:00Z";
    },
    /first seen/,
  ],
  [
    "another count in the profile",
    ({ profile }) => {
      profile.activity.tx_count -= 1;
    },
    /transactions of the profile/,
  ],
];

test.each(PLANTED)("%s is found", (_, plant, message) => {
  const answers = whole();
  expect(walletContradictions(answers)).toEqual([]);
  plant(answers);
  expect(walletContradictions(answers).join("\n")).toMatch(message);
});
