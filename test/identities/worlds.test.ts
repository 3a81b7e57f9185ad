import { beforeAll, expect, test } from "vitest";
import { formatAddress } from "../../src/chains/tron/address.ts";
import { demoNetwork } from "../../src/commands/demo.ts";
import { CHARACTERS } from "../../src/demo/evm/characters.ts";
import type { TronDemoWorld } from "../../src/demo/tron/world.ts";
import { hex } from "../../src/lib/bytes.ts";
import {
  caughtUp,
  openTestService,
  type SharedFamiliesService,
  type SharedWorldService,
  sharedFamilies,
  sharedWorld,
  type TestService,
} from "../e2e/served_world.ts";
import { eachNth, is_long, sized } from "../long.ts";
import {
  type CallTool,
  type HoldingAnswers,
  onceEach,
  readEach,
  readHoldings,
  readToken,
  readWallet,
  type TokenAnswers,
  type WalletAnswers,
} from "./answers.ts";
import { EVM_TOKENS, EVM_WALLETS, SOLANA_EACH, SOME, TRON_NAMES, TRON_TOKENS } from "./characters.ts";
import { holdingContradictions, priceContradictions } from "./holding_figures.ts";
import { noiseIn } from "./number_figures.ts";
import { PLANTED_IN_HOLDINGS, PLANTED_IN_TOKENS, type PlantedChecks } from "./planted.ts";
import { PLANTED_IN_ROWS, PLANTED_IN_STANDING } from "./planted_in_rows.ts";
import { PLANTED_IN_WALLETS } from "./planted_in_wallets.ts";
import { standingContradictions } from "./standing_figures.ts";
import { contradictions, poolContradictions } from "./token_figures.ts";
import { rowContradictions } from "./token_rows.ts";
import { traderContradictions, traderCount } from "./trader_figures.ts";
import { equationCount, walletContradictions } from "./wallet_figures.ts";

/** Wallets and tokens of the three demo worlds, all tools with a statement about them, and every equation between the statements. */

let evm: SharedWorldService;
let others: SharedFamiliesService;

interface WorldAnswers {
  readonly wallets: readonly WalletAnswers[];
  readonly tokens: readonly TokenAnswers[];
}
const found: Record<string, WorldAnswers> = {};
/** Wallets that may hold something, also by services that do not know the state before their first block. */
const held: Record<string, HoldingAnswers[]> = {};

const AT_ONCE = 4;
/** Other wallets and contracts of the world whose holdings are read: all, in a slice one of each kind. heidi has unsellable tokens. */
const IN_SLICE: readonly string[] = ["heidi", "quinn", "pair_sunrise_usdc", "token_bridge"];
/** One of this many wallets gets its profile. */
const PROFILED_EACH = 6;
const WRAPPED_SOL = "So11111111111111111111111111111111111111112";

const toolCaller =
  ({ ask }: Pick<TestService, "ask">): CallTool =>
  async (tool, args) =>
    (await ask(tool, args)).body;

interface IdentityWorld {
  readonly stage: Pick<TestService, "ask">;
  readonly network: string;
  readonly wallets: Readonly<Record<string, string>>;
  readonly tokens: readonly string[];
  readonly wrapped: string | null;
}

const readWorld = async ({ stage, network, wallets, tokens, wrapped }: IdentityWorld): Promise<WorldAnswers> => {
  const ask = onceEach(toolCaller(stage));
  const who = Object.entries(wallets).map(([name, address], i) => ({
    ...{ name, address, network, wrapped, with_profile: i % PROFILED_EACH === 0 },
  }));
  const of_wallets = await readEach(who, AT_ONCE, (one) => readWallet(ask, one));
  const of_tokens = await readEach([...new Set(tokens)], 1, (address) => readToken(ask, network, address));
  return {
    wallets: of_wallets.filter(({ stats }) => stats !== null),
    tokens: of_tokens.filter((answers) => answers !== null),
  };
};

const tronAddress = ({ stage }: TronDemoWorld, name: string): string =>
  formatAddress(hex(stage.address(name).slice(2).toLowerCase()));

/** Services on the demo world that do not read the state before their first block: its genesis, or half of its history. */
const FIRST_BLOCKS: Readonly<Record<string, number>> = {
  ...sized({ slice: {}, long: { without_genesis: 0, from_the_middle: 435 } }),
};

const readHalves = async (): Promise<void> => {
  const networks = Object.entries(FIRST_BLOCKS).map(([id, from_block]) => {
    const demo = demoNetwork(evm.world);
    return { ...demo, network: { ...demo.network, id }, poll_ms: 50, openings: "skip", from_block } as const;
  });
  const stage = await openTestService({ networks });
  await caughtUp(stage.service);
  const wrapped = evm.world.contracts.weth ?? null;
  for (const network of Object.keys(FIRST_BLOCKS)) {
    held[network] = await readEach(SOME, AT_ONCE, (name) =>
      readHoldings(toolCaller(stage), { name, address: CHARACTERS[name].address, network, wrapped }),
    );
  }
  await stage.close();
};

