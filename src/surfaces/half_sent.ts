import { Socket } from "node:net";
import type { Duplex } from "node:stream";

export interface HalfSentLimits {
  /** Requests whose body has not arrived, of all clients. */
  readonly half_sent_max: number;
  /** The same, of one source address. */
  readonly half_sent_per_address_max: number;
  /** Ends one of them, in the place of one more than these. */
  readonly shed: (socket: Duplex) => void;
}

/**
 * Requests whose body is arriving, of which there are at most so many: one more ends the one that has been sending for longest,
 * of the same source address where that address has too many. A body that comes at once is never among the longest.
 */
export class HalfSent {
  readonly #limits: HalfSentLimits;
  /** By the order in which they began; the address of each. */
  readonly #begun = new Map<Duplex, string>();
  readonly #by_address = new Map<string, Set<Duplex>>();

  constructor(limits: HalfSentLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#begun.size;
  }

  /** @returns to be called when the body has arrived, or nobody waits for it any more. */
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
