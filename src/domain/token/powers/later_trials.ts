import type { Hex } from "../../../lib/bytes.ts";
import type { DeployedFunction } from "./code_functions.ts";
import { type Effect, type EffectKind, effectsOf } from "./effects.ts";
import { ACTS_MAX, type LaterMoment, type LaterPlay, playLater } from "./later_states.ts";
import type { Power, PowerWait } from "./power.ts";
import type { PowerTrials } from "./power_trials.ts";
import { functionOf, keyOf, type TriedCall } from "./run_trials.ts";
import type { PreparedStage } from "./stage.ts";
import { STANDARD } from "./standard_functions.ts";
import { callsOf } from "./trial_arguments.ts";
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
/** Choices of arguments that are played, forwards and backwards: the later of two calls may undo the earlier one. */
const [ROUNDS, BACKWARD_ROUNDS] = [6, 3];
const [STANDARD_ROUNDS, STRANGER_ROUNDS] = [2, 3];
const SEQUELS_MAX = 24;
const SEQUEL_CHOICES = 3;
/** Calls that leave the token without an owner. */
const [LEAVING_MAX, LEAVING_CHOICES] = [8, 6];
const PLAYS_MAX = 48;

interface NamedAct {
  readonly found: DeployedFunction;
  readonly act: TrialAct;
}

/** A play with the functions of its calls. */
interface ActedPlay {
  readonly caller: Hex;
  readonly acts: readonly NamedAct[];
  /** Each is one call, or two in order. */
  readonly sequels: readonly (readonly NamedAct[])[];
}

/** An effect that a scene shows and the same time without its calls does not. */
interface Sighting {
  readonly scene: ActedPlay;
  readonly effect: Effect;
  readonly moment: number;
  /** Null: without a further call. */
  readonly sequel: number | null;
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
  readonly #bases = new Map<Hex, Promise<readonly LaterMoment[]>>();
  readonly #reached = new Set<Hex>();

  constructor(prepared: PreparedStage, trials: PowerTrials, query: LaterQuery) {
    this.#prepared = prepared;
    this.#trials = trials;
    this.#query = query;
  }

  /** `reached`: functions that accepted a call, in a later block or of an account without code. */
  async run(): Promise<{ readonly powers: readonly Power[]; readonly reached: ReadonlySet<Hex> }> {
    const { stranger, known } = this.#query;
    const callers = this.#trials.ablest(CALLERS_MAX);
    const of_each = [...callers, stranger].map((caller) => this.#scenesOf(caller));
    const most = Math.max(...of_each.map((scenes) => scenes.length));
    // The likeliest scenes of every account come first.
    const scenes = Array.from({ length: most }, (_, i) => of_each.flatMap((own) => own[i] ?? [])).flat();
    const seen = (await Promise.all(scenes.slice(0, PLAYS_MAX).map((scene) => this.#sightingsIn(scene)))).flat();
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
    return { powers: found, reached: this.#reached };
  }

  async #play({ caller, acts, sequels }: ActedPlay): Promise<readonly LaterMoment[]> {
    const play: LaterPlay = { caller, acts: acts.map(actOf), sequels: sequels.map((calls): Trial => calls.map(actOf)) };
    const { accepted, moments } = await playLater(this.#prepared, play);
    const called = acts.filter((_, i) => accepted[i] === true);
    const later = sequels.filter((_, i) => moments.some((moment) => (moment.sequels[i] ?? null) !== null));
    for (const { found } of [...called, ...later.flat()]) this.#reached.add(keyOf(found));
    return moments;
  }

  #baseOf(caller: Hex): Promise<readonly LaterMoment[]> {
    const known = this.#bases.get(caller) ?? this.#play({ caller, acts: [], sequels: [] });
    this.#bases.set(caller, known);
    return known;
  }

  #scenesOf(caller: Hex): readonly ActedPlay[] {
    const playable = new Set(this.#query.functions.map(keyOf));
    const tried = this.#trials.triedBy(caller).filter(({ found }) => playable.has(keyOf(found)));
    const { owner } = this.#prepared.before;
    const leaves = (one: TriedCall): boolean => one.is_accepted && one.owner !== owner && owner !== null;
    const quiet = tried.filter((one) => !one.has_effect && !leaves(one));
    const is_stranger = caller === this.#query.stranger;
    const [standard, own] = [true, false].map((is) => quiet.filter(({ found }) => STANDARD.has(found.selector) === is));
    const blocked = this.#sequels(this.#blockedFor(tried), caller);
    const rounds = this.#rounds(own ?? [], is_stranger ? STRANGER_ROUNDS : ROUNDS);
    const usual = [
      ...rounds,
      ...(is_stranger ? [] : rounds.slice(0, BACKWARD_ROUNDS).map((acts) => [...acts].reverse())),
    ];
    const left = this.#rounds(
      tried.filter((one) => leaves(one) && one.owner === 0n),
      LEAVING_CHOICES,
    ).flat();
    const all = this.#sequels(
      this.#query.functions.filter(({ selector }) => !STANDARD.has(selector)),
      caller,
    );
    return [
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

  #blockedFor(tried: readonly TriedCall[]): readonly DeployedFunction[] {
    const accepted = new Set(tried.filter(({ is_accepted }) => is_accepted).map(({ found }) => keyOf(found)));
    return this.#query.functions.filter((one) => !accepted.has(keyOf(one)) && !STANDARD.has(one.selector));
  }

  #sequels(functions: readonly DeployedFunction[], caller: Hex): readonly (readonly NamedAct[])[] {
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

  /** Calls of an owner that became the owner again. */
  #afterReturn({ scene, sequel }: Sighting): ActedPlay {
    const { caller, acts, sequels } = scene;
    const first = sequels[sequel ?? 0] ?? [];
    const own = this.#query.functions.filter(
      (one) => !STANDARD.has(one.selector) && !first.some(({ found }) => found === one),
    );
    const next = this.#sequels(own, caller).map((calls) => [...first, ...calls]);
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
