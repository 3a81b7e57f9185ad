import type { ServerResponse } from "node:http";

/** Longest time that writing statements wait for a copy of the files. */
const QUIET_MS_MAX = 60_000;

/**
 * Writing statements pass a gate. `/quiet` closes it: those that run end first, and no other begins until the request that
 * caller is gone. The engine's files are then as after a crash between two statements.
 */
export class WriteBarrier {
  #running = 0;
  #keepers = 0;
  readonly #writers: (() => void)[] = [];
  readonly #listeners: (() => void)[] = [];

  /** Runs one writing statement when the gate is open. */
  async pass<T>(run: () => Promise<T>): Promise<T> {
    while (this.#keepers > 0) await new Promise<void>((resolve) => this.#writers.push(resolve));
    this.#running += 1;
    try {
      return await run();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) for (const told of this.#listeners.splice(0)) told();
    }
  }

  /** Keeps the gate closed for as long as the request stays open; `quiet` is sent when no statement writes any more. */
  keep(response: ServerResponse): void {
    this.#keepers += 1;
    const patience = setTimeout(() => response.destroy(), QUIET_MS_MAX);
    response.once("close", () => {
      clearTimeout(patience);
      this.#keepers -= 1;
      if (this.#keepers === 0) for (const open of this.#writers.splice(0)) open();
    });
    void this.#still().then(() => {
      if (response.destroyed) return;
      response.writeHead(200, { "content-type": "text/plain" });
      response.write("quiet\n");
    });
  }

  async #still(): Promise<void> {
    while (this.#running > 0) await new Promise<void>((resolve) => this.#listeners.push(resolve));
  }
}
