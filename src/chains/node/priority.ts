/**
 * Marks background requests, which wait while others go first, across all layers between the question and the request.
 */
import { AsyncLocalStorage } from "node:async_hooks";

const background = new AsyncLocalStorage<true>();

/** Runs `work` with all its requests behind those that callers wait for. */
export const inBackground = <T>(work: () => T): T => background.run(true, work);

export const isInBackground = (): boolean => background.getStore() === true;
