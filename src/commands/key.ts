import type { NewKey } from "../accounts/keys.ts";
import { withAccounts } from "./accounts_store.ts";
import {
  type Command,
  type CommandArgs,
  type CommandIo,
  EXIT,
  flag,
  numberFlag,
  onlyFlags,
  printData,
  UsageFault,
  word,
} from "./command.ts";

const showOnce = (io: CommandIo, key: NewKey): NewKey => {
  io.err("The secret is shown this once. Keep it out of source control.\n");
  return key;
};

const actions: Readonly<Record<string, (args: CommandArgs, io: CommandIo) => Promise<unknown>>> = {
  create: async (args, io) => {
    const account_id = flag(args, "account");
    if (account_id === null) throw new UsageFault("give the account with --account ID");
    const scopes = args.flags.scope ?? [];
    if (scopes.length === 0) throw new UsageFault("give --scope api:call, --scope mcp:call or both");
    const wish = { account_id, scopes, limit: numberFlag(args, "limit") };
    return showOnce(io, await withAccounts(io, (store) => store.keys.create(wish)));
  },
  list: (args, io) =>
    withAccounts(io, async (store) => ({ keys: await store.keys.list(flag(args, "account") ?? undefined) })),
  revoke: (args, io) => {
    const id = word(args, 1, "the key's id");
    return withAccounts(io, (store) => store.keys.revoke(id));
  },
  rotate: async (args, io) => {
    const id = word(args, 1, "the key's id");
    const grace_s = numberFlag(args, "grace") ?? 0;
    return showOnce(io, await withAccounts(io, (store) => store.keys.rotate(id, grace_s)));
  },
};

const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  onlyFlags(args, ["config", "json", "account", "scope", "limit", "grace"]);
  const name = word(args, 0, Object.keys(actions).join(", "));
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new UsageFault(`'key ${name}' does not exist`);
  printData(io, await action(args, io));
  return EXIT.ok;
};

export const key: Command = {
  name: "key",
  usage:
    "create --account ID --scope api:call [--scope mcp:call] [--limit N] | list [--account ID] | revoke ID | rotate ID [--grace SECONDS]",
  summary: "Keys: make one (its secret is shown once), list, revoke, replace the secret.",
  run,
};
