import type { EvmScenarioChain } from "./scenario_chain.ts";

/** An event of the scenario, some seconds after T0. */
export interface ScenarioAct {
  readonly at: number;
  readonly run: () => Promise<unknown>;
}

/**
 * A part of the scenario: its events on the timeline. A contract's address follows from its creator and the creator's
 * nonce, so a new scene that creates contracts uses a new character or days after that creator's last transaction: then
 * every known address stays.
 */
export type EvmScenario = (stage: EvmScenarioChain) => readonly ScenarioAct[];

export const SECONDS_A_DAY = 86_400;
/** Days that the scenario spans. */
export const SCENARIO_DAYS = 90;

/** Seconds after T0 of an hour of a day. `on(3, 14.5)` is 14:30 of the fourth day. */
export const on = (day: number, hour: number): number => day * SECONDS_A_DAY + Math.round(hour * 3_600);

export const ETHER = 10n ** 18n;
/** One dollar in a token of six decimals. */
export const DOLLAR = 10n ** 6n;
/** Deadline of swaps: never. */
export const FOREVER = 2n ** 40n;
export const UNLIMITED = 2n ** 256n - 1n;
