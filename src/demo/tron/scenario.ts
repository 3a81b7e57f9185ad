/**
 * Ninety days on Tron. The characters are those of the demo on EVM (src/demo/evm/characters.ts) at the same 20 bytes,
 * in the same roles: the bank distributes coins, trent issues and freezes dollars, peggy pays salaries, mallory steals.
 */
import { DOLLAR, on, type ScenarioAct } from "../evm/act.ts";
import { projectCode } from "../evm/artifacts.ts";
import { BYSTANDERS, type CharacterName, DEPOSIT_ADDRESS } from "../evm/characters.ts";
import { PRICES_PER_GAS } from "../evm/placement.ts";
import type { EvmScenarioChain } from "../evm/scenario_chain.ts";
import type { Facade } from "./facade.ts";
import * as system from "./ledger.ts";
import { market } from "./market.ts";
import { createWtrx } from "./wtrx.ts";

export interface TronScenarioChain {
  readonly stage: EvmScenarioChain;
  readonly facade: Facade;
}

type TronScenario = (world: TronScenarioChain) => readonly ScenarioAct[];

export const TRX = 10n ** 6n;
/** One token with eighteen decimals. */
export const WHOLE = 10n ** 18n;

/** Payments of the bank on the first day, in TRX. */
const FUNDS: Readonly<Partial<Record<CharacterName, bigint>>> = {
  oscar: 2_000_000n,
  alice: 600_000n,
  bob: 20_000n,
  carol: 5_000n,
  dave: 90_000n,
  erin: 30_000n,
  frank: 9_000n,
  peggy: 200_000n,
  exchange: 3_000_000n,
  trent: 50_000n,
  mallory: 5_000n,
  victor: 5_000n,
  ivan: 5_000n,
  nina: 400_000n,
};

/** Dollars that trent sends on the first day. */
const SENT_USDT: Readonly<Partial<Record<CharacterName, bigint>>> = {
  alice: 40_000n,
  bob: 2_500n,
  peggy: 200_000n,
  exchange: 1_000_000n,
  victor: 3_000n,
};

const TRANSFER_GAS = 21_000;
/** Several in one block must not exceed the block's gas limit. */
const TOKEN_GAS = 200_000;
const TETHER_SUPPLY = 1_000_000_000n * DOLLAR;
const BEACON_SUPPLY = 10_000_000n * WHOLE;

const fund = async ({ stage }: TronScenarioChain): Promise<void> => {
  for (const [to, trx] of Object.entries(FUNDS))
    await stage.act({ from: "bank", to, value: trx * TRX, gas: TRANSFER_GAS });
};

const sendUsdt = (
  { stage }: TronScenarioChain,
  [from, to, dollars]: readonly [string, string, bigint],
  fails = false,
) => stage.act({ from, to: "usdt", call: ["transfer(address,uint256)", [`@${to}`, dollars * DOLLAR]], fails });

const issueUsdt = async (world: TronScenarioChain): Promise<void> => {
  const args = ["uint256,string,string,uint256", [TETHER_SUPPLY, "Tether USD", "USDT", 6n]] as const;
  await world.stage.create("usdt", { from: "trent", code: projectCode("TetherToken"), args });
  for (const [to, dollars] of Object.entries(SENT_USDT)) await sendUsdt(world, ["trent", to, dollars]);
};

const money: TronScenario = (world) => [
  { at: on(0, 0.1), run: () => fund(world) },
  { at: on(0, 1), run: () => createWtrx(world.stage, "oscar") },
  { at: on(0, 2), run: () => issueUsdt(world) },
  { at: on(0, 3), run: () => world.stage.create("forwarder", { from: "oscar", code: projectCode("Forwarder") }) },
];

const sendBeacon = ({ stage }: TronScenarioChain, [from, to, amount]: readonly [string, string, bigint]) =>
  stage.act({ from, to: "beacon", call: ["transfer(address,uint256)", [to, amount * WHOLE]] });

