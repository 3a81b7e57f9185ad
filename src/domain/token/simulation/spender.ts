import type { Override } from "../../../chains/chain.ts";
import { type Hex, hex, toHex } from "../../../lib/bytes.ts";
import { drawnAddress } from "./drawn.ts";
import type { SimulationState } from "./market.ts";
import { ROUTER_GUISE_CODE } from "./router_guise.gen.ts";
import { SIMULATOR_CODE } from "./simulator.gen.ts";

/** The contract that a buyer trades through: it takes the coins of a seller, so a token can refuse it. */
export interface Spender {
  readonly address: Hex;
  /** True for a real router. */
  readonly is_router: boolean;
  readonly overrides: readonly Override[];
}

/** A contract that no token knows. */
export const unknownSpender = (ground: SimulationState): Spender => {
  const address = drawnAddress(ground, "spender");
  return { address, is_router: false, overrides: [{ address, code: SIMULATOR_CODE }] };
};

/** Places in the code of contracts/RouterGuise.sol for the addresses of the simulator and of the router's own code. */
const [SIMULATOR_PLACE, ROUTER_PLACE] = ["11".repeat(20), "22".repeat(20)] as const;

const readSpender = async (ground: SimulationState, router: Hex): Promise<Spender | null> => {
  const { chain, signal, block } = ground;
  const { code } = await chain.account(router, signal, block.number);
  if (code.length === 0) return null;
  const [simulator, copy] = [drawnAddress(ground, "simulator code"), drawnAddress(ground, `router code ${router}`)];
  const inner = ROUTER_GUISE_CODE.replaceAll(SIMULATOR_PLACE, simulator).replaceAll(ROUTER_PLACE, copy);
  return {
    address: router,
    is_router: true,
    overrides: [
      { address: router, code: hex(inner) },
      { address: simulator, code: SIMULATOR_CODE },
      { address: copy, code: toHex(code) },
    ],
  };
};

/** One reading of a router serves every simulation in a state. */
const known = new WeakMap<SimulationState, Map<Hex, Promise<Spender | null>>>();

/** A real router at its own address; null when it has no code. */
export const routerSpender = (ground: SimulationState, router: Hex): Promise<Spender | null> => {
  const of_state = known.get(ground) ?? new Map<Hex, Promise<Spender | null>>();
  known.set(ground, of_state);
  const spender = of_state.get(router) ?? readSpender(ground, router);
  of_state.set(router, spender);
  return spender;
};
