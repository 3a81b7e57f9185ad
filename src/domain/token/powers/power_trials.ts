import type { Hex } from "../../../lib/bytes.ts";
import type { DeployedFunction } from "./code_functions.ts";
import { type Effect, effectsOf } from "./effects.ts";
import type { Power } from "./power.ts";
import {
  functionOf,
  isChanged,
  keyOf,
  type OneTrial,
  type RunTrial,
  silentAmong,
  type TriedCall,
} from "./run_trials.ts";
import type { SettingKeys } from "./setting_keys.ts";
import type { PreparedStage } from "./stage.ts";
import { RENOUNCE, STANDARD, TOTAL_SUPPLY, TRANSFER_FROM } from "./standard_functions.ts";
import { type ArgumentSetting, callsOf, TAKES_CALLS } from "./trial_arguments.ts";
import { runTrials, type Trial, type TrialAct, type TrialState } from "./trials.ts";

export interface PowerTrialsQuery {
  /** Those that may change something. */
  readonly functions: readonly DeployedFunction[];
  /** The likeliest first. */
  readonly callers: readonly Hex[];
  /** Identifiers of roles that the token names. */
  readonly roles: readonly Hex[];
  readonly keys: SettingKeys;
  /** Storage slots that `totalSupply()` reads. */
  readonly supply_slots: ReadonlySet<string>;
  readonly stranger: Hex;
  /** The address of zeros: a function that only it may call has lost its owner. */
  readonly zero: Hex;
}

/** Choices of arguments in the quick and in the thorough pass, at most and at least, and trials of a pass in all. */
const QUICK = { most: 5, least: 3, trials: 1_200 } as const;
const THOROUGH = { most: 44, least: 14, trials: 1_800 } as const;
/** Callers of the thorough pass. */
const THOROUGH_CALLERS = 3;
/** Setters and blocked functions that are tried in sequence. */
const [SETTERS_MAX, SEQUELS_MAX] = [12, 8];
const SEQUEL_CHOICES = 3;
const PAYLOADS_MAX = 10;
const PAYMENT = 10n ** 15n;

/** A code with many functions has fewer choices for each. */
const choicesFor = ({ most, least, trials }: typeof QUICK | typeof THOROUGH, calls: number): number =>
  Math.min(most, Math.max(least, Math.floor(trials / Math.max(1, calls))));

/** All trials of a token, from the quick pass of every caller to sequences of two calls. */
export class PowerTrials {
  readonly #prepared: PreparedStage;
  readonly #query: PowerTrialsQuery;
  readonly #run: RunTrial[] = [];
  readonly #bases = new Map<Hex, TrialState>();
  readonly #payloads = new Map<Hex, readonly { readonly found: DeployedFunction; readonly data: Hex }[]>();

  constructor(prepared: PreparedStage, query: PowerTrialsQuery) {
    this.#prepared = prepared;
    this.#query = query;
  }