/** dave creates a mintable token, and distributes it. */
const beacon: TronScenario = (world) => [
  {
    at: on(1, 9),
    run: () =>
      world.stage.create("beacon", {
        from: "dave",
        code: projectCode("MintableToken"),
        args: ["string,string,uint256", ["Beacon", "BCN", BEACON_SUPPLY]],
      }),
  },
  { at: on(1, 11), run: () => sendBeacon(world, ["dave", "@alice", 10_000n]) },
  { at: on(2, 11), run: () => sendBeacon(world, ["dave", "@bob", 400n]) },
  { at: on(9, 15), run: () => sendBeacon(world, ["alice", "@carol", 1_000n]) },
  {
    at: on(30, 9),
    run: () =>
      world.stage.act({
        from: "dave",
        to: "beacon",
        call: ["mint(address,uint256)", ["@dave", 500_000n * WHOLE]],
      }),
  },
  ...BYSTANDERS.slice(5, 11).map((to, i) => ({
    at: on(12 + i * 9, 10),
    run: () => sendBeacon(world, ["dave", to, BigInt(i + 1) * 1_000n]),
  })),
];

/** A week's pay of carol and four others, in TRX or in dollars. */
const WAGES = [900n, 500n, 600n, 700n, 800n] as const;
const STAFF = ["@carol", ...BYSTANDERS.slice(0, WAGES.length - 1)];
const WEEKS = 12;

const payCoins = ({ stage }: TronScenarioChain) => {
  const amounts = WAGES.map((wage) => wage * TRX);
  const value = amounts.reduce((sum, amount) => sum + amount, 0n);
  const call = ["disperseEther(address[],uint256[]) payable", [STAFF, amounts]] as const;
  return stage.act({ from: "peggy", to: "disperser", value, call });
};

const payDollars = ({ stage }: TronScenarioChain) =>
  stage.together(
    STAFF.map((to, i) => {
      const call = ["transfer(address,uint256)", [to, (WAGES[i] ?? 0n) * DOLLAR]] as const;
      return { from: "peggy", to: "usdt", call, gas: TOKEN_GAS };
    }),
  );

/** Every week at the same hour: TRX in even weeks, as inner payments of a contract; dollars in odd ones. */
const payroll: TronScenario = (world) => [
  { at: on(4, 8), run: () => world.stage.create("disperser", { from: "peggy", code: projectCode("Disperser") }) },
  ...Array.from({ length: WEEKS }, (_, week) => ({
    at: on(5 + week * 7, 17),
    run: () => (week % 2 === 0 ? payCoins(world) : payDollars(world)),
  })),
];

const payTrx = ({ stage }: TronScenarioChain, [from, to, trx]: readonly [string, string, bigint]) =>
  stage.act({ from, to, value: trx * TRX, gas: TRANSFER_GAS });

/** More inner payments than the forwarder allows: the whole transaction fails. */
const failAtForwarder = ({ stage }: TronScenarioChain) =>
  stage.act({ from: "frank", to: "forwarder", value: TRX, call: ["refuse(uint256)", [2n]], fails: true });

/** The simple books: `test/fixtures/tron_expected.ts` adds them up. */
const books: TronScenario = (world) => [
  { at: on(3, 12), run: () => wrap(world, 10_000n) },
  {
    at: on(10, 12),
    run: () =>
      world.stage.act({
        from: "erin",
        to: "wtrx",
        call: ["transfer(address,uint256)", ["@bob", 2_000n * TRX]],
      }),
  },
  {
    at: on(20, 12),
    run: () => world.stage.act({ from: "erin", to: "wtrx", call: ["withdraw(uint256)", [5_000n * TRX]] }),
  },
  { at: on(15, 19), run: () => sendUsdt(world, ["carol", "alice", 700n]) },
  { at: on(6, 8), run: () => payTrx(world, ["frank", "carol", 100n]) },
  ...[7, 8, 30, 60].map((day) => ({ at: on(day, 8), run: () => failAtForwarder(world) })),
];

const wrap = ({ stage }: TronScenarioChain, trx: bigint) =>
  stage.act({ from: "erin", to: "wtrx", value: trx * TRX, call: ["deposit() payable", []] });

const DEPOSIT = 30_000n * TRX;

const passOn = async ({ stage }: TronScenarioChain): Promise<void> => {
  await stage.impersonate(DEPOSIT_ADDRESS);
  const value = DEPOSIT - BigInt(TRANSFER_GAS) * PRICES_PER_GAS.tron;
  await stage.act({ from: DEPOSIT_ADDRESS, to: "exchange", value, gas: TRANSFER_GAS });
};

