/** A payment graph with a known answer. */
export interface PaymentGraph {
  readonly name: string;
  /**
   * `transaction: payer > payee amount ASSET`, in the order of the chain. `void` mints and burns. `@ price` replaces the
   * asset's price. Rows of one transaction are one after the other.
   */
  readonly rows: readonly string[];
  /** Names of flagged addresses. */
  readonly flagged: readonly string[];
  /** Names of addresses with a label at which tracing stops. */
  readonly services?: readonly string[];
  /** Names of contracts without a label. */
  readonly contracts?: readonly string[];
  /** Names of addresses that the walk did not read, such as hubs. */
  readonly unread?: readonly string[];
  readonly method?: "haircut" | "fifo" | "poison";
  /** The wallet of the question is `target`. */
  readonly expected: {
    /** USD by `in|out direct|indirect NAME`. */
    readonly exposure: Readonly<Record<string, number>>;
    /** Names of sources whose money is dust. */
    readonly dust?: readonly string[];
    readonly followed_usd: number;
    readonly stopped_at_services_usd: number;
    readonly not_followed_usd: number;
    /** Fewest steps to the only source. */
    readonly hops?: number;
  };
}

/** USD of one unit. An asset that is not here has no price. */
export const PRICES: Readonly<Record<string, number>> = { USDT: 1, ETH: 2_500 };
