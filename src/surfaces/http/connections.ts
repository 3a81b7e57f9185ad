import type { Duplex } from "node:stream";
import { IncompleteBodies, type IncompleteBodyLimits } from "./incomplete_bodies.ts";

/**
 * The open connections, up to a limit. One more closes the connection that has waited longest for its client (between requests, for a
 * request, for its body, for an answer to be read): refusing the new one instead would let the client with the most connections keep all
 * others out.
 */
export class Connections {
  readonly #most: number;
  readonly #incomplete: IncompleteBodies;
  /** The number of requests of each connection that this process is answering. */
  readonly #busy = new Map<Duplex, number>();
  /** Connections that wait for their client, longest first. */
  readonly #waiting = new Set<Duplex>();
  #dropped = 0;

  constructor(most: number, incomplete: IncompleteBodyLimits) {
    this.#most = most;
    this.#incomplete = new IncompleteBodies(incomplete);
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
    // When this process answers all others, the new connection is the only one that waits.
    const [longest = socket] = this.#waiting;
    this.#forget(longest);
    longest.destroy();
    this.#dropped += 1;
  }

  /** The connection waits for this process. @returns a function to call when it waits for its client again. */
  busy(socket: Duplex): () => void {
    this.#change(socket, 1);
    let is_over = false;
    return () => {
      if (is_over) return;
      is_over = true;
      this.#change(socket, -1);
    };
  }

  /** The connection waits for its client in the middle of a request. @returns a function to call when it no longer does. */
  awaitBody(socket: Duplex): () => void {
    this.#change(socket, -1);
    const hasArrived = this.#incomplete.begin(socket);
    return () => {
      hasArrived();
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
