import type { Hex } from "../../../lib/bytes.ts";
import type { DeployedFunction } from "./code_functions.ts";
import { ACTS_MAX } from "./later_states.ts";
import type { PowerTrials } from "./power_trials.ts";
import { keyOf, type TriedCall } from "./run_trials.ts";
import { STANDARD } from "./standard_functions.ts";
import { callsOf } from "./trial_arguments.ts";
import type { TrialAct } from "./trials.ts";

/** The calls that are played together, and those that are left out. */

/** Choices of arguments that are played, forwards and backwards: the later of two calls may undo the earlier one. */
const [ROUNDS, BACKWARD_ROUNDS] = [6, 3];
const [STANDARD_ROUNDS, STRANGER_ROUNDS] = [2, 3];
export const SEQUELS_MAX = 24;
const SEQUEL_CHOICES = 3;
/** Calls that leave the token without an owner. */
const [LEAVING_MAX, LEAVING_CHOICES] = [8, 6];
/** Functions that used up their gas and are called once with more of it, per caller. */
const HEAVY_MAX = 4;

export interface NamedAct {
  readonly found: DeployedFunction;
  readonly act: TrialAct;
}

/** A play with the functions of its calls. */
export interface ActedPlay {
  readonly caller: Hex;
  readonly acts: readonly NamedAct[];
  /** Each is one call, or two in order. */
  readonly sequels: readonly (readonly NamedAct[])[];
}

export interface SceneQuery {
  /** Without those whose effects are effects of other code. */
  readonly functions: readonly DeployedFunction[];
  readonly stranger: Hex;
  /** Null: the token has none, or has no view. */
  readonly owner: bigint | null;
}

const acceptedAmong = (tried: readonly TriedCall[]): ReadonlySet<Hex> =>
  new Set(tried.flatMap(({ found, is_accepted }) => (is_accepted ? [keyOf(found)] : [])));

export class LaterScenes {
  readonly #trials: PowerTrials;
  readonly #query: SceneQuery;

  constructor(trials: PowerTrials, query: SceneQuery) {
    this.#trials = trials;
    this.#query = query;
  }

  #triedBy(caller: Hex): readonly TriedCall[] {
    const playable = new Set(this.#query.functions.map(keyOf));
    return this.#trials.triedBy(caller).filter(({ found }) => playable.has(keyOf(found)));
  }

  /** One call of each function that used up its gas; those that accepted another call come first. */
  #heavyOf(tried: readonly TriedCall[]): readonly TriedCall[] {
    const accepting = acceptedAmong(tried);
    const heavy = tried.filter(({ found, is_used_up }) => is_used_up && !STANDARD.has(found.selector));
    const first = [...new Map([...heavy].reverse().map((one) => [keyOf(one.found), one] as const)).values()].reverse();
    const isAccepting = ({ found }: TriedCall): boolean => accepting.has(keyOf(found));
    return [...first.filter(isAccepting), ...first.filter((one) => !isAccepting(one))];
  }

  /** Functions of which it is unknown what they do with enough gas. */
  leftOutOf(caller: Hex, reached_later: ReadonlySet<Hex>): readonly Hex[] {
    const tried = this.#triedBy(caller);
    const reached = new Set([...acceptedAmong(tried), ...reached_later]);
    return this.#heavyOf(tried)
      .map(({ found }) => keyOf(found))
      .filter((key, i) => i >= HEAVY_MAX || !reached.has(key));
  }

  /** The likeliest come first. */
  of(caller: Hex): readonly ActedPlay[] {
    const all_tried = this.#triedBy(caller);
    const heavy = this.#heavyOf(all_tried);
    const tried = all_tried.filter(({ is_used_up }) => !is_used_up);
    const accepted = acceptedAmong(tried);
    const heavy_only = new Set(heavy.map(({ found }) => keyOf(found)).filter((key) => !accepted.has(key)));
    const { owner } = this.#query;
    const leaves = (one: TriedCall): boolean => one.is_accepted && one.owner !== owner && owner !== null;
    const quiet = tried.filter((one) => !one.has_effect && !leaves(one));
    const is_stranger = caller === this.#query.stranger;
    const [standard, own] = [true, false].map((is) => quiet.filter(({ found }) => STANDARD.has(found.selector) === is));
    const light = this.#query.functions.filter((one) => !STANDARD.has(one.selector) && !heavy_only.has(keyOf(one)));
    const blocked = this.sequels(
      light.filter((one) => !accepted.has(keyOf(one))),
      caller,
    );
    const rounds = this.#rounds(own ?? [], is_stranger ? STRANGER_ROUNDS : ROUNDS);
    const usual = [
      ...rounds,
      ...(is_stranger ? [] : rounds.slice(0, BACKWARD_ROUNDS).map((acts) => [...acts].reverse())),
    ];
    const left = this.#rounds(
      tried.filter((one) => leaves(one) && one.owner === 0n),
      LEAVING_CHOICES,
    ).flat();
    const all = this.sequels(light, caller);
    return [
      ...(heavy.length === 0 ? [] : [{ caller, acts: heavy.slice(0, HEAVY_MAX), sequels: [] }]),
      ...this.#parts(all).map((sequels) => ({ caller, acts: [], sequels })),
      ...left.slice(0, LEAVING_MAX).flatMap((one) =>
        this.#parts(all.filter(([call]) => call?.found !== one.found)).map((sequels) => ({
          caller,
          acts: [one],
          sequels,
        })),
      ),
      ...usual.map((acts) => ({ caller, acts, sequels: blocked.slice(0, SEQUELS_MAX) })),
      ...this.#rounds(standard ?? [], STANDARD_ROUNDS).map((acts) => ({ caller, acts, sequels: [] })),
    ];
  }

  sequels(functions: readonly DeployedFunction[], caller: Hex): readonly (readonly NamedAct[])[] {
    const setting = this.#trials.settingOf(caller);
    return functions.flatMap((found) =>
      callsOf(found, setting, SEQUEL_CHOICES).map((data) => [{ found, act: { to: found.at, data } }]),
    );
  }

  #parts<T>(items: readonly T[]): readonly (readonly T[])[] {
    return Array.from({ length: Math.ceil(items.length / SEQUELS_MAX) }, (_, i) =>
      items.slice(i * SEQUELS_MAX, (i + 1) * SEQUELS_MAX),
    );
  }

  /** The first choice of every function, then the second one, and so on; calls that were accepted come first. */
  #rounds(tried: readonly TriedCall[], count: number): readonly (readonly NamedAct[])[] {
    const by_function = new Map<Hex, TriedCall[]>();
    for (const one of [...tried].sort((a, b) => Number(b.is_accepted) - Number(a.is_accepted)))
      by_function.set(keyOf(one.found), [...(by_function.get(keyOf(one.found)) ?? []), one]);
    return Array.from({ length: count }, (_, i) =>
      [...by_function.values()].flatMap((calls) => calls[i] ?? []),
    ).flatMap((round) =>
      Array.from({ length: Math.ceil(round.length / ACTS_MAX) }, (_, part) =>
        round.slice(part * ACTS_MAX, (part + 1) * ACTS_MAX),
      ),
    );
  }
}
