import { type Hex, hex } from "../../../lib/bytes.ts";
import type { DeployedFunction } from "./code_functions.ts";
import { keyOf } from "./power_trials.ts";
import type { PreparedStage } from "./stage.ts";
import { HOLDER_FUNCTIONS } from "./standard_functions.ts";
import { type ArgumentSetting, callsOf } from "./trial_arguments.ts";
import { runTrials } from "./trials.ts";

/**
 * Functions that worked once and never will again: each rejects every call because of a value that only itself writes, and
 * accepts one where that value is taken away. Setting a pool or opening trading once are such functions.
 */

const CHOICES = 3;
const CALLERS = 3;
const EMPTY_WORD = hex("00".repeat(32));

const slotOf = (key: string): Hex => hex((key.split(":")[0] ?? "").padStart(64, "0"));

/** The places that a function reads and writes, and that no function that works writes: transfers set no switches. */
const ownSlots = (
  found: DeployedFunction,
  functions: readonly DeployedFunction[],
  reached: ReadonlySet<Hex>,
): readonly Hex[] => {
  const taken = new Set(
    functions
      .filter((one) => reached.has(keyOf(one)) && !HOLDER_FUNCTIONS.has(one.selector))
      .flatMap(({ writes }) => [...writes]),
  );
  return [...found.plain_writes].filter((key) => found.reads.has(key) && !taken.has(key)).map(slotOf);
};

export interface SpentQuery {
  readonly functions: readonly DeployedFunction[];
  readonly reached: ReadonlySet<Hex>;
  readonly callers: readonly Hex[];
  readonly settingOf: (caller: Hex) => ArgumentSetting;
}

/** Keys of such functions among those that were not reached. */
export const spentFunctions = async (
  { ground, stage }: PreparedStage,
  { functions, reached, callers, settingOf }: SpentQuery,
): Promise<ReadonlySet<Hex>> => {
  const missed = functions.filter((one) => !reached.has(keyOf(one)));
  const works = async (found: DeployedFunction, slots: readonly Hex[], caller: Hex): Promise<boolean> => {
    const storage = Object.fromEntries(slots.map((slot) => [slot, EMPTY_WORD]));
    const extra = [...ground.extra, { address: found.at, storage }];
    const trials = callsOf(found, settingOf(caller), CHOICES).map((data) => [{ to: found.at, data }]);
    const results = await runTrials({ ...ground, extra }, { ...stage, caller }, trials);
    return results.some((result) => result !== null && result !== undefined);
  };
  const spent = await Promise.all(
    missed.map(async (found) => {
      const slots = ownSlots(found, functions, reached);
      if (slots.length === 0) return [];
      const tries = await Promise.all(callers.slice(0, CALLERS).map((caller) => works(found, slots, caller)));
      return tries.some((one) => one) ? [keyOf(found)] : [];
    }),
  );
  return new Set(spent.flat());
};
