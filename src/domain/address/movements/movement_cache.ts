import type { MovementColumns } from "./movement_buffer.ts";
import type { Movements } from "./movements.ts";
import { WalletCache } from "./wallet_cache.ts";

/** The final movements of a wallet from `since` (unix seconds) up to the end of a final block. */
export interface FinalMovements {
  readonly since: number;
  readonly block: number;
  readonly movements: Movements;
}

/** Approximate limits of memory, for one wallet and for all of them. */
const BOUNDS = { one_max: 64 << 20, all_max: 96 << 20 };

/** Cached movements. The texts of a wallet grow with it, also below rows that are already cached. */
export class MovementCache extends WalletCache<FinalMovements> {
  constructor() {
    super({
      ...BOUNDS,
      sizeOf: ({ movements }) => movements.bytes,
      // A part that starts as early and ends later.
      stays: (held, next) => held.since <= next.since && held.block >= next.block,
    });
  }
}

/** Movements of a wallet up to a block that may still be replaced. */
export interface RecentMovements {
  readonly since: number;
  /** The cached base and the answer after it: the same two give the same movements. */
  readonly final: Movements;
  readonly behind: MovementColumns;
  readonly all: Movements;
}

/**
 * Final movements of a wallet with the newest after them, for the other parts of a call and other calls at the same
 * block: none of them compares the newest again, and replaced blocks are copied once.
 */
export class RecentMovementCache extends WalletCache<RecentMovements> {
  constructor() {
    super({ ...BOUNDS, sizeOf: ({ all }) => all.bytes });
  }
}
