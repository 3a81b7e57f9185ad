/** The right to write the facts of one network, which one process has at a time. Types only; `accounts` stores the leases. */

/** The process that has a lease, as an operator identifies it. */
export interface LeaseHolder {
  readonly host: string;
  readonly pid: number;
  /** Unix milliseconds, by the holder's clock. */
  readonly since_ms: number;
}

/** A lease of this process. */
export interface Lease {
  /** Increases with every holder; a store that knows a newer epoch rejects writes of an older one. */
  readonly epoch: number;
  /** Random id of this lease. */
  readonly holder: string;
  readonly since_ms: number;
  /** Aborts when another process gets the lease, or the store cannot confirm that none did. */
  readonly lost: AbortSignal;
  /**
   * Resolves when no other process can have the lease. After a pause of this process (it was stopped, or its event loop was busy)
   * it checks with the store first.
   * @throws AssayError LEASE_LOST
   */
  confirm(): Promise<void>;
  /** Releases the lease, so that the next holder need not wait until it expires. */
  release(): Promise<void>;
}

/** The subject of a lease: the facts of a network in one facts store. */
export interface LeaseSubject {
  /** Id of the facts store. */
  readonly facts: string;
  readonly network: string;
}

export type LeaseAnswer =
  | { readonly kind: "held"; readonly lease: Lease }
  | { readonly kind: "taken"; readonly by: LeaseHolder };

/** One process's request for a lease. It remembers the holder's last heartbeat, so repeat the same request object. */
export interface LeaseCandidate {
  /**
   * @param known_epoch newest epoch that the facts store knows; the granted epoch is newer
   * @throws AssayError ACCOUNTS_UNAVAILABLE, ACCOUNTS_BUSY (retryable)
   */
  ask(known_epoch: number): Promise<LeaseAnswer>;
}

export interface Leases {
  wish(subject: LeaseSubject): LeaseCandidate;
  /** Present holders by network, for one facts store or for all. */
  holders(facts: string | null): Promise<Readonly<Record<string, LeaseHolder>>>;
  /** Interval at which to repeat a refused request. */
  readonly ask_every_ms: number;
}
