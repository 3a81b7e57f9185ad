import type { Hex } from "../../../lib/bytes.ts";
import type { Effect } from "./effects.ts";

/** Powers over a token that were proved by using them in a simulation. */

/** A function of the token, or of a contract that decides over its transfers. */
export interface PowerFunction {
  readonly at: Hex;
  readonly selector: Hex;
  /** Inferred argument types. */
  readonly types: string;
}

export interface Power extends Effect {
  readonly by: PowerFunction;
  /** The call that had to come first; null when none had to. */
  readonly after: PowerFunction | null;
  /**
   * Every call with this effect named the pool. Sales then also stop where a fee cannot be paid to it, so the effect may be an
   * accident of the argument.
   */
  readonly names_pool: boolean;
  /** Null: any account can. */
  readonly caller: Hex | null;
  /** The time until the effect; null when it came at once. */
  readonly wait: PowerWait | null;
}

export interface PowerWait {
  readonly blocks: number;
  /** 0: as long as the blocks take. */
  readonly days: number;
  /** True: the call is made after it. False: the effect comes after it. */
  readonly is_before_call: boolean;
}

export interface PowersFound {
  readonly powers: readonly Power[];
  /** Functions that rejected every trial, and that may change what holders can do. */
  readonly unreached: readonly PowerFunction[];
  /** Contracts without whose consent nothing can be sold or transferred. */
  readonly judges: readonly Hex[];
  /** The node played later blocks: without them, powers that act later than their call are unknown. */
  readonly is_played_later: boolean;
  /** Number of functions that were tried. */
  readonly tried: number;
  /** Accounts that were tried as callers. */
  readonly callers: readonly Hex[];
  /** The block whose state was tried. */
  readonly block: number;
}

/** Why no function was tried. */
export type NoPowers = "no_overrides" | "no_functions" | "no_holders" | "not_run";
