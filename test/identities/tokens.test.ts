import { afterAll, beforeAll, expect, test } from "vitest";
import { formatAddress } from "../../src/chains/tron/address.ts";
import type { TronDemoWorld } from "../../src/demo/tron/world.ts";
import { type FamiliesStage, openFamiliesStage, openWorldStage, type Stage, type WorldStage } from "../e2e/stage.ts";
import { type Answer, contradictions, poolContradictions, type TokenAnswers } from "./token_figures.ts";

/** Tokens of a world, all tools that say something of it, and every equation between what they say. */

let evm: WorldStage;
let others: FamiliesStage;
const found: Record<string, TokenAnswers[]> = {};

type Ask = (tool: string, args: object) => Promise<Answer>;

/** Asks a question once, however many tokens share its answer: those of one symbol, those of one creator. */
const asker = (stage: Stage): Ask => {
  const asked = new Map<string, Promise<Answer>>();
  return (tool, args) => {
    const key = `${tool} ${JSON.stringify(args)}`;
    const known = asked.get(key) ?? stage.ask(tool, { ...args }).then(({ body }) => body);
    asked.set(key, known);
    return known;
  };
};

/** What all tools say of one token; null where there is none at that address. */
const askAbout = async (ask: Ask, network: string, address: string): Promise<TokenAnswers | null> => {
  const of = { token_address: address, network };
  const info = await ask("get_token_info", of);
  if (info.status !== undefined) return null;
  const { symbol, creator } = info;
  const [market, risk, holders, flows, named, made, overview] = await Promise.all([
    ask("get_token_market_analysis", of),
    ask("get_token_risk_traits", of),
    ask("get_token_holders_traders", { ...of, limit: 1 }),
    ask("get_token_flows", { ...of, records_per_page: 1 }),
    symbol === null ? null : ask("resolve_token_symbol", { symbol, network, limit: 25 }),
    creator === null
      ? null
      : ask("get_wallet_deployed_contracts", { address: creator, network, kind: "token", records_per_page: 100 }),
    creator === null ? null : ask("get_wallet_risk_overview", { address: creator, network }),
  ]);
  const match = named?.matches?.find(({ token_address }: Answer) => token_address === info.address) ?? null;
  const row = made?.data?.find(({ contract_address }: Answer) => contract_address === info.address) ?? null;
  const name = `${symbol} ${info.address}`;
  return { name, info, market, risk, holders, flows, match, deployed: row?.token ?? null, creator: overview };
};

const askAll = async (stage: Stage, network: string, addresses: readonly string[]): Promise<TokenAnswers[]> => {
  const ask = asker(stage);
  const all: TokenAnswers[] = [];
  for (const address of new Set(addresses)) {
    const answers = await askAbout(ask, network, address);
    if (answers !== null) all.push(answers);
  }
  return all;
};

/** One token of every kind of market that the world has, and one without a market; the coin beside them. */
const EVM_TOKENS = [
  "native",
  "weth",
  "usdc",
  "usdt",
  "harbor",
  "thin",
  "sunrise",
  "ballast",
  "copper",
  "moonlift",
] as const;

const tronAddress = (world: TronDemoWorld, name: string): string =>
  formatAddress(world.stage.address(name).slice(2).toLowerCase());

beforeAll(async () => {
  evm = await openWorldStage();
  found.evm = await askAll(
    evm,
    "demo",
    EVM_TOKENS.map((name) => evm.world.contracts[name] ?? name),
  );
  others = await openFamiliesStage();
  const { solana, tron } = others;
  found.solana = await askAll(others, "demo-solana", ["native", ...Object.values(solana.mints)]);
  found.tron = await askAll(others, "demo-tron", [
    "native",
    ...["usdt", "beacon", "wtrx"].map((name) => tronAddress(tron, name)),
  ]);
});
afterAll(async () => {
  await others?.close();
  await evm?.close();
});

/** Fewer would mean that a world, or how its tokens are found, has lost some. */
const FEWEST = { evm: 10, solana: 4, tron: 3 } as const;

test.each(["evm", "solana", "tron"] as const)(
  "all tools say the same of the tokens of the demo world of %s",
  (family) => {
    const all = found[family] ?? [];
    expect(all.length).toBeGreaterThanOrEqual(FEWEST[family]);
    expect(all.flatMap(contradictions)).toEqual([]);
    expect(poolContradictions(all)).toEqual([]);
  },
);

test("figures are compared, and not only their absence", () => {
  const told = (found.evm ?? []).filter(({ info, market }) => info.market_cap_usd > 0 && market.market_cap_usd > 0);
  expect(told.length).toBeGreaterThanOrEqual(4);
  expect((found.evm ?? []).filter(({ deployed }) => deployed?.liquidity_usd > 0).length).toBeGreaterThanOrEqual(1);
});

/** A token that every tool tells of, all of its pools too: what is planted into its answers is a contradiction that must be found. */
const whole = (): TokenAnswers => {
  const one = (found.evm ?? []).find(
    ({ info, market, risk, match, deployed }) =>
      info.market_cap_usd > 0 &&
      market.liquidity?.total_usd > 0 &&
      market.liquidity.top_pools.length === market.liquidity.pool_count &&
      risk.liquidity?.total_usd > 0 &&
      match !== null &&
      deployed !== null,
  );
  if (one === undefined) throw new Error("no token has all figures");
  return structuredClone(one);
};

const PLANTED: readonly (readonly [what: string, plant: (answers: TokenAnswers) => void, found: RegExp])[] = [
  [
    "one side of a pool for both",
    ({ info }) => {
      info.liquidity_usd /= 2;
    },
    /liquidity_usd is .* in get_token_market/,
  ],
  [
    "doubled liquidity",
    ({ risk }) => {
      risk.liquidity.total_usd *= 2;
    },
    /liquidity_usd is .* in get_token_risk/,
  ],
  [
    "a pool counted twice",
    ({ market }) => {
      market.liquidity.total_usd *= 2;
    },
    /not the sum of its pools/,
  ],
  [
    "a market cap of all coins",
    ({ match }) => {
      match.market_cap_usd *= 1.01;
    },
    /market_cap_usd is .* in resolve/,
  ],
  [
    "a market cap that is no product",
    ({ info }) => {
      info.market_cap_usd *= 1.01;
    },
    /not price x circulating/,
  ],
  [
    "a figure null in one tool",
    ({ market }) => {
      market.supply.circulating = null;
    },
    /circulating_supply is null/,
  ],
  [
    "another hour's price",
    ({ holders }) => {
      holders.price_usd *= 1.001;
    },
    /price_usd is .* in get_token_holders/,
  ],
  [
    "more in circulation than there is",
    ({ info }) => {
      info.total_supply = 0;
    },
    /more circulates than there is/,
  ],
  [
    "a rug that the risk does not tell",
    ({ deployed }) => {
      deployed.outcome = "rugged";
    },
    /another|not critical/,
  ],
  [
    "a null without a reason",
    ({ info }) => {
      info.liquidity_usd = null;
    },
    /gives no reason for liquidity_usd/,
  ],
];

test.each(PLANTED)("%s is found", (_, plant, message) => {
  const answers = whole();
  expect(contradictions(answers)).toEqual([]);
  plant(answers);
  expect(contradictions(answers).join("\n")).toMatch(message);
});

test("a pool that is worth more from its other side is found", () => {
  const answers = whole();
  const other = structuredClone({ ...answers, name: "its other token" });
  other.market.liquidity.top_pools[0].liquidity_usd *= 2;
  expect(poolContradictions([answers, other])).toHaveLength(1);
});
