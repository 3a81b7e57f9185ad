import type { Hex } from "../../../lib/bytes.ts";
import type { DeployedFunction } from "./code_functions.ts";
import { type Effect, type EffectKind, effectsOf } from "./effects.ts";
import { type ActedPlay, LaterScenes, type NamedAct, SEQUELS_MAX } from "./later_scenes.ts";
import { type LaterMoment, type LaterPlay, playLater } from "./later_states.ts";
import type { Power, PowerWait } from "./power.ts";
import type { PowerTrials } from "./power_trials.ts";
import { functionOf, keyOf } from "./run_trials.ts";
import type { PreparedStage } from "./stage.ts";
import { STANDARD } from "./standard_functions.ts";
import type { Trial, TrialAct } from "./trials.ts";

/**
 * Powers that act later than their call, that can be used later only, or that only accounts without code have. Many calls are
 * played together; where the token is different afterwards, the calls that made the difference are searched for.
 */

export interface LaterQuery {
  readonly functions: readonly DeployedFunction[];
  readonly callers: readonly Hex[];
  readonly stranger: Hex;
  /** Kinds of effects that are proved already. */
  readonly known: ReadonlySet<EffectKind>;
}

const CALLERS_MAX = 3;
const PLAYS_MAX = 48;
/** Gas of the plays that search for effects; the first ones show how much a play uses. Ordinary tokens use a tenth of it. */
const GAS_MAX = 600_000_000;
const FIRST_PLAYS = 8;

/** An effect that a scene shows and the same time without its calls does not. */
interface Sighting {
  readonly scene: ActedPlay;
  readonly effect: Effect;
  readonly moment: number;
  /** Null: without a further call. */
  readonly sequel: number | null;
}

export interface LaterFindings {
  readonly powers: readonly Power[];
  /** Functions that accepted a call, in a later block or of an account without code. */
  readonly reached: ReadonlySet<Hex>;
  /** Functions that used up their gas, also with more of it, and functions for whose plays there was not enough. */
  readonly left_out: ReadonlySet<Hex>;
}

const actOf = ({ act }: NamedAct): TrialAct => act;

/** The smallest number from `low` to `high` that passes, if all numbers above it pass too. */
const leastThat = async (low: number, high: number, passes: (n: number) => Promise<boolean>): Promise<number> => {
  if (low >= high) return high;
  const middle = Math.floor((low + high) / 2);
  return (await passes(middle)) ? leastThat(low, middle, passes) : leastThat(middle + 1, high, passes);
};

export class LaterTrials {
  readonly #prepared: PreparedStage;
  readonly #trials: PowerTrials;
  readonly #query: LaterQuery;
  readonly #scenes: LaterScenes;
  readonly #bases = new Map<Hex, Promise<readonly LaterMoment[]>>();
  #gas = 0;
  /** Functions that accepted a call, by caller. */
  readonly #reached = new Map<Hex, Set<Hex>>();

  constructor(prepared: PreparedStage, trials: PowerTrials, query: LaterQuery) {
    this.#prepared = prepared;
    this.#trials = trials;
    this.#query = query;
    const { functions, stranger } = query;
    this.#scenes = new LaterScenes(trials, { functions, stranger, owner: prepared.before.owner });
  }