  /** `silent`: functions that write the supply, accepted calls, and changed nothing: they may need a password. */
  async run(): Promise<{
    readonly powers: readonly Power[];
    readonly reached: ReadonlySet<Hex>;
    readonly silent: ReadonlySet<Hex>;
  }> {
    const { functions, callers, stranger, zero } = this.#query;
    const everyone = [...callers, stranger, zero];
    const quick = choicesFor(QUICK, functions.length * everyone.length);
    const thoroughly = choicesFor(THOROUGH, functions.length * THOROUGH_CALLERS);
    await Promise.all(everyone.map((caller) => this.#runAs(caller, this.#trialsOf(caller, functions, [0, quick]))));
    const thorough = this.ablest(THOROUGH_CALLERS);
    const deep = (caller: Hex, which: readonly DeployedFunction[]) =>
      this.#runAs(caller, this.#trialsOf(caller, which, [quick, thoroughly]));
    await Promise.all(thorough.map((caller) => deep(caller, functions)));
    const missed = functions.filter((one) => !this.#reached([...callers, stranger]).has(keyOf(one)));
    await Promise.all([stranger, zero].map((caller) => deep(caller, missed)));
    await Promise.all([...thorough, zero].map((caller) => this.#runAs(caller, this.#sequencesOf(caller))));
    // A caller without a measured state was not tried: the node ran none of its trials.
    const is_whole = everyone.every((caller) => this.#bases.has(caller));
    const reached = is_whole ? this.#reached(everyone) : new Set<Hex>();
    return { powers: await this.#powers(), reached, silent: this.#silent() };
  }

  #silent(): ReadonlySet<Hex> {
    const { functions, supply_slots } = this.#query;
    const writers = functions.filter(({ writes, selector }) => !STANDARD.has(selector) && writes.size > 0);
    const of_supply = writers.filter(({ writes }) => [...writes].some((slot) => supply_slots.has(slot)));
    return silentAmong(of_supply.map(keyOf), this.#run, (one) => this.#isChange(one));
  }

  #isChange({ caller, result }: RunTrial): boolean {
    return isChanged(this.#bases.get(caller), result);
  }

  /** Single calls without a payment, in the order of the choices. */
  triedBy(caller: Hex): readonly TriedCall[] {
    return this.#run.flatMap((one): TriedCall[] => {
      const { found, after, acts, result } = one;
      const [act] = acts;
      if (one.caller !== caller || after !== null || act === undefined || act.value !== undefined) return [];
      const has_effect = this.#effectsOf(one).length > 0;
      const is_accepted = result !== null;
      return [{ found, act, is_accepted, is_used_up: one.is_used_up, has_effect, owner: result?.owner ?? null }];
    });
  }

  /** Callers that can do more than a stranger come first. */
  ablest(count: number): readonly Hex[] {
    const { callers, stranger } = this.#query;
    const open = this.#reachedBy(stranger);
    const able = callers.filter((caller) => [...this.#reachedBy(caller)].some((key) => !open.has(key)));
    return [...new Set([...able, ...callers])].slice(0, count);
  }

  /** Accounts and amounts for the arguments of a caller's trials. */
  settingOf(caller: Hex): ArgumentSetting {
    const makes_calls = this.#query.functions.some(({ types }) => TAKES_CALLS.test(types));
    // A view is always accepted.
    const payloads = makes_calls ? [TOTAL_SUPPLY, ...this.#payloadsOf(caller).map(({ data }) => data)] : [];
    return this.#settingWith(caller, payloads);
  }

  /** A call of each function that a function which makes calls may be given. */
  #payloadsOf(caller: Hex): readonly { readonly found: DeployedFunction; readonly data: Hex }[] {
    const known = this.#payloads.get(caller);
    if (known !== undefined) return known;
    const setting = this.#settingWith(caller, []);
    const called = this.#query.functions.filter(({ selector }) => selector.length > 0 && !STANDARD.has(selector));
    const payloads = called.flatMap((found) => callsOf(found, setting, 1).map((data) => ({ found, data })));
    this.#payloads.set(caller, payloads.slice(0, PAYLOADS_MAX));
    return payloads.slice(0, PAYLOADS_MAX);
  }

  #settingWith(caller: Hex, payloads: readonly Hex[]): ArgumentSetting {
    const { stage, ground, before } = this.#prepared;
    const { token, victim, other, friend, payee, marker } = stage;
    const { roles, keys } = this.#query;
    return {
      ...{ token, caller, victim, other, friend, payee, marker, roles, keys, payloads },
      supply: before.supply ?? 0n,
      balance: before.victim ?? 0n,
      time: ground.state.block.time,
    };
  }

  #trialsOf(
    caller: Hex,
    functions: readonly DeployedFunction[],
    [from, to]: readonly [number, number],
  ): readonly OneTrial[] {
    const setting = this.settingOf(caller);
    return functions.flatMap((found) => {
      const acts = callsOf(found, setting, to)
        .slice(from)
        .map((data): TrialAct => ({ to: found.at, data }));
      const [first] = acts;
      const paid = found.is_payable && from === 0 && first !== undefined ? [{ ...first, value: PAYMENT }] : [];
      return [...acts, ...paid].map((act) => ({ found, after: null, acts: [act] }));
    });
  }

  /**
   * Calls that a first call of the same caller makes possible: after giving up ownership, and after calls that name the
   * caller or need no arguments. The second one is a function that rejected every trial, or takes coins of a holder.
   */
  #sequencesOf(caller: Hex): readonly OneTrial[] {
    const { functions } = this.#query;
    const own = this.#run.filter((one) => one.caller === caller && one.after === null && one.result !== null);
    const reached = this.#reachedBy(caller);
    const heavy = new Set(this.triedBy(caller).flatMap((one) => (one.is_used_up ? [keyOf(one.found)] : [])));
    const blocked = functions.filter((one) => !reached.has(keyOf(one)) && !heavy.has(keyOf(one))).slice(0, SEQUELS_MAX);
    const taking = functions.filter(({ selector }) => selector === TRANSFER_FROM);
    const isSetter = ({ found, acts: [act] }: RunTrial): boolean =>
      !STANDARD.has(found.selector) && (found.types === "" || act?.data.includes(caller) === true);
    const setters = own.filter(isSetter).slice(0, SETTERS_MAX);
    const renounced = own.filter(({ found }) => found.selector === RENOUNCE).slice(0, 1);
    const after = (first: RunTrial, which: readonly DeployedFunction[]): readonly OneTrial[] =>
      this.#trialsOf(caller, which, [0, SEQUEL_CHOICES]).map(({ found, acts }) => ({
        ...{ found, after: first.found, acts: [...first.acts, ...acts] },
      }));
    return [
      ...renounced.flatMap((first) =>
        after(
          first,
          functions.filter(({ selector }) => selector !== RENOUNCE),
        ),
      ),
      ...setters.flatMap((first) => after(first, [...blocked, ...taking])),
    ];
  }

  async #runAs(caller: Hex, trials: readonly OneTrial[]): Promise<void> {
    const has_base = this.#bases.has(caller);
    const asked = [...(has_base ? [] : [[]]), ...trials.map(({ acts }) => acts)];
    if (asked.length === 0) return;
    const { ground, stage } = this.#prepared;
    const used_up = new Set<Trial>();
    const onUsedUp = (trial: Trial): void => void used_up.add(trial);
    const results = await runTrials({ ...ground, onUsedUp }, { ...stage, caller }, asked);
    const [base] = has_base ? [null] : results;
    if (base !== null && base !== undefined) this.#bases.set(caller, base);
    const answers = has_base ? results : results.slice(1);
    const resultOf = (one: OneTrial, i: number): RunTrial => ({
      ...{ ...one, caller, result: answers[i] ?? null, is_used_up: used_up.has(one.acts) },
    });
    this.#run.push(...trials.map(resultOf));
  }

