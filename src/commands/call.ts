import { randomUUID } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { tablesOf } from "../case/tables.ts";
import { chartOf, PICTURED_TOOLS, svgText } from "../charts/index.ts";
import { csvOf } from "../lib/csv.ts";
import { DOCUMENT_BOUNDS, JsonFault, readJson } from "../lib/json_bounds.ts";
import { isRecord } from "../lib/record.ts";
import { describeTool } from "../surfaces/openapi/describe_tool.ts";
import { callPath } from "../tools/tool.ts";
import { columnOf, type View } from "../tools/view.ts";
import { type CommandArgs, type CommandIo, EXIT, flag, printData, UsageFault, word } from "./command.ts";
import { callerKey, sendRequest, serviceUrl, unknownTool } from "./http.ts";
import { answerLines } from "./written_answer.ts";

/** Characters of a line where the terminal does not say. */
const WIDTH = 120;

/** `key=value`: the value is JSON when the tool's field wants no text and it reads as JSON, otherwise text. */
const argumentsOf = (words: readonly string[], textFields: ReadonlySet<string>): Record<string, unknown> => {
  const body: Record<string, unknown> = {};
  for (const text of words) {
    const at = text.indexOf("=");
    if (at < 1) throw new UsageFault(`'${text}' is not key=value`);
    const name = text.slice(0, at);
    const value = text.slice(at + 1);
    body[name] = textFields.has(name) ? value : readValue(value);
  }
  return body;
};

const readValue = (text: string): unknown => {
  try {
    return readJson(text, DOCUMENT_BOUNDS);
  } catch (error) {
    if (error instanceof JsonFault) return text;
    throw error;
  }
};

interface ToolCard {
  readonly name: string;
  readonly input_schema: { readonly properties: Readonly<Record<string, { readonly type?: string }>> };
}

/** The tool as listed by the service; null when the list is unavailable, in which case the call reports why. */
const cardOf = async (io: CommandIo, where: { url: string; key: string; tool: string }): Promise<ToolCard | null> => {
  const answer = await sendRequest(`${where.url}/api/tools`, {
    headers: { authorization: `Bearer ${where.key}` },
    signal: io.signal,
  });
  if (answer.status !== 200) return null;
  // The discovery body of our own service.
  const { tools } = answer.body as { readonly tools: readonly ToolCard[] };
  const card = tools.find(({ name }) => name === where.tool);
  if (card === undefined) throw new UsageFault(unknownTool(where.tool, tools));
  return card;
};

/** A series or a statement, which no list of the service has; null for any other name. */
const besideNamed = async (name: string): Promise<{ readonly card: ToolCard; readonly path: string } | null> => {
  const { over_time } = await import("../tools/over_time/index.ts");
  const tool = over_time.find((one) => one.name === name);
  if (tool === undefined) return null;
  // The schema of an object: its properties are schemas.
  return { card: describeTool(tool, []) as unknown as ToolCard, path: callPath(tool) };
};

/** Fields of a tool that hold text, so that a block-hash-like or all-digit value is not read as a number. */
const textFieldsOf = (card: ToolCard | null): ReadonlySet<string> => {
  const fields = Object.entries(card?.input_schema.properties ?? {});
  return new Set(fields.filter(([, schema]) => schema.type === "string").map(([name]) => name));
};

const exitCode = (status: number, body: unknown): number => {
  if (status === 401) return EXIT.auth;
  if (status === 429) return EXIT.refused;
  if (status === 422 || status === 400 || status === 404) return EXIT.usage;
  if (status !== 200) return EXIT.error;
  const marker = typeof body === "object" && body !== null && "status" in body ? body.status : null;
  if (marker === "no_data") return EXIT.no_data;
  return marker === "error" || (typeof body === "object" && body !== null && "error" in body) ? EXIT.error : EXIT.ok;
};

/** Where the picture goes; null: none is wanted. Refused before anything is charged. */
const pictureFile = (args: CommandArgs, tool: string): string | null => {
  const file = flag(args, "svg");
  if (file === null) return null;
  if (!PICTURED_TOOLS.includes(tool))
    throw new UsageFault(`answers of '${tool}' have no picture; those with one: ${PICTURED_TOOLS.join(", ")}`);
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch {
    throw new UsageFault(`'${file}' cannot be written: the folder does not exist or is not writable`);
  }
  return file;
};

