import type * as z from "zod";
import type { PlanNumbers } from "../accounts/plans.ts";
import { type Desk, operations } from "../surfaces/operator/operations.ts";
import { withDesk } from "./accounts_store.ts";
import {
  type CommandArgs,
  type CommandIo,
  chosen,
  EXIT,
  flag,
  numberFlag,
  onlyFlags,
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

/** A month as an invoice has it, or sums of days. */
const showUsage = (args: CommandArgs, io: CommandIo) => {
  const account_id = word(args, 1, "the account's id");
  const month = flag(args, "month");
  const [from, to, by] = [flag(args, "from"), flag(args, "to"), flag(args, "by")];
  if (month !== null && (from ?? to ?? by) !== null) throw new UsageFault("--month goes without --from, --to and --by");
  const format = flag(args, "csv") === null ? "json" : "csv";
  if (month !== null) return told(io, operations.show_month, { account_id, month, format });
  if (from === null || to === null) throw new UsageFault("give --month YYYY-MM, or --from and --to as YYYY-MM-DD");
  const wish = { account_id, from, to, by: by ?? "day,tool,outcome", format } as const;
  return told(io, operations.show_usage, wish);
};

const told = async <I extends { readonly format: "json" | "csv" }, O>(
  io: CommandIo,
  operation: { run(desk: Desk, wish: I): Promise<O>; csv?(output: O): string },
  wish: I,
): Promise<O | string> => {
  const output = await withDesk(io, (desk) => operation.run(desk, wish));
  return wish.format === "csv" && operation.csv !== undefined ? operation.csv(output) : output;
};

/**
 * The plan, and the numbers that it leaves to the account.
 * @throws UsageFault naming the flags that a plan needs
 */
const planWish = (name: string, args: CommandArgs, io: CommandIo): { plan: string } & Partial<PlanNumbers> => {
  const terms = chosen(io.settings().settings.plans, name, "plan");
  const own = planNumbers(args);
  const missing = (["monthly_credits", "keys_max", "calls_per_minute"] as const)
    .filter((field) => terms[field] === null && own[field] === undefined)
    .map((field) => `--${NUMBER_FLAGS[field]} N`);
  if (missing.length > 0)
    throw new UsageFault(`plan '${name}' leaves its numbers to the account: give ${missing.join(", ")}`);
  return { plan: name, ...own };
};

type Listed = z.output<typeof operations.list_accounts.output>;

const isList = (shown: unknown): shown is Listed => typeof shown === "object" && shown !== null && "accounts" in shown;

const rowOf = ({ id, name, plan, created_at }: Listed["accounts"][number]) => [id, name, plan, created_at];

const actions: Readonly<Record<string, (args: CommandArgs, io: CommandIo) => Promise<unknown>>> = {
  create: (args, io) => {
    const wish = {
      name: word(args, 1, "the account's name"),
      ...planWish(flag(args, "plan") ?? "free", args, io),
    };
    return withDesk(io, (desk) => operations.create_account.run(desk, wish));
  },
  list: (_args, io) => withDesk(io, (desk) => operations.list_accounts.run(desk, {})),
  show: (args, io) => {
    const account_id = word(args, 1, "the account's id");
    return withDesk(io, (desk) => operations.show_account.run(desk, { account_id }));
  },
  usage: showUsage,
  plan: (args, io) => {
    const account_id = word(args, 1, "the account's id");
    const wish = { account_id, ...planWish(word(args, 2, "the plan"), args, io) };
    return withDesk(io, (desk) => operations.set_account_plan.run(desk, wish));
  },
  grant: (args, io) => {
    const account_id = word(args, 1, "the account's id");
    const credits = wholeNumber(word(args, 2, "the number of credits"), "the number of credits");
    return withDesk(io, (desk) => operations.grant_credits.run(desk, { account_id, credits }));
  },
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  onlyFlags(args, ["config", "json", "plan", "month", "from", "to", "by", "csv", ...Object.values(NUMBER_FLAGS)]);
  const name = word(args, 0, Object.keys(actions).join(", "));
  const shown = await chosen(actions, name, "account command")(args, io);
  if (typeof shown === "string") io.out(shown);
  else if (io.json || !isList(shown)) printData(io, shown);
  else io.out(table(["ID", "NAME", "PLAN", "CREATED"], shown.accounts.map(rowOf)));
  return EXIT.ok;
};
