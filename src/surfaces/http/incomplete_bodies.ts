import { Socket } from "node:net";
import type { Duplex } from "node:stream";

export interface IncompleteBodyLimits {
  /** Requests of all clients whose body has not arrived. */
  readonly half_sent_max: number;
  /** The same, of one source address. */
  readonly half_sent_per_address_max: number;
  /** Ends the request of a socket when a new one is over the limit. */
  readonly shed: (socket: Duplex) => void;
}

/**
 * Requests whose body is arriving, up to a limit. One more ends the request that has been sending longest, of the same source address where
 * that address is over its own limit. A body that arrives at once is never among the longest.
 */
export class IncompleteBodies {
  readonly #limits: IncompleteBodyLimits;
  /** The address of each socket, in the order in which they began. */
  readonly #begun = new Map<Duplex, string>();
  readonly #by_address = new Map<string, Set<Duplex>>();

  constructor(limits: IncompleteBodyLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#begun.size;
  }

  /** @returns a function to call when the body has arrived, or is no longer awaited. */
  begin(socket: Duplex): () => void {
    const { half_sent_max, half_sent_per_address_max, shed } = this.#limits;
    const address = addressOf(socket);
    const own = this.#by_address.get(address) ?? new Set();
    this.#by_address.set(address, own.add(socket));
    this.#begun.set(socket, address);
    const all = this.#begun.keys();
    const [longest = socket] = own.size > half_sent_per_address_max ? own : all;
    if (own.size > half_sent_per_address_max || this.#begun.size > half_sent_max) {
      this.#forget(longest);
      shed(longest);
    }
    return () => this.#forget(socket);
  }

  #forget(socket: Duplex): void {
    const address = this.#begun.get(socket);
    if (address === undefined) return;
    this.#begun.delete(socket);
    const own = this.#by_address.get(address);
    own?.delete(socket);
    if (own?.size === 0) this.#by_address.delete(address);
  }
}

const addressOf = (socket: Duplex): string => (socket instanceof Socket ? (socket.remoteAddress ?? "") : "");
