import type * as z from "zod";
import type { PlanNumbers } from "../accounts/plans.ts";
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

const ACCOUNT = "the account's id or name";

/** A month as an invoice has it, or sums of days. */
const showUsage = (args: CommandArgs, io: CommandIo) => {
  const account = word(args, 1, ACCOUNT);
  const month = flag(args, "month");
  const [from, to, by] = [flag(args, "from"), flag(args, "to"), flag(args, "by")];
  if (month !== null && (from ?? to ?? by) !== null) throw new UsageFault("--month goes without --from, --to and --by");
  if (month === null && (from === null || to === null))
    throw new UsageFault("give --month YYYY-MM, or --from and --to as YYYY-MM-DD");
  const format = flag(args, "csv") === null ? "json" : "csv";
  return withAccount<unknown>(io, account, async (desk, account_id) => {
    if (month !== null)
      return inFormat(
        operations.show_month,
        await operations.show_month.run(desk, { account_id, month, format }),
        format,
      );
    const wish = { account_id, from: from ?? "", to: to ?? "", by: by ?? "day,tool,outcome", format } as const;
    return inFormat(operations.show_usage, await operations.show_usage.run(desk, wish), format);
  });
};

const inFormat = <O>(operation: { csv?(output: O): string }, output: O, format: "json" | "csv"): O | string =>
  format === "csv" && operation.csv !== undefined ? operation.csv(output) : output;

/**
 * The plan, and the numbers that it leaves to the account.
 * @throws UsageFault naming the flags that a plan needs
 */
const planRequest = (name: string, args: CommandArgs, io: CommandIo): { plan: string } & Partial<PlanNumbers> => {
  const terms = chosen(io.settings().settings.plans, name, "plan");
  const own = planNumbers(args);
  const missing = (["monthly_credits", "keys_max", "calls_per_minute"] as const)
    .filter((field) => terms[field] === null && own[field] === undefined)
    .map((field) => `--${NUMBER_FLAGS[field]} N`);
  if (missing.length > 0)
    throw new UsageFault(`plan '${name}' leaves its numbers to the account: give ${missing.join(", ")}`);
  return { plan: name, ...own };
};

type AccountList = z.output<typeof operations.list_accounts.output>;

const isList = (shown: unknown): shown is AccountList =>
  typeof shown === "object" && shown !== null && "accounts" in shown;

const rowOf = ({ id, name, plan, created_at }: AccountList["accounts"][number]) => [id, name, plan, created_at];

const actions: Readonly<Record<string, (args: CommandArgs, io: CommandIo) => Promise<unknown>>> = {
  create: (args, io) => {
    const wish = {
      name: word(args, 1, "the account's name"),
      ...planRequest(flag(args, "plan") ?? "free", args, io),
    };
    return withOperator(io, (desk) => operations.create_account.run(desk, wish));
  },
  list: (_args, io) => withOperator(io, (desk) => operations.list_accounts.run(desk, {})),
  show: (args, io) => {
    const account = word(args, 1, ACCOUNT);
    return withAccount(io, account, (desk, account_id) => operations.show_account.run(desk, { account_id }));
  },
  usage: showUsage,
  plan: (args, io) => {
    const account = word(args, 1, ACCOUNT);
    const wish = planRequest(word(args, 2, "the plan"), args, io);
    return withAccount(io, account, (desk, account_id) =>
      operations.set_account_plan.run(desk, { account_id, ...wish }),
    );
  },
  grant: (args, io) => {
    const account = word(args, 1, ACCOUNT);
    const credits = wholeNumber(word(args, 2, "the number of credits"), "the number of credits");
    return withAccount(io, account, (desk, account_id) => operations.grant_credits.run(desk, { account_id, credits }));
  },
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const name = word(args, 0, Object.keys(actions).join(", "));
  const shown = await chosen(actions, name, "account command")(args, io);
  if (typeof shown === "string") io.out(shown);
  else if (io.json || !isList(shown)) printData(io, shown);
  else io.out(table(["ID", "NAME", "PLAN", "CREATED"], shown.accounts.map(rowOf)));
  return EXIT.ok;
};