// Separate steps, because each has its own time limit.
beforeAll(async () => {
  evm = await sharedWorld();
  const { contracts } = evm.world;
  const wrapped = contracts.weth ?? null;
  found.evm = await readWorld({
    ...{ stage: evm, network: "demo", wrapped, tokens: EVM_TOKENS.map((name) => contracts[name] ?? name) },
    wallets: Object.fromEntries(EVM_WALLETS.map((name) => [name, CHARACTERS[name].address])),
  });
});
beforeAll(async () => {
  const { characters, contracts } = evm.world;
  const wrapped = contracts.weth ?? null;
  const asked = new Set<string>(EVM_WALLETS);
  const rest = Object.entries({ ...characters, ...contracts }).filter(([name]) => !asked.has(name));
  const chosen = sized({ slice: rest.filter(([name]) => IN_SLICE.includes(name)), long: rest });
  held.evm = await readEach(chosen, AT_ONCE, ([name, address]) =>
    readHoldings(toolCaller(evm), { name, address, network: "demo", wrapped }),
  );
});
if (is_long) beforeAll(readHalves);
beforeAll(async () => {
  others = await sharedFamilies();
  const { solana } = others;
  found.solana = await readWorld({
    ...{
      stage: others,
      network: "demo-solana",
      wrapped: WRAPPED_SOL,
      wallets: Object.fromEntries(eachNth(Object.entries(solana.characters), SOLANA_EACH)),
    },
    tokens: ["native", ...eachNth(Object.values(solana.mints), SOLANA_EACH)],
  });
});
beforeAll(async () => {
  const { tron } = others;
  found.tron = await readWorld({
    ...{ stage: others, network: "demo-tron", wrapped: tronAddress(tron, "wtrx") },
    tokens: ["native", ...TRON_TOKENS.map((name) => tronAddress(tron, name))],
    wallets: Object.fromEntries(TRON_NAMES.map((name) => [name, tronAddress(tron, name)])),
  });
});

const FAMILIES = ["evm", "solana", "tron"] as const;
const of = (family: string): WorldAnswers => found[family] ?? { wallets: [], tokens: [] };

/** Minimum counts; lower ones would mean that a world, or the search for its wallets and tokens, has lost some. */
const FEWEST = {
  evm: { wallets: EVM_WALLETS.length, tokens: EVM_TOKENS.length },
  solana: sized({ slice: { wallets: 4, tokens: 2 }, long: { wallets: 16, tokens: 4 } }),
  tron: { wallets: TRON_NAMES.length - 1, tokens: TRON_TOKENS.length },
} as const;

test.each(FAMILIES)("agrees between all tools on the wallets of the demo world of %s", (family) => {
  const { wallets } = of(family);
  expect(wallets.length).toBeGreaterThanOrEqual(FEWEST[family].wallets);
  expect(wallets.flatMap(walletContradictions)).toEqual([]);
});

test.each(FAMILIES)("agrees between all tools on a wallet's holdings, in the demo world of %s", (family) => {
  const { wallets, tokens } = of(family);
  expect(wallets.flatMap(({ held, profile }) => holdingContradictions(held, profile))).toEqual([]);
  expect(priceContradictions(wallets, tokens)).toEqual([]);
});

test.each(FAMILIES)("agrees between all tools on the tokens of the demo world of %s", (family) => {
  const { tokens } = of(family);
  expect(tokens.length).toBeGreaterThanOrEqual(FEWEST[family].tokens);
  expect(tokens.flatMap(contradictions)).toEqual([]);
  expect(tokens.flatMap(rowContradictions)).toEqual([]);
  expect(poolContradictions(tokens)).toEqual([]);
});

test.each(FAMILIES)(
  "agrees between all tools on a wallet's account, risk and names, in the demo world of %s",
  (family) => {
    const { wallets } = of(family);
    expect(wallets.filter(({ standing }) => standing !== null).length).toBeGreaterThan(0);
    expect(wallets.flatMap(standingContradictions)).toEqual([]);
  },
);

// Tron has no books.
test.each([
  ["evm", sized({ slice: 2, long: 10 })],
  ["solana", 1],
] as const)("matches the gains of a token's traders with their books, in the demo world of %s", (family, fewest) => {
  const { wallets, tokens } = of(family);
  expect(traderCount(wallets, tokens)).toBeGreaterThanOrEqual(fewest);
  expect(traderContradictions(wallets, tokens)).toEqual([]);
});

test.each(FAMILIES)("has no excess digits in answers, in the demo world of %s", (family) => {
  const { wallets, tokens } = of(family);
  expect([...wallets, ...tokens].flatMap((answers) => noiseIn(answers.name, answers))).toEqual([]);
});

