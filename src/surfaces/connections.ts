import type { Duplex } from "node:stream";
import { HalfSent, type HalfSentLimits } from "./half_sent.ts";

/**
 * The open connections, of which there are at most so many. One more than that costs the connection that has waited longest for
 * its client (between requests, for a request, for its body, for an answer to be taken): refusing the newcomer instead would let
 * whoever holds the most connections keep everybody else out.
 */
export class Connections {
  readonly #most: number;
  readonly #half_sent: HalfSent;
  /** How many requests of each connection are being answered. */
  readonly #busy = new Map<Duplex, number>();
  /** Those that wait for their client, longest first. */
  readonly #waiting = new Set<Duplex>();
  #dropped = 0;

  constructor(most: number, half_sent: HalfSentLimits) {
    this.#most = most;
    this.#half_sent = new HalfSent(half_sent);
  }

  /** Connections that were closed for newer ones. */
  get dropped(): number {
    return this.#dropped;
  }

  get open(): number {
    return this.#busy.size;
  }

  add(socket: Duplex): void {
    this.#busy.set(socket, 0);
    this.#waiting.add(socket);
    socket.once("close", () => this.#forget(socket));
    if (this.#busy.size <= this.#most) return;
    // Where all others are being answered, the newcomer is the only one that waits.
    const [longest = socket] = this.#waiting;
    this.#forget(longest);
    longest.destroy();
    this.#dropped += 1;
  }

  /** The connection waits for this process. @returns to be called when it waits for its client again. */
  busy(socket: Duplex): () => void {
    this.#change(socket, 1);
    let is_over = false;
    return () => {
      if (is_over) return;
      is_over = true;
      this.#change(socket, -1);
    };
  }

  /** In the middle of a request it waits for its client. @returns to be called when it no longer does. */
  asks(socket: Duplex): () => void {
    this.#change(socket, -1);
    const hasCome = this.#half_sent.begin(socket);
    return () => {
      hasCome();
      this.#change(socket, 1);
    };
  }

  #forget(socket: Duplex): void {
    this.#busy.delete(socket);
    this.#waiting.delete(socket);
  }

  #change(socket: Duplex, by: 1 | -1): void {
    const before = this.#busy.get(socket);
    // Closed meanwhile.
    if (before === undefined) return;
    this.#busy.set(socket, before + by);
    if (before + by > 0) this.#waiting.delete(socket);
    else this.#waiting.add(socket);
  }
}
