/** A Tron network with generated traffic: TRX, TRC-20 with fees and mints, wrapped TRX, TRC-10, stakes, failures. */
import { projectCode } from "../../src/demo/evm/artifacts.ts";
import {
  type EvmScenarioChain,
  openScenarioChain,
  type TransactionRequest,
} from "../../src/demo/evm/scenario_chain.ts";
import type { Facade } from "../../src/demo/tron/facade.ts";
import * as system from "../../src/demo/tron/ledger.ts";
import { startTronNode } from "../../src/demo/tron/node.ts";
import { createWtrx } from "../../src/demo/tron/wtrx.ts";
import { type ActDice, openDice } from "../fixtures/random_acts.ts";

const ACTORS = ["alice", "bob", "carol", "dave"] as const;
const START = Date.UTC(2026, 0, 1) / 1_000;
export const TRX = 1_000_000n;
const GIVEN = 100_000_000_000_000_000n;
/** Of tokens with eighteen decimals. */
const SUPPLY = 10n ** 24n;

export interface TronWorld {
  readonly facade: Facade;
  readonly stage: EvmScenarioChain;
  readonly stop: () => Promise<void>;
}

export const startTronWorld = async ({ seed, acts }: { seed: number; acts: number }): Promise<TronWorld> => {
  const { anvil, facade, stop } = await startTronNode();
  try {
    const stage = openScenarioChain(anvil.rpc, "demo", START);
    await runActs({ stage, facade, dice: openDice(seed) }, acts);
    return { facade, stage, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

interface TrafficSetting {
  readonly stage: EvmScenarioChain;
  readonly facade: Facade;
  readonly dice: ActDice;
}

const runActs = async (setting: TrafficSetting, acts: number): Promise<void> => {
  const { stage, facade } = setting;
  await stage.together(ACTORS.map((to) => ({ from: "bank", to, value: GIVEN })));
  const named = "string,string,uint256";
  await stage.create("minted", {
    from: "alice",
    code: projectCode("MintableToken"),
    args: [named, ["Mint", "MNT", SUPPLY]],
  });
  await stage.create("taxed", { from: "bob", code: projectCode("FeeToken"), args: [named, ["Taxed", "TAX", SUPPLY]] });
  await createWtrx(stage, "carol");
  await stage.create("forwarder", { from: "carol", code: projectCode("Forwarder") });
  await stage.create("factory", { from: "dave", code: projectCode("EphemeralFactory") });
  await stage.create("usdt", {
    from: "carol",
    code: projectCode("TetherToken"),
    args: ["uint256,string,string,uint256", [1_000_000n * TRX, "Tether USD", "USDT", 6n]],
  });
  await stage.act({ from: "carol", to: "usdt", call: ["transfer(address,uint256)", ["@bob", 5_000n * TRX]] });
  await facade.system(system.issue(stage.address("alice")));
  for (let i = 0; i < acts; i += 1) {
    const kind = KINDS[i % KINDS.length];
    if (kind !== undefined) await kind(setting);
  }
  const owners = ["alice", "bob", "carol"].map((name) => stage.address(name));
  await facade.system(system.setOwners(stage.address("dave"), owners, 2));
  await stage.act({ from: "carol", to: "usdt", call: ["addBlackList(address)", ["@bob"]] });
  // A last inner payment, so that the newest blocks show that this node keeps them.
  await stage.act(forward(setting));
};

const actor = ({ dice }: TrafficSetting): string => dice.pick(ACTORS);
const amount = ({ dice }: TrafficSetting, unit: bigint): bigint => BigInt(1 + dice.roll(1_000)) * unit;
const stranger = ({ dice }: TrafficSetting): string =>
  `0x${"7".repeat(36)}${(16 + dice.roll(200)).toString(16).padStart(4, "0")}`;

const pay = (setting: TrafficSetting): TransactionRequest => ({
  from: actor(setting),
  to: stranger(setting),
  value: amount(setting, TRX),
});
const forward = (setting: TrafficSetting): TransactionRequest => ({
  from: actor(setting),
  to: "forwarder",
  value: amount(setting, TRX),
  call: ["forward(address,bytes)", [stranger(setting), "0x"]],
});

/** Kinds take turns, so that a draw decides the accounts and amounts, never the kind. */
const KINDS: readonly ((setting: TrafficSetting) => Promise<unknown>)[] = [
  (setting) => setting.stage.act(pay(setting)),
  (setting) => setting.stage.act(forward(setting)),
  (setting) => setting.stage.together([pay(setting), forward(setting), pay(setting)]),
  (setting) =>
    setting.stage.act({
      from: "alice",
      to: "minted",
      call: ["transfer(address,uint256)", [stranger(setting), amount(setting, 10n ** 18n)]],
    }),
  (setting) =>
    setting.stage.act({
      from: "alice",
      to: "minted",
      call: ["mint(address,uint256)", [`@${actor(setting)}`, amount(setting, 10n ** 18n)]],
    }),
  (setting) =>
    setting.stage.act({
      from: "bob",
      to: "taxed",
      call: ["transfer(address,uint256)", ["@dave", amount(setting, 10n ** 18n)]],
    }),
  (setting) =>
    setting.stage.act({
      from: "dave",
      to: "taxed",
      call: ["transfer(address,uint256)", [stranger(setting), amount(setting, 10n ** 15n)]],
    }),
  (setting) => setting.stage.act({ from: "carol", to: "wtrx", value: 2_000n * TRX, call: ["deposit()", []] }),
  (setting) => setting.stage.act({ from: "carol", to: "wtrx", call: ["withdraw(uint256)", [amount(setting, TRX)]] }),
  (setting) =>
    setting.stage.act({
      from: "bob",
      to: "usdt",
      call: ["transfer(address,uint256)", [stranger(setting), amount(setting, 1_000n)]],
    }),
  // More than the balance: the whole transaction fails, its inner payments with it.
  (setting) =>
    setting.stage.act({
      from: actor(setting),
      to: "forwarder",
      value: amount(setting, TRX),
      call: ["refuse(uint256)", [2n]],
      fails: true,
    }),
  // The inner call fails and the outer continues: the coins stay with the forwarder.
  (setting) =>
    setting.stage.act({
      from: actor(setting),
      to: "forwarder",
      value: amount(setting, TRX),
      call: ["attempt(address,bytes)", ["@minted", "0x12345678"]],
    }),
  (setting) =>
    setting.stage.act({
      from: "dave",
      to: "factory",
      value: amount(setting, TRX),
      call: ["flash(address)", ["@alice"]],
    }),
  (setting) =>
    setting.stage.act({
      from: "dave",
      to: "factory",
      value: amount(setting, TRX),
      call: ["make(bytes32)", [`0x${"0".repeat(64)}`]],
    }),
  ({ facade, stage }) => facade.system(system.stake(stage.address("alice"), 700n * TRX)),
  ({ facade, stage }) => facade.system(system.unstake(stage.address("alice"), 300n * TRX)),
  ({ facade, stage }) => facade.system(system.withdrawStake(stage.address("alice"), 300n * TRX)),
  ({ facade, stage }) => facade.system(system.claimReward(stage.address("dave"), 11n * TRX)),
  ({ facade, stage }) => facade.system(system.vote(stage.address("dave"))),
  (setting) =>
    setting.facade.system(
      system.sendAsset(setting.stage.address("alice"), stranger(setting), amount(setting, 10n ** 14n)),
    ),
];