test.each([
  ["evm", sized({ slice: IN_SLICE.length, long: 130 })] as const,
  ...Object.keys(FIRST_BLOCKS).map((world) => [world, SOME.length] as const),
])("ends books with the held balances: %s", (world, fewest) => {
  const all = held[world] ?? [];
  expect(all.length).toBeGreaterThanOrEqual(fewest);
  expect(all.flatMap((answers) => holdingContradictions(answers))).toEqual([]);
  // The comparison covers balances, not only their absence.
  const holding = all.filter(({ pnl }) =>
    pnl.data?.some((row: { holdings: { current_amount_raw: string } }) => row.holdings.current_amount_raw !== "0"),
  );
  expect(holding.length).toBeGreaterThan(sized({ slice: 0, long: 6 }));
});

test.each(FAMILIES)("compares figures, and not only their absence: %s", (family) => {
  const { wallets, tokens } = of(family);
  expect(wallets.filter(({ stats }) => stats.total_in_usd > 0).length).toBeGreaterThanOrEqual(
    sized({ slice: 2, long: 4 }),
  );
  const parts = wallets.map(({ stats }) => stats.of_which);
  expect(parts.some((part) => part.in.mints_usd > 0 || part.out.burns_usd > 0)).toBe(true);
  expect(parts.some((part) => part.in.wraps_usd > 0 && part.out.wraps_usd > 0)).toBe(true);
  for (const one of wallets) expect(equationCount(one)).toBeGreaterThan(0);
  const capped = tokens.filter(({ info, market }) => info.market_cap_usd > 0 && market.market_cap_usd > 0);
  expect(capped.length).toBeGreaterThanOrEqual(1);
});

test.skipIf(!is_long)("separates spam, and has figures for the tokens of a token's creator", () => {
  const { wallets, tokens } = of("evm");
  expect(wallets.some(({ stats }) => stats.spam_transfers > 0)).toBe(true);
  expect(tokens.filter(({ deployed }) => deployed?.liquidity_usd > 0).length).toBeGreaterThanOrEqual(1);
});

/** Of each list the first answers that have all figures, into which an error is planted that must be found. */
const whole = <T>(all: readonly T[], isWhole: (one: T) => boolean): T => {
  const one = all.find(isWhole);
  if (one === undefined) throw new Error("no answers have all figures");
  return structuredClone(one);
};

const findsPlanted = <A>(
  { list, isWhole }: PlantedChecks<A>,
  all: () => readonly A[],
  contradictionsOf: (one: A) => readonly string[],
): void =>
  test.each(list)("finds %s", (_, plant, message) => {
    const answers = whole(all(), isWhole);
    expect(contradictionsOf(answers)).toEqual([]);
    plant(answers);
    expect(contradictionsOf(answers).join("\n")).toMatch(message);
  });

findsPlanted(PLANTED_IN_WALLETS, () => of("evm").wallets, walletContradictions);
findsPlanted(
  PLANTED_IN_HOLDINGS,
  () => of("evm").wallets,
  (one) => [...holdingContradictions(one.held, one.profile), ...priceContradictions([one], [])],
);
findsPlanted(PLANTED_IN_TOKENS, () => of("evm").tokens, contradictions);
findsPlanted(PLANTED_IN_ROWS, () => of("evm").tokens, rowContradictions);
findsPlanted(PLANTED_IN_STANDING, () => of("evm").wallets, standingContradictions);

test.each(["realized_usd", "unrealized_usd", "total_usd", "uncosted_value_usd", "avg_cost_usd"])(
  "finds a trader's different %s",
  (figure) => {
    const { wallets, tokens } = structuredClone(of("evm"));
    const alice = CHARACTERS.alice.address;
    for (const { holders } of tokens)
      for (const row of [...(holders.holders ?? []), ...(holders.traders ?? [])])
        if (row.address === alice && row.pnl !== null) row.pnl[figure] = (row.pnl[figure] ?? 0) + 1;
    expect(traderContradictions(wallets, tokens).join("\n")).toMatch(`${figure} is`);
  },
);

test("finds a pool that is worth more from its other side", () => {
  const answers = whole(of("evm").tokens, PLANTED_IN_TOKENS.isWhole);
  const other = structuredClone({ ...answers, name: "its other token" });
  other.market.liquidity.top_pools[0].liquidity_usd *= 2;
  expect(poolContradictions([answers, other])).toHaveLength(1);
});

test("finds an outcome that one tool omits", () => {
  const all = [...(held.evm ?? []), ...of("evm").wallets.map((one) => one.held)];
  const answers = whole(all, ({ holdings }) =>
    holdings.holdings?.some(({ outcome }: { outcome: string | null }) => outcome === "unsellable"),
  );
  expect(holdingContradictions(answers)).toEqual([]);
  for (const row of answers.holdings.holdings) row.outcome = null;
  expect(holdingContradictions(answers).length).toBeGreaterThan(0);
});
