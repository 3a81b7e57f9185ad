import { isIP } from "node:net";
import * as z from "zod";
import { isOwnMachine } from "./listen_address.ts";

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
          "The https address under which browsers reach the service, behind what encrypts; null: people sign in on this machine alone, by plain HTTP.",
      }),
    proxies: z
      .array(z.string().refine((text) => isIP(text) !== 0, "expected an address"))
      .default([])
      .meta({
        description:
          "Addresses of the proxies in front, whose last word in `X-Forwarded-For` is taken for where a sign-in comes from.",
      }),
    operators: z.boolean().default(false).meta({
      description:
        "Operators who sign in do on the public surface what the operator API does. Beyond this machine only with `operator.allow_remote`.",
    }),
  })
  .default({ origin: null, proxies: [], operators: false })
  .meta({ description: "Pages on which people sign in." });

interface Reach {
  readonly listen: string;
  readonly sign_in: z.output<typeof signInSettings>;
  readonly operator: { readonly allow_remote: boolean };
}

/** Whether operators' pages are where only this machine, or what the operator has said, can reach them. */
export const operatorsStayHere = ({ listen, sign_in, operator }: Reach): boolean =>
  !sign_in.operators || operator.allow_remote || (sign_in.origin === null && isOwnMachine(listen));
