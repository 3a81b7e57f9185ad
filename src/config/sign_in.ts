import { isIP } from "node:net";
import * as z from "zod";
import { isOwnMachine } from "./listen_address.ts";

/** Programs to which people give a key by signing in. */
const assistantSettings = z
  .strictObject({
    enabled: z.boolean().default(true).meta({
      description: "Let assistants obtain a key for `/mcp` when a user allows it on a page (OAuth 2.1).",
    }),
    access_seconds: z.int().min(60).max(86_400).default(3_600).meta({
      description: "Lifetime of the key's secret. The assistant renews it.",
    }),
    refresh_days: z.int().min(1).max(365).default(30).meta({
      description: "Days without a call after which the key ends and the user must sign in again.",
    }),
  })
  .default({ enabled: true, access_seconds: 3_600, refresh_days: 30 })
  .meta({ description: "Sign-in of assistants." });

/** People who sign in on pages. */
export const signInSettings = z
  .strictObject({
    origin: z
      .url({ protocol: /^https$/ })
      .refine((text) => URL.canParse(text) && new URL(text).origin === text, "only https://name, without a path")
      .nullable()
      .default(null)
      .meta({
        description:
          "https address under which browsers reach the service behind a TLS proxy; null: sign-in only on this machine, over plain HTTP.",
      }),
    proxies: z
      .array(z.string().refine((text) => isIP(text) !== 0, "expected an address"))
      .default([])
      .meta({
        description:
          "Addresses of the reverse proxies whose last entry in `X-Forwarded-For` is trusted as the origin of a sign-in.",
      }),
    operators: z.boolean().default(false).meta({
      description:
        "Serve the operator API to signed-in operators on the public surface. Beyond this machine only with `operator.allow_remote`.",
    }),
    assistants: assistantSettings,
  })
  .default({
    ...{ origin: null, proxies: [], operators: false },
    assistants: { enabled: true, access_seconds: 3_600, refresh_days: 30 },
  })
  .meta({ description: "Sign-in of users on pages." });

interface Reach {
  readonly listen: string;
  readonly sign_in: z.output<typeof signInSettings>;
  readonly operator: { readonly allow_remote: boolean };
}

/** Whether operators' pages are where only this machine, or what the operator has said, can reach them. */
export const operatorsStayHere = ({ listen, sign_in, operator }: Reach): boolean =>
  !sign_in.operators || operator.allow_remote || (sign_in.origin === null && isOwnMachine(listen));