const drawTo = async (io: CommandIo, file: string, answer: { readonly tool: string; readonly body: unknown }) => {
  const chart = chartOf(answer.tool, answer.body);
  if (chart === null) return io.err("no picture: the answer holds nothing to draw\n");
  await writeFile(file, svgText(chart, { standalone: true }));
  io.err(`picture in ${file}\n`);
};

/** The compact view of the tool's card says which columns matter (docs/design/portal.md). Null for a tool that this program does not know. */
const viewOf = async (tool: string): Promise<View | null> => {
  const { tools } = await import("../tools/index.ts");
  return tools.find(({ name }) => name === tool)?.view ?? null;
};

const columnsFlag = (args: CommandArgs): readonly string[] | null => {
  const text = flag(args, "columns");
  const columns = text?.split(",").map((column) => column.trim());
  if (columns?.some((column) => column === "") === true)
    throw new UsageFault("--columns takes names with commas between");
  return columns ?? null;
};

/** How the answer is written: JSON, CSV of its list of rows, or tables for people. */
interface AnswerForm {
  readonly is_csv: boolean;
  readonly columns: readonly string[] | null;
}

const formOf = (args: CommandArgs): AnswerForm => {
  const is_csv = flag(args, "csv") !== null;
  if (is_csv && flag(args, "json") !== null) throw new UsageFault("--csv and --json exclude each other");
  return { is_csv, columns: columnsFlag(args) };
};

/** The requested rows, else the first list; figures when the answer has no list. */
const csvLines = (body: Record<string, unknown>, view: View | null, columns: readonly string[] | null): string => {
  const tables = tablesOf(body);
  const isPage = ({ name }: { readonly name: string }): boolean => {
    const drawn = view?.drawn?.[name];
    return typeof drawn === "object" && drawn.is === "page";
  };
  const table = tables.find(isPage) ?? tables.find(({ name }) => name !== "figures") ?? tables[0];
  if (table === undefined) return "";
  const named = columns?.filter((column) => table.columns.includes(column)) ?? [];
  return csvOf(
    named.length > 0 ? named : table.columns,
    table.rows.map((row) => Object.fromEntries(table.columns.map((column, at) => [column, row[at] ?? null]))),
  );
};

/** Names of no column of any list: said, because the answer is paid for. */
const warnUnknown = (io: CommandIo, body: Record<string, unknown>, columns: readonly string[]): void => {
  const tables = tablesOf(body);
  const isKnown = (column: string): boolean =>
    tables.some((table) => table.columns.some((known) => known === columnOf(column).name));
  const unknown = columns.filter((column) => !isKnown(column));
  if (unknown.length > 0) io.err(`no list of the answer has a column ${unknown.join(", ")}\n`);
};

const write = async (
  io: CommandIo,
  { is_csv, columns }: AnswerForm,
  { tool, status, body }: { readonly tool: string; readonly status: number; readonly body: unknown },
): Promise<void> => {
  const is_answer = status === 200 && isRecord(body);
  if (is_answer && columns !== null) warnUnknown(io, body, columns);
  if (is_csv && is_answer) return io.out(csvLines(body, await viewOf(tool), columns));
  if (io.json && columns === null) return printData(io, body);
  const width = process.stdout.columns || WIDTH;
  for (const line of answerLines(body, { width, view: await viewOf(tool), columns })) io.out(`${line}\n`);
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const form = formOf(args);
  const tool = word(args, 0, "the tool's name");
  const url = serviceUrl(args, io);
  const key = callerKey(args, io);
  const beside = await besideNamed(tool);
  const card = beside?.card ?? (await cardOf(io, { url, key, tool }));
  const file = pictureFile(args, tool);
  const textFields = textFieldsOf(card);
  const answer = await sendRequest(`${url}${beside?.path ?? `/api/tools/${encodeURIComponent(tool)}`}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": flag(args, "idempotency-key") ?? randomUUID(),
    },
    body: JSON.stringify(argumentsOf(args.words.slice(1), textFields)),
    signal: io.signal,
  });
  await write(io, form, { tool, status: answer.status, body: answer.body });
  const charged = answer.headers.get("x-credits-charged");
  if (charged !== null)
    io.err(
      `${charged} ${charged === "1" ? "credit" : "credits"} charged, ${answer.headers.get("x-credits-remaining") ?? "?"} left\n`,
    );
  if (file !== null && answer.status === 200) await drawTo(io, file, { tool, body: answer.body });
  return exitCode(answer.status, answer.body);
};