  #reachedBy(caller: Hex): ReadonlySet<Hex> {
    return this.#reached([caller]);
  }

  #reached(callers: readonly Hex[]): ReadonlySet<Hex> {
    const of_them = this.#run.filter(({ caller, result }) => result !== null && callers.includes(caller));
    return new Set(of_them.flatMap((one) => [keyOf(one.found), ...this.#calledInside(one)]));
  }

  /** Functions that the token called in itself, with an effect. */
  #calledInside(one: RunTrial): readonly Hex[] {
    if (!TAKES_CALLS.test(one.found.types) || !this.#isChange(one)) return [];
    const inner = this.#payloadsOf(one.caller).filter(
      ({ found, data }) => found !== one.found && one.acts.some((act) => act.data.includes(data)),
    );
    return inner.map(({ found }) => keyOf(found));
  }

  #effectsOf({ caller, after, result }: RunTrial): readonly Effect[] {
    const before = this.#bases.get(caller) ?? this.#prepared.before;
    if (result === null) return [];
    const effects = effectsOf(before, result, caller);
    // Ownership was given up first: any owner after it is a return.
    if (after?.selector !== RENOUNCE) return effects;
    const is_back = result.owner !== null && result.owner !== 0n;
    return [
      ...effects.filter(({ kind }) => kind !== "takes_ownership"),
      ...(is_back ? [{ kind: "takes_ownership" as const, percent: null }] : []),
    ];
  }

  /** One power of each kind and function, with the highest tax; calls that a stranger may make too have no caller. */
  async #powers(): Promise<readonly Power[]> {
    const { stranger, callers } = this.#query;
    const rank = (caller: Hex): number => (caller === stranger ? callers.length : callers.indexOf(caller));
    const all = this.#run
      .filter(({ caller }) => caller === stranger || callers.includes(caller))
      .flatMap((one) => this.#effectsOf(one).map((effect) => ({ one, effect })));
    // Other effects of such a function are effects of the code that it was given.
    const replacing = new Set(
      all.flatMap(({ one, effect }) => (effect.kind === "replaces_code" ? keyOf(one.found) : [])),
    );
    const effective = all
      .filter(({ one, effect }) => {
        const functions = [one.found, ...(one.after === null ? [] : [one.after])];
        return effect.kind === "replaces_code" || !functions.some((found) => replacing.has(keyOf(found)));
      })
      .sort((a, b) => (b.effect.percent ?? 0) - (a.effect.percent ?? 0) || rank(a.one.caller) - rank(b.one.caller));
    const first = new Map(
      [...effective].reverse().map((item) => [`${item.effect.kind} ${keyOf(item.one.found)}`, item] as const),
    );
    const kept = [...first.values()].reverse();
    const { payee } = this.#prepared.stage;
    const others = new Set(
      effective
        .filter(({ one }) => !one.acts.some(({ data }) => data.includes(payee)))
        .map(({ one, effect }) => `${effect.kind} ${keyOf(one.found)}`),
    );
    const repeated = kept.map(({ one }) => one.acts);
    const { ground, stage } = this.#prepared;
    const as_stranger = repeated.length === 0 ? [] : await runTrials(ground, { ...stage, caller: stranger }, repeated);
    return kept.flatMap(({ one, effect }, i): Power[] => {
      const result = as_stranger[i] ?? null;
      const effects = this.#effectsOf({ ...one, caller: stranger, result });
      const is_open = effects.some(({ kind }) => kind === effect.kind);
      const is_paid = one.acts.some(({ value = 0n }) => value > 0n);
      // Everyone gets coins for a payment that backs them: wrapped ones are created so.
      if (effect.kind === "mints" && is_open && is_paid) return [];
      const after = one.after === null ? null : functionOf(one.after);
      const names_pool = !others.has(`${effect.kind} ${keyOf(one.found)}`);
      return [
        { ...effect, by: functionOf(one.found), after, names_pool, caller: is_open ? null : one.caller, wait: null },
      ];
    });
  }
}
