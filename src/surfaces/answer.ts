import type { Catalog, ChargeResult, CreditStatus } from "../accounts/meter.ts";
import { iso } from "../lib/time.ts";
import type { EnvelopeItem } from "./envelope.ts";
import { quoted } from "./quoted.ts";

/** What a surface answers, before it is written in the surface's own form. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** Credits that this request cost; 0 when nothing was charged or it was refunded; null when that is not known. */
  readonly charged: number | null;
  /** Null when no caller is known, or when the accounts store does not answer. */
  readonly standing: CreditStatus | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of an answer that was charged: gives the charge back, and is the answer that goes out when there is no time left for this one. */
  readonly retract?: () => Promise<Answer>;
}

export const refusal = (status: number, detail: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  body: { detail },
  charged: 0,
  standing: null,
  headers,
});

/** The sentence of a refusal whose `detail` is text. */
export const detailOf = ({ body }: Answer): string => String(Reflect.get(Object(body), "detail"));

const BEARER = { "www-authenticate": "Bearer" };

export const notFound = refusal(404, "Not Found");
export const methodNotAllowed = (allow: string): Answer => refusal(405, "Method Not Allowed", { allow });
export const unreadable = refusal(400, "There was an error parsing the body");
export const hostMissing = refusal(400, "The Host header is missing");
export const tooLarge = refusal(413, "Request body too large", { connection: "close" });
export const internal = refusal(500, "Internal server error");
export const storeAway = refusal(503, "The service is temporarily unavailable. Nothing is charged; try again.");
export const overloaded = refusal(503, "Too many calls are running. Nothing is charged; try again in a moment.");
export const shareTaken = refusal(
  503,
  "Too many calls of this account are running. Nothing is charged; try again when some have finished.",
);
export const crowded = refusal(
  503,
  "This account's requests and answers in transit are too large. Nothing is charged; try again in a moment.",
  { connection: "close" },
);
export const tooLate = refusal(
  503,
  "The service is too busy to answer in time. Nothing is charged; try again in a moment.",
);
export const chargedLate = refusal(
  503,
  "The call could not be charged in time. Nothing is charged, or the charge is refunded within a minute. Try again.",
);
export const closing = refusal(503, "The service is stopping. Nothing is charged; try again in a moment.");
export const leaseLost = refusal(503, "The call could not be settled in time and is refunded. Try again.");
export const outcomeUnknown: Answer = {
  ...refusal(
    503,
    "The accounts store stopped answering while the call was settled. The call is charged, or refunded within a minute; a repeat with the same Idempotency-Key is not charged twice.",
  ),
  charged: null,
};

const UNAUTHORIZED = {
  header: "The Authorization header is missing or malformed: send 'Authorization: Bearer <API_KEY>'",
  key: "The API key is not valid for this service",
  replaced: "The secret of this API key was replaced by a rotation and has ended: send the new one",
} as const;

export const unauthorized = (cause: keyof typeof UNAUTHORIZED): Answer => refusal(401, UNAUTHORIZED[cause], BEARER);

export const rateLimited = (limit_per_minute: number): Answer =>
  refusal(429, `Rate limit exceeded: ${limit_per_minute} requests per minute for this key`);

export const hostRefused = (host: string): Answer =>
  refusal(
    403,
    `The Host${namedHost(host)} is not one of this service's; an operator can add it to the setting mcp.hosts`,
  );
export const originRefused = (origin: string): Answer =>
  refusal(
    403,
    `Pages of the Origin${namedHost(origin)} may not call; an operator can add it to the setting mcp.origins`,
  );

/** A header line may hold anything, a key of the line before it too: only what can name a host is repeated. */
const namedHost = (text: string): string => (/^[a-z0-9.:/[\]-]{1,253}$/i.test(text) ? ` ${quoted(text)}` : "");

/** Hidden and unknown tools get the same text. */
export const unknownToolText = (name: string): string => {
  const shown = [...name.toWellFormed().replace(/\p{Cc}/gu, "")].slice(0, 64).join("");
  return `Tool '${shown}' not found`;
};
export const unknownTool = (name: string): Answer => refusal(404, unknownToolText(name));

export const invalidEnvelope = (items: readonly EnvelopeItem[]): Answer => refusal(422, items);

export const invalidArguments = (tool: string, sentence: string): Answer =>
  refusal(422, `Invalid arguments for tool '${tool}': ${sentence}`);

type Refused = Exclude<ChargeResult, { readonly kind: "charged" }>;

const duplicate = (state: string, same_request: boolean): Answer => {
  const code = "DUPLICATE_REQUEST";
  const message =
    state === "running"
      ? "A request with this Idempotency-Key is still running."
      : "A request with this Idempotency-Key has completed. Its answer is not sent again.";
  return refusal(409, { code, error_code: code, message, state, same_request });
};

const priceChanged = ({ version, credits }: Catalog): Answer => {
  const code = "PRICE_CHANGED";
  const message = `Prices changed: the catalog version is now ${quoted(version)}.`;
  return refusal(409, { code, error_code: code, message, catalog_version: version, prices: credits });
};

const planLimit = (result: Extract<Refused, { kind: "plan_limit" }>, now_ms: number): Answer => {
  const { meter, plan_id, limit, resets_at } = result;
  const reset = resets_at === null ? null : iso(Math.floor(resets_at / 1000));
  const when = reset === null ? "This plan does not reset." : `It resets at ${reset}.`;
  const message = `The credits left on plan '${plan_id}' do not cover this call. ${when}`;
  const detail = { error_code: "PLAN_LIMIT_REACHED", meter, plan_id, limit, resets_at: reset, message };
  const seconds = resets_at === null ? null : Math.max(0, Math.ceil((resets_at - now_ms) / 1000));
  return refusal(429, detail, seconds === null ? {} : { "retry-after": String(seconds) });
};

/** The answer to a charge that was not made. */
export const notCharged = (result: Refused, now_ms: number): Answer => {
  const { standing } = result;
  switch (result.kind) {
    case "duplicate":
      return { ...duplicate(result.state, result.same_request), standing };
    case "price_changed":
      return { ...priceChanged(result.catalog), standing };
    case "price_unavailable":
      return { ...refusal(503, "The price of this tool is temporarily unavailable. Nothing is charged."), standing };
    case "plan_limit":
      return { ...planLimit(result, now_ms), standing };
  }
};
