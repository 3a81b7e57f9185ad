import { namesIn } from "../../tools/view.ts";
import type { JsonSchema } from "../openapi/describe_tool.ts";
import { type Drawing, drawPlain } from "./drawing.ts";
import { type AnswerMembers, isMembers, memberOf } from "./shape.ts";

/** Members of `metadata` that the compact form places elsewhere, or that only the full answer has. */
const ELSEWHERE = ["chain_id", "methodology", "sources", "warnings", "as_of", "coverage", "networks"];

/** Coverage of an answer. Gaps, missing logs and missing traces appear only where they apply. */
const coverageOf = (value: unknown): AnswerMembers | null => {
  if (!isMembers(value)) return null;
  const { gaps, logs, traces, ...rest } = value;
  return {
    ...rest,
    ...(Array.isArray(gaps) && gaps.length > 0 && { gaps }),
    ...(logs === false && { logs }),
    ...(traces === false && { traces }),
  };
};

const asOf = (value: unknown): AnswerMembers | null =>
  isMembers(value) ? { block_number: value.block_number, timestamp: value.timestamp } : null;

const presentMembers = (members: AnswerMembers): AnswerMembers =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));

const networksOf = (value: unknown): readonly AnswerMembers[] =>
  Array.isArray(value)
    ? value.filter(isMembers).map(({ network, as_of, coverage }) =>
        // A network that could not be read has neither.
        presentMembers({ network, as_of: asOf(as_of), coverage: coverageOf(coverage) }),
      )
    : [];

/** Subject of the answer, its blocks, and its coverage of the chain; never cut. */
export const drawMetadata = (body: AnswerMembers, schema: JsonSchema, of: Drawing): AnswerMembers => {
  const metadata = isMembers(body.metadata) ? body.metadata : {};
  const echo = Object.entries(metadata)
    // Omit values that the answer itself already contains.
    .filter(
      ([name, value]) =>
        !ELSEWHERE.includes(name) && (value !== body[name] || !namesIn(of.view.members).includes(name)),
    )
    .map(([name, value]) => [
      name,
      isMembers(value)
        ? presentMembers(value)
        : Array.isArray(value)
          ? value
          : drawPlain(value, memberOf(schema, name), { name, of }),
    ]);
  const networks = networksOf(metadata.networks);
  return presentMembers({
    ...presentMembers(Object.fromEntries(echo)),
    as_of: asOf(metadata.as_of),
    coverage: coverageOf(metadata.coverage),
    ...(networks.length > 0 && { networks }),
  });
};

export const drawPagination = (pagination: unknown): AnswerMembers | null => {
  if (!isMembers(pagination)) return null;
  const { page, per_page, returned_count, has_more_data, is_complete } = pagination;
  return { page, per_page, returned_count, has_more_data, is_complete };
};

/** Beyond this number of rows, only their count is given. */
const ROWS_NAMED_MAX = 6;

/** Unknown fields, each with its reason and, in a table, its rows (from 1). */
export const drawUnavailable = (unavailable: unknown, { unknown }: Drawing): readonly string[] => {
  const own = Array.isArray(unavailable)
    ? unavailable.filter(isMembers).map(({ field, reason }) => `${String(field)}: ${String(reason)}`)
    : [];
  const rows = [...unknown].map(([text, at]) => {
    if (at.length > ROWS_NAMED_MAX) return `${text} (${at.length} rows)`;
    return `${text} (row${at.length === 1 ? "" : "s"} ${at.join(", ")})`;
  });
  return [...own, ...rows];
};

/**
 * The cursor: arguments to add to those of this call for the next page, as of the same block and in the same window, so that
 * every row is on exactly one page. A list in the order of its rows names the last one (`pagination.next`). Null on the last page.
 */
export const nextOf = ({ pagination, metadata }: AnswerMembers, inputs: ReadonlySet<string>): AnswerMembers | null => {
  if (!isMembers(pagination) || pagination.has_more_data !== true) return null;
  const { as_of, date_range } = isMembers(metadata) ? metadata : {};
  const pinned = inputs.has("as_of_block") && isMembers(as_of) ? { as_of_block: as_of.block_number } : {};
  if (isMembers(pagination.next)) return { ...pagination.next, ...pinned };
  if (typeof pagination.page !== "number") return null;
  const is_dated = inputs.has("from_date") && inputs.has("to_date") && isMembers(date_range);
  const window = is_dated ? { from_date: date_range.from, to_date: date_range.to } : {};
  return { page: pagination.page + 1, ...pinned, ...window };
};
