import { hex } from "../../../../lib/bytes.ts";
import type { SnapshotContext } from "../../../context.ts";
import type { BlockConditions, SimulationState } from "../../../token/simulation/market.ts";

/** The state that simulations of a token use. */

/** Blocks whose transactions show the price of gas. */
const GAS_BLOCKS = 200;

/** Null where no transaction of the newest blocks is indexed. */
const readConditions = async ({ facts, snapshot }: SnapshotContext): Promise<BlockConditions | null> => {
  const at = snapshot.block.number;
  const [row] = await facts.ask(snapshot, "token/block_conditions", { at, since: Math.max(0, at - GAS_BLOCKS) });
  if (row === undefined || row.gas_price === null) return null;
  return {
    gas_price: BigInt(row.gas_price),
    producer: row.producer === null || row.producer === "" ? null : hex(row.producer),
  };
};

/** The block whose state is read, with its time. `at`: the snapshot's, or the node's newest where that is too old. */
export const simulationStateAt = async (scope: SnapshotContext, at: number): Promise<SimulationState> => {
  const { chain, snapshot, signal } = scope;
  const { number, time } = snapshot.block;
  const conditions = chain.can.overrides ? await readConditions(scope) : null;
  const known = { chain, signal, ...(conditions === null ? {} : { conditions }) };
  if (at === number) return { ...known, block: { number, time } };
  const ref = await chain.ref(at, signal);
  return { ...known, block: { number: at, time: ref?.time ?? time } };
};
