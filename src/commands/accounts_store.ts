import { userInfo } from "node:os";
import type { AccountsStore } from "../accounts/open.ts";
import { openLog } from "../lib/log.ts";
import { type AdminContext, operations } from "../surfaces/operator/operations.ts";
import { openAccountsOnly } from "../wiring/stores.ts";
import { type CommandIo, UsageFault } from "./command.ts";

/** Does one piece of work on the accounts of the configuration; a running service may have them open as well. */
const withAccounts = async <T>(io: CommandIo, work: (store: AccountsStore) => Promise<T>): Promise<T> => {
  const { settings, data_dir } = io.settings();
  const store = await openAccountsOnly(settings, data_dir, openLog(settings.log_level, settings.log_format));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
};

/** Runs an operator's operation; the audit trail records its changes under the system user's name. */
export const withOperator = <T>(io: CommandIo, work: (desk: AdminContext) => Promise<T>): Promise<T> =>
  withAccounts(io, (store) => work({ store, admin: store.as(`command-line:${userName()}`) }));

/** The account with this id, or the only one of this name; a text that names none is for the operation to refuse. */
const accountCalled = async (desk: AdminContext, text: string): Promise<string> => {
  const { accounts } = await operations.list_accounts.run(desk, {});
  if (accounts.some(({ id }) => id === text)) return text;
  const [only, ...others] = accounts.filter(({ name }) => name === text).map(({ id }) => id);
  if (others.length > 0) throw new UsageFault(`several accounts are called '${text}': ${[only, ...others].join(", ")}`);
  return only ?? text;
};

/** The same on one account, which is called by its id or by its name. */
export const withAccount = <T>(
  io: CommandIo,
  called: string,
  work: (desk: AdminContext, account_id: string) => Promise<T>,
): Promise<T> => withOperator(io, async (desk) => work(desk, await accountCalled(desk, called)));

const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown"); // containers run users that no list names
  }
};
