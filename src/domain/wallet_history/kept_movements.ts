import { KeptWallets } from "./kept_wallets.ts";
import type { Movements } from "./movements.ts";

/** The final movements of a wallet from `since` (unix seconds) up to the end of a final block. */
export interface Kept {
  readonly since: number;
  readonly block: number;
  readonly movements: Movements;
}

/** Rough bytes of memory that one wallet, and all of them, may take. */
const BOUNDS = { one_max: 64 << 20, all_max: 96 << 20 };

/** Movements that were read once. The texts of a wallet grow with it, also under rows that are held already. */
export class KeptMovements extends KeptWallets<Kept> {
  constructor() {
    super({
      ...BOUNDS,
      sizeOf: ({ movements }) => movements.bytes,
      // What reaches as far back and further up.
      stays: (held, next) => held.since <= next.since && held.block >= next.block,
    });
  }
}
