import { type Hex, hex, toHex } from "../../../lib/bytes.ts";
import type { SimulationState } from "../simulation/market.ts";
import type { DeployedFunction, StoredValue } from "./code_functions.ts";
import { keyOf } from "./run_trials.ts";
import type { PreparedStage } from "./stage.ts";
import { HOLDER_FUNCTIONS } from "./standard_functions.ts";
import { type ArgumentSetting, callsOf } from "./trial_arguments.ts";
import { runTrials, type Trial } from "./trials.ts";

/**
 * Functions that worked once and never will again: each rejects every call because of a value in storage, accepts one where
 * that value is taken away, and no other function takes it away. Setting a pool, opening trading once, and minting that was
 * finished are such functions.
 */

const CHOICES = 3;
const CALLERS = 3;
/** Values of one function, and functions that write one of them, to look at. */
const [VALUES_MAX, WRITERS_MAX] = [4, 4];
const WORD_HEX = 64;

/** The word at a value's slot without the value. */
const cleared = (word: Hex, { offset, size }: StoredValue): Hex => {
  const end = WORD_HEX - 2 * offset;
  return hex(word.slice(0, end - 2 * size) + "00".repeat(size) + word.slice(end));
};

export interface SpentQuery {
  readonly functions: readonly DeployedFunction[];
  readonly reached: ReadonlySet<Hex>;
  readonly callers: readonly Hex[];
  readonly settingOf: (caller: Hex) => ArgumentSetting;
}

/** Transfers set no switches. */
const writersOf = (value: StoredValue, { functions, reached }: SpentQuery): readonly DeployedFunction[] =>
  functions.filter(
    (one) => one.writes.has(value.key) && reached.has(keyOf(one)) && !HOLDER_FUNCTIONS.has(one.selector),
  );

class SpentTrials {
  readonly #prepared: PreparedStage;
  readonly #query: SpentQuery;

  constructor(prepared: PreparedStage, query: SpentQuery) {
    this.#prepared = prepared;
    this.#query = query;
  }

  #callsOf(found: DeployedFunction, caller: Hex): readonly Trial[] {
    const calls = callsOf(found, this.#query.settingOf(caller), CHOICES);
    return calls.map((data) => [{ to: found.at, data }]);
  }

  async #isAny(
    caller: Hex,
    trials: readonly Trial[],
    value: { at: Hex; slot: Hex; word: Hex } | null,
  ): Promise<boolean> {
    const { ground, stage } = this.#prepared;
    const storage = value === null ? [] : [{ address: value.at, storage: { [value.slot]: value.word } }];
    const results = await runTrials({ ...ground, extra: [...ground.extra, ...storage] }, { ...stage, caller }, trials);
    return results.some((result) => result !== null && result !== undefined);
  }

  /** Some caller can use the function where the value is not there. */
  async #worksWithout(found: DeployedFunction, value: StoredValue, word: Hex): Promise<boolean> {
    const without = { at: found.at, slot: value.slot, word: cleared(word, value) };
    const callers = this.#query.callers.slice(0, CALLERS);
    const tries = await Promise.all(
      callers.map((caller) => this.#isAny(caller, this.#callsOf(found, caller), without)),
    );
    return tries.some((one) => one);
  }

  /** Some caller can use the function after a call of another one that writes the value. */
  async #worksAfter(found: DeployedFunction, writers: readonly DeployedFunction[]): Promise<boolean> {
    const callers = this.#query.callers.slice(0, CALLERS);
    const tries = await Promise.all(
      callers.map((caller) => {
        const trials = writers
          .slice(0, WRITERS_MAX)
          .flatMap((writer) => this.#callsOf(writer, caller))
          .flatMap((first) => this.#callsOf(found, caller).map((next) => [...first, ...next]));
        return trials.length === 0 ? false : this.#isAny(caller, trials, null);
      }),
    );
    return tries.some((one) => one);
  }

  async isSpent(state: SimulationState, found: DeployedFunction): Promise<boolean> {
    const { chain, block, signal } = state;
    for (const value of found.values.slice(0, VALUES_MAX)) {
      const word = toHex(await chain.storage({ address: found.at, slot: value.slot }, signal, block.number));
      if (word === cleared(word, value) || !(await this.#worksWithout(found, value, word))) continue;
      const writers = writersOf(value, this.#query);
      return !(await this.#worksAfter(found, writers));
    }
    return false;
  }
}

/** Keys of such functions among those that were not reached. */
export const spentFunctions = async (prepared: PreparedStage, query: SpentQuery): Promise<ReadonlySet<Hex>> => {
  const trials = new SpentTrials(prepared, query);
  const missed = query.functions.filter((one) => !query.reached.has(keyOf(one)));
  const spent = await Promise.all(
    missed.map(async (found) => ((await trials.isSpent(prepared.ground.state, found)) ? [keyOf(found)] : [])),
  );
  return new Set(spent.flat());
};
