import type { AccountsStore } from "../accounts/open.ts";
import { openLog } from "../lib/log.ts";
import { openAccountsOnly } from "../main.ts";
import type { CommandIo } from "./command.ts";

/** Does one piece of work on the accounts of the configuration; a running service may have them open as well. */
export const withAccounts = async <T>(io: CommandIo, work: (store: AccountsStore) => Promise<T>): Promise<T> => {
  const { settings, data_dir } = io.settings();
  const store = await openAccountsOnly(settings, data_dir, openLog(settings.log_level));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
};
