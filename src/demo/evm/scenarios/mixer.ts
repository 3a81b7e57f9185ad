import { encodeAbiParameters, keccak256 } from "viem/utils";
import { ETHER, type EvmScenario, on, type ScenarioAct } from "../act.ts";
import { projectCode } from "../artifacts.ts";
import { DUSTED } from "../characters.ts";
import type { HexText } from "../rpc.ts";
import type { EvmScenarioChain } from "../scenario_chain.ts";

/** Fixed amount of the mixer's deposits and withdrawals. */
const AMOUNT = 2n * ETHER;
/** Day and hour of all events that need one price. */
const DAY = 81;
const HOUR = 5;

const secretOf = (n: number): HexText => `0x${n.toString(16).padStart(64, "0")}`;
const commitmentOf = (n: number): HexText => keccak256(encodeAbiParameters([{ type: "bytes32" }], [secretOf(n)]));

const payCoins = (stage: EvmScenarioChain, to: string, ether: bigint) =>
  stage.act({ from: "bank", to, value: ether * ETHER, gas: 21_000 });

const open = async (stage: EvmScenarioChain): Promise<void> => {
  await payCoins(stage, "olga", 11n);
  await stage.create("mixer", { from: "olga", code: projectCode("Mixer") });
  for (let n = 1; n <= 5; n += 1) {
    await stage.act({
      from: "olga",
      to: "mixer",
      call: ["deposit(bytes32) payable", [commitmentOf(n)]],
      value: AMOUNT,
    });
  }
};

const withdraw = (stage: EvmScenarioChain, who: string, n: number) =>
  stage.act({ from: who, to: "mixer", call: ["withdraw(bytes32,address)", [secretOf(n), `@${who}`]] });

/**
 * ted: 12 clean ether and 4 from the mixer, of which he pays uma 8, so 2 of the mixer's. uma: these 8 and 12 clean
 * ones. A third address receives an unsolicited hundredth from the mixer and later one clean ether.
 */
const mix = async (stage: EvmScenarioChain): Promise<void> => {
  await payCoins(stage, "ted", 12n);
  await withdraw(stage, "ted", 1);
  await withdraw(stage, "ted", 2);
  await stage.act({ from: "ted", to: "uma", value: 8n * ETHER, gas: 21_000 });
  await payCoins(stage, "uma", 12n);
  await stage.act({ from: "olga", to: "mixer", call: ["withdrawWithDust(bytes32,address)", [secretOf(3), DUSTED]] });
  await payCoins(stage, DUSTED, 1n);
};

/** A mixer, its users, a wallet two steps away from it, and a wallet that its dust hits. */
export const mixer: EvmScenario = (stage): readonly ScenarioAct[] => [
  { at: on(DAY, HOUR - 1), run: () => open(stage) },
  { at: on(DAY, HOUR), run: () => mix(stage) },
];
