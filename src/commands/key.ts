import type * as z from "zod";
import { SCOPES } from "../accounts/keys.ts";
import { operations } from "../surfaces/operator/operations.ts";
import { withAccount, withOperator } from "./accounts_store.ts";
import {
  type CommandArgs,
  type CommandIo,
  chosen,
  EXIT,
  flag,
  numberFlag,
  printData,
  UsageFault,
  word,
} from "./command.ts";
import { table } from "./table.ts";

const showOnce = <T>(io: CommandIo, key: T): T => {
  io.err("The secret is shown this once. Keep it out of source control.\n");
  return key;
};

type KeyList = z.input<typeof operations.list_keys.output>;

const isList = (shown: unknown): shown is KeyList => typeof shown === "object" && shown !== null && "keys" in shown;

const rowOf = ({ id, account_id, scopes, limit, last_used_at, revoked_at, ...key }: KeyList["keys"][number]) => [
  id,
  account_id,
  // An assistant by the name that it gives itself.
  key.client_name ?? `${key.prefix}…`,
  scopes,
  limit ?? "plan",
  last_used_at ?? "never",
  revoked_at === null ? "works" : "revoked",
];
const COLUMNS = ["ID", "ACCOUNT", "KEY", "SCOPES", "LIMIT", "LAST USED", "STATE"];

const actions: Readonly<Record<string, (args: CommandArgs, io: CommandIo) => Promise<unknown>>> = {
  create: async (args, io) => {
    const account = flag(args, "account");
    if (account === null) throw new UsageFault("give the account with --account ID-OR-NAME");
    const scopes = args.flags.scope ?? [];
    if (scopes.length === 0)
      throw new UsageFault(`give one or more of ${SCOPES.map((scope) => `--scope ${scope}`).join(", ")}`);
    const wish = operations.create_key.input.safeParse({
      account_id: account,
      scopes,
      limit: numberFlag(args, "limit"),
    });
    if (!wish.success) throw new UsageFault(`--scope is one of ${SCOPES.join(", ")}; --limit a whole number from 1`);
    const key = await withAccount(io, account, (desk, account_id) =>
      operations.create_key.run(desk, { ...wish.data, account_id }),
    );
    return showOnce(io, key);
  },
  list: (args, io) => {
    const account = flag(args, "account");
    if (account === null) return withOperator(io, (desk) => operations.list_keys.run(desk, {}));
    return withAccount(io, account, (desk, account_id) => operations.list_keys.run(desk, { account_id }));
  },
  revoke: (args, io) => {
    const key_id = word(args, 1, "the key's id");
    return withOperator(io, (desk) => operations.revoke_key.run(desk, { key_id }));
  },
  limit: (args, io) => {
    const key_id = word(args, 1, "the key's id");
    const text = word(args, 2, "the calls per minute, or 'plan'");
    if (text !== "plan" && !/^\d+$/.test(text))
      throw new UsageFault(`a limit is a whole number of calls per minute or 'plan', not '${text}'`);
    const limit = text === "plan" ? null : Number(text);
    return withOperator(io, (desk) => operations.set_key_limit.run(desk, { key_id, limit }));
  },
  rotate: async (args, io) => {
    const key_id = word(args, 1, "the key's id");
    const grace_seconds = numberFlag(args, "grace") ?? 0;
    return showOnce(io, await withOperator(io, (desk) => operations.rotate_key.run(desk, { key_id, grace_seconds })));
  },
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const name = word(args, 0, Object.keys(actions).join(", "));
  const shown = await chosen(actions, name, "key command")(args, io);
  const is_bare = flag(args, "secret") !== null;
  if (is_bare && typeof shown === "object" && shown !== null && "secret" in shown) io.out(`${shown.secret}\n`);
  else if (!io.json && isList(shown)) io.out(table(COLUMNS, shown.keys.map(rowOf)));
  else printData(io, shown);
  return EXIT.ok;
};