  async run(): Promise<LaterFindings> {
    const { stranger, known } = this.#query;
    const callers = [...this.#trials.ablest(CALLERS_MAX), stranger];
    const of_each = callers.map((caller) => this.#scenes.of(caller));
    const most = Math.max(...of_each.map((scenes) => scenes.length));
    // The likeliest scenes of every account come first.
    const scenes = Array.from({ length: most }, (_, i) => of_each.flatMap((own) => own[i] ?? [])).flat();
    const play = async (some: readonly ActedPlay[]): Promise<readonly Sighting[]> =>
      (await Promise.all(some.map((scene) => this.#sightingsIn(scene)))).flat();
    const first = await play(scenes.slice(0, FIRST_PLAYS));
    const affordable = Math.floor((GAS_MAX * FIRST_PLAYS) / Math.max(1, this.#gas));
    const end = Math.min(PLAYS_MAX, Math.max(FIRST_PLAYS, affordable));
    const seen = [...first, ...(await play(scenes.slice(FIRST_PLAYS, end)))];
    const skipped = scenes.slice(end, PLAYS_MAX).flatMap(({ acts, sequels }) => [...acts, ...sequels.flat()]);
    const back = seen.find(({ effect, sequel }) => effect.kind === "takes_ownership" && sequel !== null);
    const regained = back === undefined ? [] : await this.#sightingsIn(this.#afterReturn(back));
    const found: Power[] = [];
    const kinds = new Set(known);
    // The highest tax of all.
    const ranked = [...seen, ...regained].sort((a, b) => (b.effect.percent ?? 0) - (a.effect.percent ?? 0));
    for (const one of ranked) {
      if (kinds.has(one.effect.kind)) continue;
      const power = await this.#powerOf(one);
      if (power === null) continue;
      kinds.add(one.effect.kind);
      found.push(power);
    }
    const heavy = callers.flatMap((caller) => this.#scenes.leftOutOf(caller, this.#reached.get(caller) ?? new Set()));
    const reached = new Set([...this.#reached.values()].flatMap((own) => [...own]));
    const left_out = new Set([...heavy, ...skipped.map((one) => keyOf(one.found))]);
    return { powers: found, reached, left_out };
  }

  async #play({ caller, acts, sequels }: ActedPlay): Promise<readonly LaterMoment[]> {
    const play: LaterPlay = { caller, acts: acts.map(actOf), sequels: sequels.map((calls): Trial => calls.map(actOf)) };
    const { accepted, moments, gas } = await playLater(this.#prepared, play);
    this.#gas += gas;
    const called = acts.filter((_, i) => accepted[i] === true);
    const later = sequels.filter((_, i) => moments.some((moment) => (moment.sequels[i] ?? null) !== null));
    const own = this.#reached.get(caller) ?? [];
    this.#reached.set(caller, new Set([...own, ...[...called, ...later.flat()].map(({ found }) => keyOf(found))]));
    return moments;
  }

  #baseOf(caller: Hex): Promise<readonly LaterMoment[]> {
    const known = this.#bases.get(caller) ?? this.#play({ caller, acts: [], sequels: [] });
    this.#bases.set(caller, known);
    return known;
  }

  /** Calls of an owner that became the owner again. */
  #afterReturn({ scene, sequel }: Sighting): ActedPlay {
    const { caller, acts, sequels } = scene;
    const first = sequels[sequel ?? 0] ?? [];
    const own = this.#query.functions.filter(
      (one) => !STANDARD.has(one.selector) && !first.some(({ found }) => found === one),
    );
    const next = this.#scenes.sequels(own, caller).map((calls) => [...first, ...calls]);
    return { caller, acts, sequels: next.slice(0, SEQUELS_MAX) };
  }

  async #sightingsIn(scene: ActedPlay): Promise<readonly Sighting[]> {
    const [base, played] = await Promise.all([this.#baseOf(scene.caller), this.#play(scene)]);
    return played.flatMap(({ state, sequels }, moment) => {
      const before = base[moment]?.state ?? null;
      if (before === null || state === null) return [];
      const left_by = this.#prepared.before.owner !== 0n && state.owner === 0n;
      return [state, ...sequels].flatMap((result, i): Sighting[] => {
        if (result === null || result === undefined) return [];
        const effects = effectsOf(before, result, scene.caller).filter(({ kind }) => kind !== "takes_ownership");
        const is_back = i > 0 && state.owner === 0n && result.owner !== 0n && result.owner !== null;
        const mine = left_by || result.owner === BigInt(`0x${scene.caller}`);
        const all = [...effects, ...(is_back && mine ? [{ kind: "takes_ownership" as const, percent: null }] : [])];
        return all
          .filter(({ kind }) => !this.#query.known.has(kind))
          .map((effect) => ({ scene, effect, moment, sequel: i === 0 ? null : i - 1 }));
      });
    });
  }

  /** The same effect with other calls, or as another account. */
  async #shows({ effect, moment, sequel }: Sighting, scene: ActedPlay): Promise<boolean> {
    const seen = await this.#sightingsIn(scene);
    return seen.some(
      (one) => one.effect.kind === effect.kind && one.moment === moment && (one.sequel === null) === (sequel === null),
    );
  }

  /** The fewest calls with the effect; null when it does not repeat. */
  async #powerOf(sighting: Sighting): Promise<Power | null> {
    const { scene, effect, sequel, moment } = sighting;
    const { caller } = scene;
    const sequels = scene.sequels.filter((_, i) => i === sequel);
    const withActs = (acts: readonly NamedAct[]): Promise<boolean> => this.#shows(sighting, { caller, acts, sequels });
    const end = await leastThat(0, scene.acts.length, (n) => withActs(scene.acts.slice(0, n)));
    const skipped = await leastThat(0, end, async (n) => !(await withActs(scene.acts.slice(n, end))));
    const acts = scene.acts.slice(Math.max(0, skipped - 1), end);
    if (!(await withActs(acts))) return null;
    const calls = [...acts, ...(sequels[0] ?? [])];
    const [by, after = null] = [...calls].reverse();
    const at = (await this.#baseOf(caller))[moment];
    if (by === undefined || at === undefined) return null;
    const { stranger } = this.#query;
    const is_open = caller === stranger || (await this.#shows(sighting, { caller: stranger, acts, sequels }));
    const wait: PowerWait = { blocks: at.blocks, days: at.days, is_before_call: sequel !== null };
    return {
      ...effect,
      by: functionOf(by.found),
      after: after === null ? null : functionOf(after.found),
      names_pool: calls.some(({ act }) => act.data.includes(this.#prepared.stage.payee)),
      caller: is_open ? null : caller,
      wait,
    };
  }
}
