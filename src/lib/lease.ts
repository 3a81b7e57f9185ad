/** The right to write the facts of one network: one process has it at a time. Types only; `accounts` keeps the leases. */

/** Who has a lease, as an operator looks for it. */
export interface LeaseHolder {
  readonly host: string;
  readonly pid: number;
  /** Unix milliseconds, by the holder's clock. */
  readonly since_ms: number;
}

/** A lease that this process was given. */
export interface Lease {
  /** Grows at every change of hands; a store that knows a newer one refuses what an older one writes. */
  readonly epoch: number;
  /** Random name of this holding. */
  readonly holder: string;
  readonly since_ms: number;
  /** Aborted when another process was given the lease, or the store does not say whether one was. */
  readonly lost: AbortSignal;
  /**
   * Resolves when no other process can have the lease. After a pause of this process (it was stopped, or its event loop was busy)
   * the store is asked first.
   * @throws AssayError LEASE_LOST
   */
  confirm(): Promise<void>;
  /** Gives it back, so that the next one need not wait until it runs out. */
  release(): Promise<void>;
}

/** What is written by one holder at a time: the facts of a network in one facts store. */
export interface LeaseSubject {
  /** Identity of the facts store. */
  readonly facts: string;
  readonly network: string;
}

export type LeaseAnswer =
  | { readonly kind: "held"; readonly lease: Lease }
  | { readonly kind: "taken"; readonly by: LeaseHolder };

/** One process's wish for a lease. It remembers what it has seen of the holder, so one wish is asked again and again. */
export interface LeaseWish {
  /**
   * @param known_epoch newest epoch that the facts store knows: the one that is given out is newer
   * @throws AssayError ACCOUNTS_UNAVAILABLE, ACCOUNTS_BUSY (retryable)
   */
  ask(known_epoch: number): Promise<LeaseAnswer>;
}

export interface Leases {
  wish(subject: LeaseSubject): LeaseWish;
  /** Present holders by network, of one facts store or of all. */
  holders(facts: string | null): Promise<Readonly<Record<string, LeaseHolder>>>;
  /** How often a wish that was refused is worth repeating. */
  readonly ask_every_ms: number;
}
