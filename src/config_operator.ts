import * as z from "zod";

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
    token: token.optional().meta({ description: "Opens the operator API; `operator` in the audit trail." }),
    tokens: z
      .record(z.string().regex(/^[a-z][a-z0-9_.-]{0,31}$/), token)
      .default({})
      .meta({
        description: "Further tokens by the name that the audit trail shows, so that each can be taken away alone.",
      }),
  })
  .default({ listen: "127.0.0.1:8788", tokens: {} })
  .meta({ description: "The operator API. Without a token it is off." });
