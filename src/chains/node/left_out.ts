/** Endpoints that a question leaves out because they lack the method or the state. */
import { setTimeout as sleep } from "node:timers/promises";
import { isMissingMethod, isMissingState, isNotYet, RpcError } from "./refusal.ts";

const AGAIN_MS = 200;

export class LeftOut<S> {
  readonly #slots: Set<S>;
  /** They may have the state on another member; null after their second chance. */
  #late: Set<S> | null = new Set();

  constructor(asked: ReadonlySet<S>) {
    this.#slots = new Set(asked);
  }

  get slots(): ReadonlySet<S> {
    return this.#slots;
  }

  add(slot: S): void {
    this.#slots.add(slot);
  }

  /** Leaves the endpoint out if this error shows that it lacks something. False for other errors. */
  lacks(slot: S, error: unknown): boolean {
    if (!(error instanceof RpcError) || !(isMissingMethod(error) || isMissingState(error))) return false;
    this.#slots.add(slot);
    if (isNotYet(error)) this.#late?.add(slot);
    return true;
  }

  /** When no endpoint is left, those whose members differ get one more request. False if there are none. */
  async again(signal: AbortSignal): Promise<boolean> {
    const late = this.#late;
    if (late === null || late.size === 0) return false;
    this.#late = null;
    await sleep(AGAIN_MS, undefined, { signal });
    for (const slot of late) this.#slots.delete(slot);
    return true;
  }
}
