import type { ServerResponse } from "node:http";
import { EXPORT_TYPES, type ExportFormat } from "../../http/export_format.ts";
import { toJson } from "../../http/json.ts";
import { sendText } from "../../http/streamed_text.ts";
import { answerHeaders } from "../../http/transport.ts";
import type { SurfaceResponse } from "../../surface_response.ts";
import { type AnswerMembers, isMembers } from "../../view/shape.ts";
import { csvHead, csvRows, rowsAt } from "./columns.ts";
import type { ExportPage } from "./pages.ts";

interface ExportStream {
  readonly response: ServerResponse;
  readonly request_id: string;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

export interface ExportForm {
  readonly format: ExportFormat;
  /** Path of the exported list. */
  readonly list: string;
  readonly columns: readonly string[];
}

type DataPage = ExportPage & { readonly data: AnswerMembers };

interface ExportSource {
  readonly first: DataPage;
  readonly rest: AsyncIterable<ExportPage>;
}

/**
 * Streams the rows of all pages. A page that the client did not take is refunded. After a page without data, lines end with the reason,
 * and a CSV breaks off: its connection closes in the middle of the transfer, so that no client takes it for the whole.
 * @returns the credits charged; null where that is not known.
 */
export const streamPages = async (
  { response, request_id, stopping }: ExportStream,
  form: ExportForm,
  { first, rest }: ExportSource,
): Promise<number | null> => {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const ends = AbortSignal.any([gone.signal, stopping]);
  response.writeHead(200, {
    ...answerHeaders(request_id),
    ...factHeaders(first.data),
    "content-type": form.format === "csv" ? `${EXPORT_TYPES.csv}; charset=utf-8; header=present` : EXPORT_TYPES.ndjson,
    "x-accel-buffering": "no",
  });
  const head =
    form.format === "csv" ? csvHead(form.columns) : toJson({ list: form.list, metadata: first.data.metadata });
  const taken = { rows: 0, pages: 0, credits_charged: 0 as number | null };
  const take = async ({ answer, data }: DataPage, before: string): Promise<boolean> => {
    const rows = rowsAt(data, form.list);
    const text = form.format === "csv" ? csvRows(form.columns, rows) : rows.map((row) => `${toJson(row)}\n`).join("");
    const is_taken = await sendText(response, before + text, ends);
    const charged = is_taken || answer.retract === undefined ? answer.charged : (await answer.retract()).charged;
    taken.credits_charged = charged === null || taken.credits_charged === null ? null : taken.credits_charged + charged;
    if (is_taken) {
      taken.rows += rows.length;
      taken.pages += 1;
    }
    return is_taken;
  };
  let is_taken = await take(first, form.format === "csv" ? head : `${head}\n`);
  let refused: SurfaceResponse | null = null;
  for await (const { answer, data } of is_taken ? rest : []) {
    if (data === null) refused = answer;
    is_taken = data !== null && (await take({ answer, data }, ""));
    if (!is_taken) break;
  }
  end(response, { form, refused, taken });
  return taken.credits_charged;
};

interface ExportEnd {
  readonly form: ExportForm;
  /** The page without data that ended the walk. */
  readonly refused: SurfaceResponse | null;
  readonly taken: object;
}

const end = (response: ServerResponse, { form, refused, taken }: ExportEnd): void => {
  if (response.destroyed) return;
  if (form.format === "csv") {
    if (refused === null) response.end();
    else response.destroy();
    return;
  }
  const stopped = refused === null ? {} : { http_status: refused.status, answer: refused.body };
  response.end(`${toJson({ complete: refused === null, ...taken, ...stopped })}\n`);
};

const codesOf = (warnings: unknown): readonly string[] =>
  Array.isArray(warnings) ? warnings.filter(isMembers).map(({ code }) => String(code)) : [];

/** Block, completeness and warnings as headers, because a CSV has no column for them. */
const factHeaders = ({ metadata }: AnswerMembers): Readonly<Record<string, string>> => {
  if (!isMembers(metadata)) return {};
  const networks = Array.isArray(metadata.networks) ? metadata.networks.filter(isMembers) : [];
  const parts = networks.length > 0 ? networks : [{ ...metadata, network: metadata.chain }];
  const blocks = parts.flatMap(({ network, as_of }) =>
    isMembers(as_of) ? [`${String(network)}=${String(as_of.block_number)}`] : [],
  );
  const is_complete = parts.every(({ coverage }) => isMembers(coverage) && coverage.complete === true);
  const warnings = codesOf(metadata.warnings);
  return {
    ...(blocks.length === 0 ? {} : { "x-as-of-block": blocks.join(", ") }),
    "x-coverage-complete": String(is_complete),
    ...(warnings.length === 0 ? {} : { "x-warnings": warnings.join(", ") }),
  };
};
