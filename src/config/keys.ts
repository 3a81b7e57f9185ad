import * as z from "zod";

const pepper = z.string().min(16);

/** How keys of callers look and are stored. */
export const keySettings = z
  .strictObject({
    prefix: z
      .string()
      .regex(/^[a-z][a-z0-9_]{2,15}$/)
      .default("svc_live_")
      .meta({ description: "First characters of every key." }),
    pepper: pepper.optional().meta({ description: "Secret mixed into stored key hashes." }),
    previous_peppers: z.array(pepper).max(4).default([]).meta({
      description: "Earlier peppers whose hashes remain valid. A key is rehashed with `pepper` when it is used.",
    }),
  })
  .default({ prefix: "svc_live_", previous_peppers: [] })
  .meta({ description: "Keys of callers." });
