import { ETHER, type EvmScenario, on, type ScenarioAct } from "../act.ts";
import { DEPOSIT_ADDRESS } from "../characters.ts";
import { type EvmScenarioChain, WEI_PER_GAS } from "../scenario_chain.ts";
import { buyWithEther, sellForEther } from "./traders.ts";

const DEPOSIT = (4n * ETHER) / 10n;
const TRANSFER_GAS = 21_000;
const DEPOSITS = 5;
const WASHES = 3;

const passOn = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.impersonate(DEPOSIT_ADDRESS);
  const rest = DEPOSIT - BigInt(TRANSFER_GAS) * WEI_PER_GAS;
  await stage.act({ from: DEPOSIT_ADDRESS, to: "exchange", value: rest, gas: TRANSFER_GAS });
};

/** alice deposits to the exchange through an address of her own, which is emptied half an hour later. */
const deposits = (stage: EvmScenarioChain): ScenarioAct[] =>
  Array.from({ length: DEPOSITS }, (_, round) => 54 + round * 6).flatMap((day) => [
    {
      at: on(day, 9.2),
      run: () => stage.act({ from: "alice", to: DEPOSIT_ADDRESS, value: DEPOSIT, gas: TRANSFER_GAS }),
    },
    { at: on(day, 9.7), run: () => passOn(stage) },
  ]);

/** mallory buys Harbor and sells all of it within the hour, day after day: volume without a position. */
const washes = (stage: EvmScenarioChain): ScenarioAct[] =>
  Array.from({ length: WASHES }, (_, round) => 63 + round).flatMap((day) => [
    { at: on(day, 11), run: () => buyWithEther(stage, "mallory", ["harbor", ETHER]) },
    { at: on(day, 11.5), run: () => sellForEther(stage, "mallory", ["harbor", 100n]) },
  ]);

/** Giving up ownership proves nothing: the honeypot still cannot be sold afterwards. */
const renounce = (stage: EvmScenarioChain): ScenarioAct => ({
  at: on(47, 17),
  run: () => stage.act({ from: "mallory", to: "honeypot", call: ["renounceOwnership()", []] }),
});

/** Behaviours that leave a pattern: passing on, wash trading, renouncing. */
export const habits: EvmScenario = (stage): readonly ScenarioAct[] => [
  ...deposits(stage),
  ...washes(stage),
  renounce(stage),
];
