import { AssayError } from "../../lib/errors.ts";
import { Prebuilt } from "../http/cached_body.ts";
import { freeAnswer, refusal, type SurfaceResponse } from "../surface_response.ts";
import type { Operation } from "./operation.ts";

/** Statuses of what the accounts refuse. */
const STATUS: Readonly<Record<string, number>> = {
  NOT_SIGNED_IN: 401,
  SIGN_IN_REFUSED: 401,
  NOT_ALLOWED: 403,
  UNKNOWN_ACCOUNT: 404,
  UNKNOWN_KEY: 404,
  UNKNOWN_TOOL: 404,
  UNKNOWN_USER: 404,
  UNKNOWN_SESSION: 404,
  LAST_OWNER: 409,
  KEY_LIMIT: 409,
  KEY_REVOKED: 409,
  ASSISTANTS_OFF: 404,
  BAD_CLIENT: 422,
  LINK_REFUSED: 410,
  UNKNOWN_RULE: 404,
  UNKNOWN_EVENT: 404,
  WATCH_OFF: 404,
  FOLLOW_OFF: 404,
  MARKET_OFF: 404,
  SUBJECT_LIMIT: 409,
  NOT_ON_DEMAND: 409,
  COVERAGE_INCOMPLETE: 409,
  RULE_LIMIT: 409,
  RULE_ENDED: 409,
  RULE_EXISTS: 409,
  RULE_CHANGED: 409,
  UNKNOWN_CASE: 404,
  CASE_CHANGED: 409,
  CASE_CLOSED: 409,
  CASE_LIMIT: 409,
  BAD_CASE: 422,
  BAD_LIST: 422,
  LIST_CHANGED: 409,
  UNKNOWN_NETWORK: 404,
  CREDITS_SPENT: 409,
  BAD_NAME: 422,
  BAD_PLAN: 422,
  BAD_CREDITS: 422,
  BAD_KEY: 422,
  BAD_FIELD: 422,
  BAD_RULE: 422,
  BAD_PERIOD: 422,
  BAD_PAGE: 422,
  BAD_PASSWORD: 422,
  BAD_USER: 422,
  USAGE_TOO_LONG: 422,
  SIGN_IN_DELAYED: 429,
};

/** The answer to a refusal of the accounts; null for anything else that was thrown. */
export const refusedBy = (error: unknown): SurfaceResponse | null => {
  const status = error instanceof AssayError ? STATUS[error.code] : undefined;
  return error instanceof AssayError && status !== undefined ? refusal(status, error.public) : null;
};

const CSV = { "content-type": "text/csv; charset=utf-8", "content-disposition": 'attachment; filename="assay.csv"' };

/** Runs an operation on an input that its schema has parsed. @throws what the operation throws */
export const runOperation = async <D>(
  operation: Operation<D>,
  desk: D,
  input: Record<string, unknown>,
): Promise<SurfaceResponse> => {
  const output = operation.output.parse(await operation.run(desk, input));
  const answer = freeAnswer(output);
  if (operation.csv === undefined || input.format !== "csv") return answer;
  return { ...answer, body: new Prebuilt(operation.csv(output)), headers: CSV };
};
