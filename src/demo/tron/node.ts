/** A node of Tron without history: the machine, and the API in front of it. */
import { type Anvil, startAnvil } from "../evm/anvil.ts";
import { CHARACTERS } from "../evm/characters.ts";
import { type Facade, startFacade } from "./facade.ts";

/** Time of the first block, unix seconds: the day on which Tron's own network began. */
const FIRST_TIME = Date.UTC(2018, 5, 25) / 1_000;
/** The bank's first balance, in sun: nine million million TRX, below the 64 bits of a Tron amount. */
const GENESIS_SUN = 9_000_000_000_000_000_000n;
const CONFIRMED_BEHIND = 5;

export interface TronNode {
  readonly anvil: Anvil;
  readonly facade: Facade;
  readonly stop: () => Promise<void>;
}

/** The first block is always the same, and so is the number of the chain, which is the end of its id. */
export const startTronNode = async (): Promise<TronNode> => {
  const genesis = { [CHARACTERS.bank.address]: GENESIS_SUN };
  const accounts = Object.keys(CHARACTERS).length;
  const anvil = await startAnvil({ chain_id: 31_337, timestamp: FIRST_TIME, genesis, accounts, base_fee: 0 });
  try {
    const facade = await startFacade({ rpc: anvil.rpc, genesis, confirmed_behind: CONFIRMED_BEHIND });
    const stop = async (): Promise<void> => {
      await facade.stop();
      await anvil.stop();
    };
    return { anvil, facade, stop };
  } catch (error) {
    await anvil.stop();
    throw error;
  }
};
