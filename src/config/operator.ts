import * as z from "zod";
import { isOwnMachine } from "./listen_address.ts";

/** Names of `operator.token` and `operator.read_token` in the log and in the audit trail. */
export const OPERATOR = "operator";
export const READER = "operator_read";

const token = z
  .string()
  .min(24)
  .max(200)
  .regex(/^[\x21-\x2b\x2d-\x7e]+$/, "visible ASCII without a comma");

/** The operator API: off until it has a token. */
export const operatorSettings = z
  .strictObject({
    listen: z
      .string()
      .default("127.0.0.1:8788")
      .meta({ description: "Address and port of the operator API, never those of `listen`; port 0 picks a free one." }),
    allow_remote: z.boolean().default(false).meta({
      description:
        "Allow an `operator.listen` that other machines can reach. It serves plain HTTP: use it only in a private network or behind a TLS proxy.",
    }),
    token: token.optional().meta({ description: "Token of the operator API; shown as `operator` in the audit trail." }),
    read_token: token.optional().meta({
      description:
        "Read-only token of the operator API (lists, the audit trail, the verification); requests that change something fail with 403.",
    }),
    tokens: z
      .record(z.string().regex(/^[a-z][a-z0-9_.-]{0,31}$/), token)
      .default({})
      .meta({
        description: "Further tokens, each under its name in the audit trail, so that each can be revoked separately.",
      }),
  })
  .refine(({ token, read_token, tokens }) => {
    const all = [token, read_token, ...Object.values(tokens)].filter((one) => one !== undefined);
    return new Set(all).size === all.length;
  }, "two operator tokens are equal: use a different token for each name")
  .refine(
    ({ tokens }) => !Object.hasOwn(tokens, OPERATOR) && !Object.hasOwn(tokens, READER),
    `operator.tokens: the names ${OPERATOR} and ${READER} are those of operator.token and operator.read_token`,
  )
  .refine(({ listen, allow_remote, token, read_token, tokens }) => {
    const is_on = token !== undefined || read_token !== undefined || Object.keys(tokens).length > 0;
    return !is_on || allow_remote || isOwnMachine(listen);
  }, "the operator API would be reachable from other machines in plain HTTP: listen on 127.0.0.1, or set operator.allow_remote to true")
  .default({ listen: "127.0.0.1:8788", allow_remote: false, tokens: {} })
  .meta({ description: "The operator API. Without a token it is off." });
