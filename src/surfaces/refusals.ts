import type { Catalog, ChargeResult } from "../accounts/meter.ts";
import type { FieldError } from "./http/json_body.ts";
import { quoteText } from "./http/quoted_text.ts";
import { planLimitReached } from "./retry_after.ts";
import { refusal, type SurfaceResponse } from "./surface_response.ts";

export const notFound = refusal(404, "Not Found");
export const methodNotAllowed = (allow: string): SurfaceResponse => refusal(405, "Method Not Allowed", { allow });
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
export const batchTooLong = refusal(
  503,
  "The answers of this batch are too long together. This item is not charged; send fewer items, or accept application/x-ndjson.",
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
export const outcomeUnknown: SurfaceResponse = {
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
  expired: "The access token has expired: renew it with the refresh token",
} as const;

/** @param challenge how to authenticate, as `WWW-Authenticate` says it */
export const unauthorized = (cause: keyof typeof UNAUTHORIZED, challenge = "Bearer"): SurfaceResponse =>
  refusal(401, UNAUTHORIZED[cause], { "www-authenticate": challenge });

export const hostRefused = (host: string): SurfaceResponse =>
  refusal(
    403,
    `The Host${namedHost(host)} is not one of this service's; an operator can add it to the setting mcp.hosts`,
  );
export const originRefused = (origin: string): SurfaceResponse =>
  refusal(
    403,
    `Pages of the Origin${namedHost(origin)} may not call; an operator can add it to the setting mcp.origins`,
  );

/** Any text can be in a header line, also a key of the line before: the answer repeats only text that can name a host. */
const namedHost = (text: string): string => (/^[a-z0-9.:/[\]-]{1,253}$/i.test(text) ? ` ${quoteText(text)}` : "");

/** Hidden and unknown tools get the same text. */
export const unknownToolText = (name: string): string => {
  const shown = [...name.toWellFormed().replace(/\p{Cc}/gu, "")].slice(0, 64).join("");
  return `Tool '${shown}' not found`;
};
export const unknownTool = (name: string): SurfaceResponse => refusal(404, unknownToolText(name));

export const invalidEnvelope = (items: readonly FieldError[]): SurfaceResponse => refusal(422, items);

export const invalidArguments = (tool: string, sentence: string): SurfaceResponse =>
  refusal(422, `Invalid arguments for tool '${tool}': ${sentence}`);

type UnchargedResult = Exclude<ChargeResult, { readonly kind: "charged" }>;

const duplicate = (state: string, same_request: boolean): SurfaceResponse => {
  const code = "DUPLICATE_REQUEST";
  const message =
    state === "running"
      ? "A request with this Idempotency-Key is still running."
      : "A request with this Idempotency-Key has completed. Its answer is not sent again.";
  return refusal(409, { code, error_code: code, message, state, same_request });
};

const priceChanged = ({ version, credits }: Catalog): SurfaceResponse => {
  const code = "PRICE_CHANGED";
  const message = `Prices changed: the catalog version is now ${quoteText(version)}.`;
  return refusal(409, { code, error_code: code, message, catalog_version: version, prices: credits });
};

/** The answer to a charge that was not made. */
export const notCharged = (result: UnchargedResult, now_ms: number): SurfaceResponse => {
  const { standing: credit_status } = result;
  switch (result.kind) {
    case "duplicate":
      return { ...duplicate(result.state, result.same_request), credit_status };
    case "price_changed":
      return { ...priceChanged(result.catalog), credit_status };
    case "price_unavailable":
      return {
        ...refusal(503, "The price of this tool is temporarily unavailable. Nothing is charged."),
        credit_status,
      };
    case "plan_limit":
      return { ...planLimitReached(result, now_ms), credit_status };
  }
};
