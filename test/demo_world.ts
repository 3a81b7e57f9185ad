import { join } from "node:path";
import type { ScenarioKey } from "../src/demo/evm/recorded_scenario.ts";
import { type EvmWorld, startWorld } from "../src/demo/evm/world.ts";
import { runFolder } from "./run_folder.ts";

/** The demo world on a node of its own. The first of a run plays its story, the others do again what that one did. */
export const startDemoWorld = ({ placement, t0 }: ScenarioKey): Promise<EvmWorld> =>
  startWorld({ placement, t0, kept: join(runFolder(), `${placement}-${t0}.play`) });
