import { ERROR_CODES, type ErrorCode } from "../../lib/outcome.ts";
import { table } from "./markdown_table.ts";

const CODES: Readonly<Record<ErrorCode, string>> = {
  NOT_A_TOKEN: "The address is not a token contract. Check the address and the network.",
  NOT_A_CONTRACT: "The address has no code. Check the address and the network.",
  COVERAGE_INCOMPLETE:
    "The index found nothing and cannot prove absence, or its blocks changed during the call. Retry when more history is indexed.",
  READING:
    "The network is read on demand, and the history of the address or the block of the transaction is being read from the node. The message has the progress and says when to ask again.",
  NOT_ON_DEMAND:
    "The network is read on demand, address by address, and the tool needs facts about other addresses. A network that is indexed whole serves it.",
  SUBJECT_LIMIT:
    "The account may have no further address followed, or block read, on networks that are read on demand (`on_demand` in the configuration).",
  TOKEN_TOO_LARGE_ON_DEMAND:
    "The token moved in more blocks than `on_demand.token_blocks`, on a network that is read on demand. A network that is indexed whole serves it.",
  CHECK_INCOMPLETE:
    "A source of the check could not be read or is too old. The answer includes the findings so far but no verdict. Import a fresh list, or retry.",
  UPSTREAM_UNAVAILABLE: "A node or another external source did not answer. Retry later.",
  TIMEOUT: "The answer was not ready before the deadline, which includes waiting time. Retry, or narrow the query.",
  TOO_LARGE: "The query needs more memory than one call may use. Narrow the date range.",
  OFFCHAIN_DISABLED: "The answer needs an off-chain gateway. The operator can enable it with `web.enabled`.",
  WEB_FETCH_DISABLED: "The answer needs web access. The operator can enable it with `web.enabled`.",
  URL_REFUSED:
    "The URL, or a redirect from it, leads to an address that this instance does not fetch. Use a public address.",
};

/** Statuses, bodies and costs, as the contract states them. */
const STATUSES: readonly (readonly [status: string, when: string, body: string, charged: string])[] = [
  ["200", "a result, or `status` = `no_data`: the lookup ran and found nothing", "the tool's object", "yes"],
  ["200", "`status` = `error`, or any top-level `error` field", "`status`, `code`, `message`, `metadata`", "refunded"],
  ["400", "the body is not readable", "`detail` text", "no"],
  ["401", "no valid key with scope `api:call`", "`detail` text; `WWW-Authenticate: Bearer`", "no"],
  ["404", "the path or the public tool does not exist", "`detail` text", "no"],
  [
    "404",
    "`/api/charts`: the tool has no chart, or this process does not have the answer (any more)",
    "`detail` text: what to do",
    "no",
  ],
  ["405", "the path exists, the method does not", "`detail` text; `Allow`", "no"],
  ["409", "`DUPLICATE_REQUEST`: a running or completed request has this Idempotency-Key", "`detail` object", "no"],
  [
    "409",
    "`PRICE_CHANGED`: prices changed since `X-Credit-Catalog-Version`",
    "`detail` object with the new prices",
    "no",
  ],
  ["408, 413, 431", "the request is too slow, its body too large, its headers too large", "`detail` text", "no"],
  ["422", "the arguments do not fit the tool", "`detail` text: the field, the allowed values, a suggestion", "no"],
  [
    "422",
    "the body is not a JSON object, or a header, `view`, `request_id` or `width` is invalid",
    "`detail` list of `type`, `loc`, `msg`, `input`, `ctx`",
    "no",
  ],
  ["429", "the key reached its rate limit", "`detail` text; no `Retry-After`", "no"],
  [
    "429",
    "`PLAN_LIMIT_REACHED`: the plan has no credits left",
    "`detail` object; `Retry-After` when the reset is known",
    "no",
  ],
  [
    "500, 503",
    "the service failed, is full, is stopping or cannot answer in time; the account already uses its share; or the tool has no price",
    "`detail` text",
    "refunded; unknown if `X-Credits-Charged` is missing",
  ],
];

/** `docs/errors.md`. */
export const errorsPage = (): string => `# Errors

Every answer under \`/api\` is JSON. With HTTP status 200, check \`status\` and \`error\` too.

${table(["Status", "When", "Body", "Charged"], STATUSES)}

## Codes of \`status\` = \`error\`

Assay refunds each of these calls in full.

${table(
  ["Code", "Meaning"],
  ERROR_CODES.map((code) => [`\`${code}\``, CODES[code]]),
)}
`;
