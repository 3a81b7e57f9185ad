import type * as z from "zod";
import { readEnvelope } from "../http/envelope.ts";
import type { FieldError } from "../http/json_body.ts";
import * as refusals from "../refusals.ts";
import type { SurfaceResponse } from "../surface_response.ts";
import type { Operation } from "./operation.ts";

type PathFields = Readonly<Record<string, string>>;
type InputResult = { readonly input: Record<string, unknown> } | { readonly answer: SurfaceResponse };
type AnyOperation = Pick<Operation<never>, "method" | "input">;

/** The parts of a request beside its path fields. */
export interface RequestInput {
  readonly url: string;
  readonly raw_headers: readonly string[];
  /** Ignored on GET. */
  readonly body: Buffer;
}

/** The fields of path, query and body as one input, or the refusal of an invalid one. */
export const inputOf = (
  operation: AnyOperation,
  in_path: PathFields,
  { url, raw_headers, body }: RequestInput,
): InputResult => {
  if (operation.method === "GET") return judge(operation, { ...queryOf(url), ...in_path }, in_path);
  const takes_body = Object.keys(operation.input.shape).some((name) => !(name in in_path));
  const is_bare = body.length === 0 && (!takes_body || operation.input.safeParse(in_path).success);
  if (is_bare) return judge(operation, { ...in_path }, in_path);
  const envelope = readEnvelope(raw_headers, body);
  if (envelope.kind === "unreadable") return { answer: refusals.unreadable };
  if (envelope.kind === "invalid") return { answer: refusals.invalidEnvelope(envelope.items) };
  const twice = Object.keys(envelope.args).filter((name) => name in in_path);
  const loc = twice.map((name) => ({
    type: "extra_forbidden",
    loc: ["body", name],
    msg: "Already set in the path",
  }));
  if (loc.length > 0) return { answer: refusals.invalidEnvelope(loc) };
  return judge(operation, { ...envelope.args, ...in_path }, in_path);
};

/** Whole numbers of a query are numbers; everything else is text. */
const queryOf = (url: string): Record<string, unknown> => {
  const query = new URLSearchParams(url.split("?", 2)[1] ?? "");
  return Object.fromEntries([...query].map(([name, text]) => [name, /^\d{1,15}$/.test(text) ? Number(text) : text]));
};

const judge = (operation: AnyOperation, value: Readonly<Record<string, unknown>>, in_path: PathFields): InputResult => {
  const parsed = operation.input.safeParse(value);
  if (parsed.success) return { input: parsed.data };
  const rest = operation.method === "GET" ? "query" : "body";
  return { answer: refusals.invalidEnvelope(parsed.error.issues.flatMap((issue) => itemsOf(issue, rest, in_path))) };
};

const itemsOf = (issue: z.core.$ZodIssue, rest: "query" | "body", in_path: PathFields): readonly FieldError[] => {
  const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((name) => ({ type: "extra_forbidden", loc: [rest, ...path, name], msg: "Unknown field" }));
  const where = String(path[0]) in in_path ? "path" : rest;
  return [{ type: issue.code, loc: [where, ...path], msg: issue.message }];
};