/** alice deposits three times; the exchange empties the address the same evening. */
const deposits: TronScenario = (world) =>
  [12, 33, 71].flatMap((day) => [
    { at: on(day, 10), run: () => payTrx(world, ["alice", DEPOSIT_ADDRESS, 30_000n]) },
    { at: on(day, 22), run: () => passOn(world) },
  ]);

const list = (
  { stage }: TronScenarioChain,
  [verb, who]: readonly ["addBlackList" | "removeBlackList", CharacterName],
) => stage.act({ from: "trent", to: "usdt", call: [`${verb}(address)`, [`@${who}`]] });

/** bob is robbed, the thief passes some on, and is frozen; victor was frozen for a week by mistake. */
const freezes: TronScenario = (world) => [
  { at: on(40, 14.5), run: () => list(world, ["addBlackList", "victor"]) },
  { at: on(47, 14.5), run: () => list(world, ["removeBlackList", "victor"]) },
  { at: on(50, 3), run: () => sendUsdt(world, ["bob", "mallory", 1_000n]) },
  { at: on(52, 3), run: () => sendUsdt(world, ["mallory", "ivan", 200n]) },
  { at: on(55, 9), run: () => list(world, ["addBlackList", "mallory"]) },
  { at: on(56, 9), run: () => sendUsdt(world, ["mallory", "ivan", 100n], true) },
];

/** A system's transaction in a block of its own. */
const sendSystem = async ({ stage, facade }: TronScenarioChain, made: system.SystemTransaction): Promise<void> => {
  await facade.system(made);
  await stage.together([]);
};

/** alice issues the TRC-10 token Lantern Oil, sends some, stakes, votes and withdraws half of the stake. */
const system_transactions: TronScenario = (world) => {
  const [alice, bob, carol] = (["alice", "bob", "carol"] as const).map((name) => world.stage.address(name));
  if (alice === undefined || bob === undefined || carol === undefined) return [];
  const transactions: readonly (readonly [day: number, system.SystemTransaction])[] = [
    [2, system.issue(alice)],
    [4, system.sendAsset(alice, bob, OIL_SENT.bob)],
    [5, system.sendAsset(alice, carol, OIL_SENT.carol)],
    [8, system.stake(alice, 70_000n * TRX)],
    [9, system.vote(alice)],
    [40, system.claimReward(alice, 11n * TRX)],
    [44, system.unstake(alice, 35_000n * TRX)],
    [58, system.withdrawStake(alice, 35_000n * TRX)],
  ];
  return transactions.map(([day, made]) => ({ at: on(day, 6), run: () => sendSystem(world, made) }));
};

/** Base units: the token has three decimals. */
export const OIL_SENT = { bob: 250_000_000n, carol: 40_000_000n } as const;

const DAYS = 90;

/** nina pays the exchange every day but Sundays. */
const habits: TronScenario = (world) =>
  Array.from({ length: DAYS - 1 }, (_, day) => day + 1)
    .filter((day) => day % 7 !== 0)
    .map((day) => ({ at: on(day, 20), run: () => payTrx(world, ["nina", "exchange", 500n]) }));

/** An inner payment among the newest blocks, which shows that a node stores them. */
const last: TronScenario = (world) => [
  {
    at: on(89, 21),
    run: () =>
      world.stage.act({
        from: "oscar",
        to: "forwarder",
        value: 250n * TRX,
        call: ["forward(address,bytes) payable", ["@dave", "0x"]],
      }),
  },
];

const SCENES: readonly TronScenario[] = [
  money,
  beacon,
  market,
  payroll,
  books,
  deposits,
  freezes,
  system_transactions,
  habits,
  last,
];

/** Runs all scenes in order of time. `t0` in unix seconds. */
export const runScenario = async (world: TronScenarioChain, t0: number): Promise<void> => {
  // Array.sort is stable: acts of the same second keep the order of the scenes.
  const acts = SCENES.flatMap((scene) => scene(world)).sort((a, b) => a.at - b.at);
  for (const act of acts) {
    world.stage.at(t0 + act.at);
    await act.run();
  }
};
