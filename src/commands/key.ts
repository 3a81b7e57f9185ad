import { operations } from "../surfaces/operator/operations.ts";
import { withDesk } from "./accounts_store.ts";
import {
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

const showOnce = <T>(io: CommandIo, key: T): T => {
  io.err("The secret is shown this once. Keep it out of source control.\n");
  return key;
};

const actions: Readonly<Record<string, (args: CommandArgs, io: CommandIo) => Promise<unknown>>> = {
  create: async (args, io) => {
    const account_id = flag(args, "account");
    if (account_id === null) throw new UsageFault("give the account with --account ID");
    const scopes = args.flags.scope ?? [];
    if (scopes.length === 0) throw new UsageFault("give --scope api:call, --scope mcp:call or both");
    const wish = operations.create_key.input.safeParse({ account_id, scopes, limit: numberFlag(args, "limit") });
    if (!wish.success) throw new UsageFault("--scope is api:call or mcp:call, --limit a whole number from 1");
    return showOnce(io, await withDesk(io, (desk) => operations.create_key.run(desk, wish.data)));
  },
  list: (args, io) =>
    withDesk(io, (desk) => operations.list_keys.run(desk, { account_id: flag(args, "account") ?? undefined })),
  revoke: (args, io) => {
    const key_id = word(args, 1, "the key's id");
    return withDesk(io, (desk) => operations.revoke_key.run(desk, { key_id }));
  },
  limit: (args, io) => {
    const key_id = word(args, 1, "the key's id");
    const text = word(args, 2, "the calls per minute, or 'plan'");
    if (text !== "plan" && !/^\d+$/.test(text))
      throw new UsageFault(`a limit is a whole number of calls per minute or 'plan', not '${text}'`);
    const limit = text === "plan" ? null : Number(text);
    return withDesk(io, (desk) => operations.set_key_limit.run(desk, { key_id, limit }));
  },
  rotate: async (args, io) => {
    const key_id = word(args, 1, "the key's id");
    const grace_seconds = numberFlag(args, "grace") ?? 0;
    return showOnce(io, await withDesk(io, (desk) => operations.rotate_key.run(desk, { key_id, grace_seconds })));
  },
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  onlyFlags(args, ["config", "json", "account", "scope", "limit", "grace"]);
  const name = word(args, 0, Object.keys(actions).join(", "));
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new UsageFault(`'key ${name}' does not exist`);
  printData(io, await action(args, io));
  return EXIT.ok;
};
