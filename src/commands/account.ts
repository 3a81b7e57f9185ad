import type { PlanNumbers } from "../accounts/plans.ts";
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

const NUMBER_FLAGS = { monthly_credits: "credits", keys_max: "keys", calls_per_minute: "calls-per-minute" } as const;

/** The numbers of a plan that leaves them to the account. Only what was given. */
const planNumbers = (args: CommandArgs): Partial<PlanNumbers> => {
  const numbers: Partial<Record<keyof PlanNumbers, number>> = {};
  for (const field of ["monthly_credits", "keys_max", "calls_per_minute"] as const) {
    const value = numberFlag(args, NUMBER_FLAGS[field]);
    if (value !== null) numbers[field] = value;
  }
  return numbers;
};

const wholeNumber = (text: string, what: string): number => {
  if (!/^\d+$/.test(text)) throw new UsageFault(`${what} is a whole number, not '${text}'`);
  return Number(text);
};

const actions: Readonly<Record<string, (args: CommandArgs, io: CommandIo) => Promise<unknown>>> = {
  create: (args, io) => {
    const wish = {
      name: word(args, 1, "the account's name"),
      plan: flag(args, "plan") ?? "free",
      ...planNumbers(args),
    };
    return withDesk(io, (desk) => operations.create_account.run(desk, wish));
  },
  list: (_args, io) => withDesk(io, (desk) => operations.list_accounts.run(desk, {})),
  show: (args, io) => {
    const account_id = word(args, 1, "the account's id");
    return withDesk(io, (desk) => operations.show_account.run(desk, { account_id }));
  },
  plan: (args, io) => {
    const account_id = word(args, 1, "the account's id");
    const wish = { account_id, plan: word(args, 2, "the plan"), ...planNumbers(args) };
    return withDesk(io, (desk) => operations.set_account_plan.run(desk, wish));
  },
  grant: (args, io) => {
    const account_id = word(args, 1, "the account's id");
    const credits = wholeNumber(word(args, 2, "the number of credits"), "the number of credits");
    return withDesk(io, (desk) => operations.grant_credits.run(desk, { account_id, credits }));
  },
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  onlyFlags(args, ["config", "json", "plan", ...Object.values(NUMBER_FLAGS)]);
  const name = word(args, 0, Object.keys(actions).join(", "));
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new UsageFault(`'account ${name}' does not exist`);
  printData(io, await action(args, io));
  return EXIT.ok;
};
