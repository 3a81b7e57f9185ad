import { ERROR_CODES, type ErrorCode } from "../../lib/outcome.ts";
import { table } from "./markdown_table.ts";

const CODES: Readonly<Record<ErrorCode, string>> = {
  NOT_A_TOKEN: "The address is no token contract.",
  NOT_A_CONTRACT: "The address holds no code.",
  COVERAGE_INCOMPLETE: "Nothing was found, and the index cannot prove that there is nothing; or its blocks changed.",
  CHECK_INCOMPLETE: "A source that the check needs could not be read or is too old. Findings so far are included.",
  UPSTREAM_UNAVAILABLE: "A node or another outside source did not answer.",
  TIMEOUT: "The answer was not ready in time; waiting counts.",
  TOO_LARGE: "The query needs more memory than one call may use. Narrow the date range.",
  OFFCHAIN_DISABLED: "The answer needs an outside gateway, and the operator has not enabled it.",
  WEB_FETCH_DISABLED: "The answer needs a look at the web, and the operator has not enabled it.",
  URL_REFUSED: "The address leads, by its name or by a redirect, to where this instance does not go.",
};

/** Statuses, bodies and costs, as the contract states them. */
const STATUSES: readonly (readonly [status: string, when: string, body: string, charged: string])[] = [
  ["200", "a result, or `status` = `no_data`: the lookup ran and found nothing", "the tool's object", "yes"],
  ["200", "`status` = `error`, or any top-level `error` field", "`status`, `code`, `message`, `metadata`", "refunded"],
  ["400", "the body cannot be read", "`detail` text", "no"],
  ["401", "no valid key with scope `api:call`", "`detail` text; `WWW-Authenticate: Bearer`", "no"],
  ["404", "no such path, or no such public tool", "`detail` text", "no"],
  [
    "404",
    "`/api/charts`: answers of the tool have no picture, or this process does not hold the answer (any more)",
    "`detail` text: what to do",
    "no",
  ],
  ["405", "the path exists, the method does not", "`detail` text; `Allow`", "no"],
  [
    "409",
    "`DUPLICATE_REQUEST`: the Idempotency-Key belongs to a running or completed request",
    "`detail` object",
    "no",
  ],
  [
    "409",
    "`PRICE_CHANGED`: prices changed since `X-Credit-Catalog-Version`",
    "`detail` object with the new prices",
    "no",
  ],
  ["408, 413, 431", "too slow, body too large, headers too large", "`detail` text", "no"],
  ["422", "the arguments do not fit the tool", "`detail` text: field, what is allowed, what was probably meant", "no"],
  [
    "422",
    "the body is no JSON object, or a header, `view`, `request_id` or `width` is invalid",
    "`detail` list of `type`, `loc`, `msg`, `input`, `ctx`",
    "no",
  ],
  ["429", "the key's rate limit", "`detail` text; no `Retry-After`", "no"],
  ["429", "`PLAN_LIMIT_REACHED`: the plan's credits", "`detail` object; `Retry-After` when the reset is known", "no"],
  [
    "500, 503",
    "the service failed, is full, cannot answer in time or is stopping, the account has its share of it already, or the tool has no price",
    "`detail` text",
    "refunded; not known when `X-Credits-Charged` is missing",
  ],
];

/** `docs/errors.md`. */
export const errorsPage = (): string => `# Errors

Every answer under \`/api\` is JSON. Check \`status\` and \`error\` also when the HTTP status is 200.

${table(["Status", "When", "Body", "Charged"], STATUSES)}

## Codes of \`status\` = \`error\`

Each is refunded in full.

${table(
  ["Code", "Meaning"],
  ERROR_CODES.map((code) => [`\`${code}\``, CODES[code]]),
)}
`;
