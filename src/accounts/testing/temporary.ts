import type { Database } from "../database.ts";
import type { AccountsLocation } from "../engine.ts";
import { type AccountsSettings, type AccountsStore, openAccounts } from "../open.ts";
import { NOON, SWEEP_EVERY_MS, settingsFor } from "./store.ts";
import { connectTo, makeTemporaryAccounts } from "./temporary_accounts.ts";

/** A clock that is stopped until it is moved. */
interface Clock {
  at: number;
}

/** A store of the engine under test in a temporary place. `remove` closes it and deletes the place. */
export interface TemporaryStore extends AccountsStore {
  readonly place: AccountsLocation;
  readonly clock: Clock;
  /** Another connection, like another process's; the caller closes it. */
  connect(busy_wait_ms?: number): Promise<Database>;
  /** All data that the store has written. */
  contents(): Promise<readonly Buffer[]>;
  remove(): Promise<void>;
}

export const openTemporary = async (changes: Partial<AccountsSettings> = {}): Promise<TemporaryStore> => {
  const { place, contents, remove } = await makeTemporaryAccounts();
  const clock: Clock = { at: NOON };
  const clocks = { now: () => clock.at, monotonic: () => clock.at };
  const store = await openAccounts(settingsFor(place, { ...clocks, sweep_every_ms: SWEEP_EVERY_MS, ...changes }));
  return {
    ...store,
    place,
    clock,
    contents,
    connect: (busy_wait_ms) => connectTo(place, busy_wait_ms),
    async remove() {
      await store.close();
      await remove();
    },
  };
};
