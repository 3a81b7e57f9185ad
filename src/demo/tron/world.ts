/**
 * The demo world of Tron: contracts on a local machine behind the API of java-tron, with three months of scripted
 * history.
 */
import type { Hex } from "../../lib/bytes.ts";
import { type EvmScenarioChain, openScenarioChain } from "../evm/scenario_chain.ts";
import type { Facade } from "./facade.ts";
import { startTronNode } from "./node.ts";
import { runScenario } from "./scenario.ts";

export interface TronDemoWorld {
  readonly url: string;
  readonly facade: Facade;
  readonly stage: EvmScenarioChain;
  readonly head: { readonly number: number; readonly hash: Hex };
  /** Id of a block; null above the head. */
  blockHash(number: number): Promise<Hex | null>;
  /** Settles when the node has ended, for any reason. */
  readonly gone: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs the scenario.
 * @param t0 unix seconds of the first midnight; the same T0 gives the same ids of blocks
 */
export const startTronDemo = async (t0: number): Promise<TronDemoWorld> => {
  const { anvil, facade, stop } = await startTronNode();
  try {
    const stage = openScenarioChain(anvil.rpc, "tron", t0);
    await runScenario({ stage, facade }, t0);
    const number = await facade.head();
    const hash = (await facade.blockHash(number)) ?? "";
    const { url, blockHash } = facade;
    return { url, facade, stage, head: { number, hash }, blockHash, gone: anvil.gone, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
