import type * as z from "zod";
import { USAGE_FIELDS, type Usage, type UsageField } from "../../accounts/usage.ts";
import { csvOf } from "../../lib/csv.ts";
import { AssayError } from "../../lib/errors.ts";
import type * as shapes from "./shapes.ts";

type UsageStore = { readonly usage: Usage };

const fieldsOf = (text: string): readonly UsageField[] => {
  const names = text.split(",").filter((name) => name !== "");
  const unknown = names.find((name) => !USAGE_FIELDS.some((field) => field === name));
  if (unknown === undefined) return USAGE_FIELDS.filter((field) => names.includes(field));
  const message = `Usage can be grouped by ${USAGE_FIELDS.join(", ")}, not by '${unknown}'.`;
  throw new AssayError({ code: "BAD_FIELD", message, public: message });
};

interface UsageQuery {
  readonly account_id: string | null;
  readonly from: string;
  readonly to: string;
  readonly by: string;
}

/** Calls and payments of an account, grouped. @throws AssayError BAD_FIELD, BAD_PERIOD, USAGE_TOO_LONG, UNKNOWN_ACCOUNT */
export const usageOf = async (
  { usage }: UsageStore,
  { account_id, from, to, by }: UsageQuery,
): Promise<z.input<typeof shapes.usage>> => {
  const fields = fieldsOf(by);
  return { from, to, by: [...fields], rows: [...(await usage.rows({ account_id, from, to, by: fields }))] };
};

export const usageCsv = ({ by, rows }: z.output<typeof shapes.usage>): string =>
  csvOf([...by, "calls", "credits", "credits_refunded"], rows);

/** A month of an account. @throws AssayError BAD_PERIOD, UNKNOWN_ACCOUNT */
export const monthOf = async (
  { usage }: UsageStore,
  { account_id, month }: { readonly account_id: string; readonly month: string },
): Promise<z.input<typeof shapes.monthReport>> => {
  const report = await usage.month(account_id, month);
  return { ...report, lines: [...report.lines] };
};

/** The lines, each with what it is a line of. */
export const monthCsv = ({ account_id, name, month, lines }: z.output<typeof shapes.monthReport>): string =>
  csvOf(
    ["account_id", "name", "month", "tool", "price", "calls", "calls_paid", "credits", "credits_refunded"],
    lines.map((line) => ({ account_id, name, month, ...line })),
  );
