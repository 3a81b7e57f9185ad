/** Which requests may wait while others go first, whatever stands between the question and the request. */
import { AsyncLocalStorage } from "node:async_hooks";

const background = new AsyncLocalStorage<true>();

/** `work` with all its requests behind those that callers wait for. */
export const inBackground = <T>(work: () => T): T => background.run(true, work);

export const isInBackground = (): boolean => background.getStore() === true;
