/** One transaction of a generated chain: its call, logs and inner calls. */
import type { Draws } from "./draws.ts";
import { digitsOf, type MadeLog } from "./made_log.ts";
import type { ReplayMarket } from "./market.ts";

export interface ReplayFrame {
  readonly type: "CALL" | "STATICCALL" | "DELEGATECALL" | "CREATE" | "CREATE2";
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly input: string;
  readonly output: string;
}

export interface ReplayAct {
  /** Null: a contract is created. */
  readonly to: string | null;
  readonly value: bigint;
  /** Hex digits. */
  readonly input: string;
  readonly logs: readonly MadeLog[];
  /** Below the outermost call, flat. */
  readonly frames: readonly ReplayFrame[];
  readonly succeeded?: false;
}

/** The acting account, and its world. */
export interface ReplayActor {
  readonly draws: Draws;
  readonly market: ReplayMarket;
  readonly sender: string;
  /** Address of the contract that this transaction would create. */
  readonly made: string;
}

export const frameOf = (type: ReplayFrame["type"], from: string, to: string, draws: Draws): ReplayFrame => ({
  ...{ type, from, to, value: 0n },
  input: `0x${draws.bytes(type === "STATICCALL" ? 36 : 100)}`,
  output: `0x${digitsOf(1n)}`,
});
