// Walks over pages. Each page is a separate call with its own charge.
import type { Assay, CallOptions } from "./assay.ts";
import { AssayError } from "./errors.ts";
import { type DataResult, isObject, type Result } from "./result.ts";

/** Generated description of a paged tool. */
export interface PagedTool {
  readonly tool: string;
  /** The input has `as_of_block`: later pages use the first page's block, so that every row is on exactly one page. */
  readonly has_block: boolean;
  /** The input has `from_date` and `to_date`: later pages use the first page's window. */
  readonly has_dates: boolean;
  /** The member that holds the rows of a page. */
  readonly rows: string;
}

/** A walk has no key of its own: each page is a separate charge with a separate key. */
export type WalkOptions = Omit<CallOptions, "idempotency_key">;

/** Returns the arguments that change for the next page, or null on the last page. */
const nextOf = (data: unknown, { has_block, has_dates }: PagedTool): Readonly<Record<string, unknown>> | null => {
  const { pagination, metadata } = isObject(data) ? data : {};
  if (!isObject(pagination) || pagination.has_more_data !== true || typeof pagination.page !== "number") return null;
  const { as_of, date_range } = isObject(metadata) ? metadata : {};
  const block = has_block && isObject(as_of) ? { as_of_block: as_of.block_number } : {};
  const window = has_dates && isObject(date_range) ? { from_date: date_range.from, to_date: date_range.to } : {};
  return { page: pagination.page + 1, ...block, ...window };
};

/** Yields the pages from the requested one to the last. Ends after a result without data; an `error` result is yielded too. */
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

/** Yields the rows of all pages. Throws `tool_error` if the tool cannot answer a page. */
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
  // The card names the member of the page; an answer without it (a note instead) has no rows.
  return Array.isArray(rows) ? (rows as Row[]) : [];
};
