/** The result of a tool call. Only its being JSON is trusted. */

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value);

export const fieldsOf = (value: unknown): JsonObject => (isFields(value) ? value : {});

export const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Fields of every answer, errors included. */
interface AnswerBase {
  /** 0 where nothing came back at all. */
  readonly http_status: number;
  /** Credits; null where it is not known whether the call was charged. */
  readonly charged: number | null;
  readonly remaining: number | null;
  readonly request_id: string | null;
  /** When it arrived: unix milliseconds. */
  readonly at_ms: number;
  /** The service kept it from an earlier call, so showing it cost nothing. */
  readonly is_kept?: boolean;
  readonly body: JsonObject;
}

export interface DataAnswer extends AnswerBase {
  readonly status: "data";
}

/** Nothing was found; `message` of the body states what was searched and how. */
export interface NoDataAnswer extends AnswerBase {
  readonly status: "no_data";
}

export interface ErrorAnswer extends AnswerBase {
  readonly status: "error";
  /** The service's code; `HTTP_<status>` where it has none, `UNREACHABLE` and `ABORTED` are the page's own. */
  readonly code: string;
  readonly message: string;
}

export type ToolAnswer = DataAnswer | NoDataAnswer | ErrorAnswer;

const numberIn = (headers: Headers, name: string): number | null => {
  const text = headers.get(name);
  const value = text === null ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
};

const sentenceOf = (detail: unknown): string | null => {
  if (typeof detail === "string") return detail;
  if (Array.isArray(detail)) {
    const lines = detail.map((one) => {
      const { loc, msg } = fieldsOf(one);
      return `${Array.isArray(loc) ? loc.join(".") : ""}: ${String(msg ?? "")}`;
    });
    return lines.join("; ");
  }
  return textOf(fieldsOf(detail).message);
};

const errorOf = (sent: AnswerBase): ErrorAnswer => {
  const { body } = sent;
  const detail = fieldsOf(body.detail);
  const code = textOf(body.code) ?? textOf(detail.error_code) ?? `HTTP_${sent.http_status}`;
  const message =
    textOf(body.message) ?? sentenceOf(body.detail) ?? textOf(body.error) ?? "The service gave no reason.";
  return { ...sent, status: "error", code, message };
};

/** @param body the JSON that came, whatever it is */
export const answerOf = (response: Response, body: unknown, at_ms: number): ToolAnswer => {
  const { headers, status } = response;
  const sent: AnswerBase = {
    http_status: status,
    // A call rejected before it reached an account was not charged.
    charged: numberIn(headers, "x-credits-charged") ?? (status >= 500 ? null : 0),
    remaining: numberIn(headers, "x-credits-remaining"),
    request_id: headers.get("x-request-id"),
    at_ms,
    body: fieldsOf(body),
  };
  if (status !== 200 || sent.body.status === "error" || "error" in sent.body) return errorOf(sent);
  return { ...sent, status: sent.body.status === "no_data" ? "no_data" : "data" };
};

/** Nothing came back. */
export const nothingCame = (code: "UNREACHABLE" | "ABORTED" | "NO_KEY", message: string): ErrorAnswer => ({
  status: "error",
  http_status: 0,
  charged: code === "NO_KEY" ? 0 : null,
  remaining: null,
  request_id: null,
  at_ms: Date.now(),
  body: {},
  code,
  message,
});
