import * as z from "zod";

const id = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,31}$/)
  .meta({ description: "Name of the source, shown in answers." });
const network = z.string().meta({ description: "Network id." });
const token = z.string().default("native").meta({ description: "Token contract, or `native`." });

const fixed = z.strictObject({
  kind: z.literal("fixed"),
  id,
  network,
  token,
  price_usd: z.number().positive().max(1e12).meta({ description: "USD of one coin; it holds at every time." }),
});

const file = z.strictObject({
  kind: z.literal("file"),
  id,
  file: z.string().meta({
    description:
      "Absolute path of a table, `.csv` or `.json`, with network, token, price_usd and perhaps time (unix seconds or ISO 8601; without it a price holds from when the file was written). It is read again whenever it changes.",
  }),
});

const feed = z.strictObject({
  kind: z.literal("feed"),
  id,
  url: z.url().meta({ description: "Address of the price service; only public ones, through the guarded fetcher." }),
  shape: z.enum(["coingecko", "defillama"]).meta({
    description: "`coingecko`: as `/simple/price` answers; `defillama`: as `/prices/current` does.",
  }),
  every_seconds: z.int().min(30).max(86_400).default(300).meta({ description: "Pause between two questions." }),
  coins: z
    .array(
      z.strictObject({
        network,
        token,
        coin: z.string().min(1).meta({ description: "The service's own name of it." }),
      }),
    )
    .min(1)
    .meta({ description: "What its coins are on networks." }),
});

/** Prices that the operator brings. */
export const pricesSettings = z
  .array(z.discriminatedUnion("kind", [fixed, file, feed]))
  .max(32)
  .default([])
  .refine((sources) => new Set(sources.map((source) => source.id)).size === sources.length, "two sources have one id")
  .meta({
    description:
      "Prices for coins that no pool of their chain prices, first source first; a pool's price always counts before them.",
  });
