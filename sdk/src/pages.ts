// Walks over pages. Every page is a call of its own, and costs one.
import type { Assay, CallOptions } from "./assay.ts";
import { AssayError } from "./errors.ts";
import { type DataResult, isObject, type Result } from "./result.ts";

/** How a tool that has pages is asked; generated. */
export interface PagedTool {
  readonly tool: string;
  /** The input has `as_of_block`: later pages are asked as of the first one's block, so that every row stands on one page. */
  readonly has_block: boolean;
  /** The input has `from_date` and `to_date`: a window that was left open stays that of the first page. */
  readonly has_dates: boolean;
  /** The member that holds the rows of a page. */
  readonly rows: string;
}

/** One key for a walk would be one charge: each page has its own. */
export type WalkOptions = Omit<CallOptions, "idempotency_key">;

/** What the next page is asked with beside the arguments of this one; null on the last page. */
const nextOf = (data: unknown, { has_block, has_dates }: PagedTool): Readonly<Record<string, unknown>> | null => {
  const { pagination, metadata } = isObject(data) ? data : {};
  if (!isObject(pagination) || pagination.has_more_data !== true || typeof pagination.page !== "number") return null;
  const { as_of, date_range } = isObject(metadata) ? metadata : {};
  const block = has_block && isObject(as_of) ? { as_of_block: as_of.block_number } : {};
  const window = has_dates && isObject(date_range) ? { from_date: date_range.from, to_date: date_range.to } : {};
  return { page: pagination.page + 1, ...block, ...window };
};

/** The pages from the one asked to the last. Ends after a result that is no data; an `error` result is yielded too. */
export async function* walkPages<Output>(
  assay: Assay,
  { input, ...paged }: PagedTool & { readonly input: object },
  options?: WalkOptions,
): AsyncGenerator<Result<Output>, void, undefined> {
  let asked: object | null = input;
  while (asked !== null) {
    const result: Result<Output> = await assay.call<Output>(paged.tool, asked, options);
    yield result;
    const next: Readonly<Record<string, unknown>> | null = result.kind === "data" ? nextOf(result.data, paged) : null;
    asked = next === null ? null : { ...asked, ...next };
  }
}

/** The rows of all pages. Throws `tool_error` where a page could not be answered. */
export async function* walkRows<Output, Row>(
  assay: Assay,
  asked: PagedTool & { readonly input: object },
  options?: WalkOptions,
): AsyncGenerator<Row, void, undefined> {
  for await (const result of walkPages<Output>(assay, asked, options)) {
    if (result.kind === "no_data") return;
    if (result.kind === "error")
      throw new AssayError(result.message, {
        ...result.call,
        code: "tool_error",
        status: 200,
        detail: result.body,
        is_charged: false,
      });
    yield* rowsOf<Output, Row>(result, asked.rows);
  }
}

const rowsOf = <Output, Row>({ data }: DataResult<Output>, member: string): readonly Row[] => {
  const rows = isObject(data) ? data[member] : null;
  // The card says which member is the page; where an answer has none (a note instead), there are no rows.
  return Array.isArray(rows) ? (rows as Row[]) : [];
};
