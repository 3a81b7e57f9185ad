import { Socket } from "node:net";
import { messageOf } from "../lib/errors.ts";

/**
 * Socket to PostgreSQL. The client library parses answers inside the event that brings them and throws at invalid bytes; outside
 * an event handler a throw ends the process. Here it ends the connection. Under TLS such bytes never reach the parser.
 */
export class GuardedSocket extends Socket {
  #is_gathering = false;

  /** The library corks the parts of one statement; statements of one turn of the event loop are sent together too. */
  override cork(): void {
    super.cork();
    if (this.#is_gathering) return;
    this.#is_gathering = true;
    super.cork();
    process.nextTick(() => {
      this.#is_gathering = false;
      this.uncork();
    });
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event !== "data") return super.emit(event, ...args);
    try {
      return super.emit(event, ...args);
    } catch (error) {
      // Worded like the library's own lost connections.
      this.destroy(new Error(`Connection terminated: the answer cannot be read (${messageOf(error)})`));
      return true;
    }
  }
}
