import { concatHex, type Hex } from "../../../lib/bytes.ts";
import type { DeployedFunction } from "./code_functions.ts";
import type { PowerFunction } from "./power.ts";
import type { Trial, TrialAct, TrialResult, TrialState } from "./trials.ts";

/** Trials with their functions and results. Pure. */

export interface OneTrial {
  readonly found: DeployedFunction;
  readonly after: DeployedFunction | null;
  readonly acts: Trial;
}

export interface RunTrial extends OneTrial {
  readonly caller: Hex;
  readonly result: TrialResult;
  /** It was rejected because it used up its gas, or left out because others of its function did. */
  readonly is_used_up: boolean;
}

/** One call of a trial. */
export interface TriedCall {
  readonly found: DeployedFunction;
  readonly act: TrialAct;
  readonly is_accepted: boolean;
  /** It used up its gas. */
  readonly is_used_up: boolean;
  readonly has_effect: boolean;
  /** Null: rejected, or there is no view. */
  readonly owner: bigint | null;
}

export const functionOf = ({ at, selector, types }: DeployedFunction): PowerFunction => ({ at, selector, types });

/** Names a function of one of several contracts. */
export const keyOf = ({ at, selector }: Pick<DeployedFunction, "at" | "selector">): Hex => concatHex(at, selector);

/** `before`: without a call. */
export const isChanged = (before: TrialState | undefined, result: TrialResult): boolean => {
  if (result === null || before === undefined) return false;
  return (Object.keys(before) as readonly (keyof TrialState)[]).some((name) => result[name] !== before[name]);
};

/** The last argument is 0. */
const NOTHING = /0{64}$/;

/** Functions that accepted calls, none of which changed anything. To mint nothing is accepted at the limit of the supply. */
export const silentAmong = (
  keys: readonly Hex[],
  run: readonly RunTrial[],
  isChange: (one: RunTrial) => boolean,
): ReadonlySet<Hex> => {
  const isOfSome = ({ acts, result }: RunTrial): boolean =>
    result !== null && acts.every(({ data }) => !NOTHING.test(data));
  const keysOf = (which: (one: RunTrial) => boolean): ReadonlySet<Hex> =>
    new Set(run.filter(which).map(({ found }) => keyOf(found)));
  const [accepted, changing] = [keysOf(isOfSome), keysOf(isChange)];
  return new Set(keys.filter((key) => accepted.has(key) && !changing.has(key)));
};
