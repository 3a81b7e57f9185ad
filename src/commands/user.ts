import type * as z from "zod";
import { type AccountRole, isRole, ROLES } from "../accounts/roles.ts";
import { operations } from "../surfaces/operator/operations.ts";
import { withAccount, withOperator } from "./accounts_store.ts";
import { type CommandArgs, type CommandIo, chosen, EXIT, flag, printData, UsageFault, word } from "./command.ts";
import { serviceUrl } from "./http.ts";
import { table } from "./table.ts";

type UserList = z.input<typeof operations.list_users.output>;

const isList = (shown: unknown): shown is UserList => typeof shown === "object" && shown !== null && "users" in shown;

const rowOf = ({ id, name, account_id, is_operator, role, state }: UserList["users"][number]) => [
  ...[id, name, account_id, state],
  [...(is_operator ? ["operator"] : []), ...(role === null ? [] : [role])],
];
const COLUMNS = ["ID", "NAME", "ACCOUNT", "STATE", "MAY"];

/** The part after # stays in the browser: it reaches no server and no log. */
export const setUpLink = (origin: string, token: string): string => `${origin}/app/set-up#${token}`;

const actions: Readonly<Record<string, (args: CommandArgs, io: CommandIo) => Promise<unknown>>> = {
  link: async (args, io) => {
    const account = flag(args, "account");
    const is_operator = flag(args, "operator") !== null;
    if (account === null && !is_operator)
      throw new UsageFault("give the account with --account ID-OR-NAME, or --operator, or both");
    const rights = { is_operator, ...roleOf(args) };
    const name = flag(args, "name") ?? account ?? "operator";
    const made =
      account === null
        ? await withOperator(io, (desk) => operations.link_user.run(desk, { ...rights, name, account_id: null }))
        : await withAccount(io, account, (desk, account_id) =>
            operations.link_user.run(desk, { ...rights, name, account_id }),
          );
    const { token, ...user } = made;
    const link = setUpLink(io.settings().settings.sign_in.origin ?? serviceUrl(args, io), token);
    io.err(`The first visitor of this link chooses the password of '${user.name}'; it ends ${user.link_until}.\n`);
    if (io.json) return { ...user, link };
    io.out(`${link}\n`);
    return null;
  },
  list: (args, io) => {
    const account = flag(args, "account");
    if (account === null) return withOperator(io, (desk) => operations.list_users.run(desk, {}));
    return withAccount(io, account, (desk, account_id) => operations.list_users.run(desk, { account_id }));
  },
  role: (args, io) => {
    const user_id = word(args, 1, "the user's id");
    const role = roleNamed(word(args, 2, ROLES.join(", ")));
    return withOperator(io, (desk) => operations.set_user_role.run(desk, { user_id, role, ...successorOf(args) }));
  },
  remove: (args, io) => {
    const user_id = word(args, 1, "the user's id");
    return withOperator(io, (desk) => operations.remove_user.run(desk, { user_id, ...successorOf(args) }));
  },
};

const roleNamed = (text: string): AccountRole => {
  if (isRole(text)) return text;
  throw new UsageFault(`there is no role '${text}': there are ${ROLES.join(", ")}`);
};

/** `--makes-keys` is the earlier way to say `--role key_manager`. */
const roleOf = (args: CommandArgs): { readonly role?: AccountRole } => {
  const text = flag(args, "role") ?? (flag(args, "makes-keys") === null ? null : "key_manager");
  return text === null ? {} : { role: roleNamed(text) };
};

const successorOf = (args: CommandArgs): { readonly new_owner?: string } => {
  const new_owner = flag(args, "new-owner");
  return new_owner === null ? {} : { new_owner };
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const name = word(args, 0, Object.keys(actions).join(", "));
  const shown = await chosen(actions, name, "user command")(args, io);
  if (shown === null) return EXIT.ok;
  if (!io.json && isList(shown)) io.out(table(COLUMNS, shown.users.map(rowOf)));
  else printData(io, shown);
  return EXIT.ok;
};
