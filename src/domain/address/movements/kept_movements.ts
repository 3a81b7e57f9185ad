import { KeptWallets } from "./kept_wallets.ts";
import type { MovementColumns } from "./movement_room.ts";
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

/** The movements of a wallet up to a block that may still become another one. */
export interface Newest {
  readonly since: number;
  /** What they go on from, and the answer about what lies behind that: of the very same two the same follows. */
  readonly final: Movements;
  readonly behind: MovementColumns;
  readonly all: Movements;
}

/**
 * The final movements of a wallet with the newest behind them, for the other parts of a call and for other calls at the same block: none of
 * them compares the newest once more, and blocks that took others' places are copied once, not by each of them.
 */
export class NewestMovements extends KeptWallets<Newest> {
  constructor() {
    super({ ...BOUNDS, sizeOf: ({ all }) => all.bytes });
  }
}
