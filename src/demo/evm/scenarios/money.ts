import { DOLLAR, ETHER, type EvmScenario, on, type ScenarioAct, UNLIMITED } from "../act.ts";
import { projectCode, theirs } from "../artifacts.ts";
import type { CharacterName } from "../characters.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";

/** Coins that the bank distributes on the first day, in ether. Each is one mined transaction. */
const FUNDS_ETHER: Readonly<Partial<Record<CharacterName, bigint>>> = {
  oscar: 12_000n,
  alice: 60n,
  bob: 10n,
  carol: 1n,
  dave: 150n,
  erin: 5n,
  frank: 3n,
  grace: 80n,
  heidi: 5n,
  ivan: 20n,
  judy: 10n,
  mallory: 60n,
  nina: 5_000n,
  trent: 5n,
  peggy: 30n,
  walter: 2n,
  victor: 2n,
  exchange: 500n,
};

/** USDC minted on the first day, in dollars. */
const MINTED_USDC: Readonly<Partial<Record<CharacterName, bigint>>> = {
  oscar: 8_000_000n,
  nina: 20_000_000n,
  dave: 300_000n,
  alice: 40_000n,
  bob: 1_500n,
  carol: 5_000n,
  grace: 60_000n,
  heidi: 2_500n,
  mallory: 30_000n,
  ivan: 10n,
  peggy: 200_000n,
  victor: 3_000n,
  exchange: 1_000_000n,
};

/** USDT sent by the issuer on the first day, in dollars. */
const SENT_USDT: Readonly<Partial<Record<CharacterName, bigint>>> = {
  oscar: 200_000n,
  nina: 500_000n,
  walter: 4_000n,
  exchange: 500_000n,
};

const TETHER_SUPPLY = 1_000_000_000n * DOLLAR;

const fund = async (stage: EvmScenarioChain): Promise<void> => {
  for (const [name, ether] of Object.entries(FUNDS_ETHER)) {
    await stage.act({ from: "bank", to: name, value: ether * ETHER, gas: 21_000 });
  }
};

const issueUsdc = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("usdc_implementation", { from: "trent", code: projectCode("FiatToken") });
  const initialization = stage.encode("initialize(string,string,address)", ["USD Coin", "USDC", "@trent"]);
  await stage.create("usdc", {
    from: "trent",
    code: projectCode("Proxy"),
    args: ["address,address,bytes", ["@usdc_implementation", "@oscar", initialization]],
  });
  await stage.act({ from: "trent", to: "usdc", call: ["configureMinter(address,uint256)", ["@trent", UNLIMITED]] });
  for (const [name, dollars] of Object.entries(MINTED_USDC)) {
    await stage.act({ from: "trent", to: "usdc", call: ["mint(address,uint256)", [`@${name}`, dollars * DOLLAR]] });
  }
};

const issueUsdt = async (stage: EvmScenarioChain): Promise<void> => {
  const args = ["uint256,string,string,uint256", [TETHER_SUPPLY, "Tether USD", "USDT", 6n]] as const;
  await stage.create("usdt", { from: "trent", code: projectCode("TetherToken"), args });
  const creator = stage.creator("usdt");
  if (creator !== stage.address("trent")) {
    await stage.act({ from: creator, to: "usdt", call: ["transfer(address,uint256)", ["@trent", TETHER_SUPPLY]] });
    await stage.act({ from: creator, to: "usdt", call: ["transferOwnership(address)", ["@trent"]] });
  }
  for (const [name, dollars] of Object.entries(SENT_USDT)) {
    await stage.act({ from: "trent", to: "usdt", call: ["transfer(address,uint256)", [`@${name}`, dollars * DOLLAR]] });
  }
};

/** Coins for everyone, wrapped ether, the two dollars, Multicall3. */
export const money: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(0, 0.02), run: () => fund(stage) },
  { at: on(0, 0.2), run: () => stage.create("weth", { from: "oscar", code: theirs("WETH9") }) },
  { at: on(0, 0.3), run: () => stage.create("multicall3", { from: "oscar", code: theirs("Multicall3") }) },
  { at: on(0, 0.5), run: () => issueUsdc(stage) },
  { at: on(0, 1), run: () => issueUsdt(stage) },
];
