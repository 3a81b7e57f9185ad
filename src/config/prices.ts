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
  price_usd: z.number().positive().max(1e12).meta({ description: "USD price of one coin, valid at any time." }),
});

const file = z.strictObject({
  kind: z.literal("file"),
  id,
  file: z.string().meta({
    description:
      "Absolute path of a `.csv` or `.json` table with network, token, price_usd and optionally time (unix seconds or ISO 8601; default: the file's modification time). Assay reloads the file when it changes.",
  }),
});

const feed = z.strictObject({
  kind: z.literal("feed"),
  id,
  url: z
    .url()
    .meta({ description: "Address of the price service; only public addresses, through the guarded fetcher." }),
  shape: z.enum(["coingecko", "defillama"]).meta({
    description: "`coingecko`: the format of `/simple/price`; `defillama`: the format of `/prices/current`.",
  }),
  every_seconds: z.int().min(30).max(86_400).default(300).meta({ description: "Seconds between two requests." }),
  coins: z
    .array(
      z.strictObject({
        network,
        token,
        coin: z.string().min(1).meta({ description: "Coin id of the price service." }),
      }),
    )
    .min(1)
    .meta({ description: "Tokens that its coins price." }),
});

/** Prices that the operator brings. */
export const pricesSettings = z
  .array(z.discriminatedUnion("kind", [fixed, file, feed]))
  .max(32)
  .default([])
  .refine((sources) => new Set(sources.map((source) => source.id)).size === sources.length, "two sources have one id")
  .meta({
    description:
      "Prices of coins that no pool of their chain prices, in order of precedence. A pool's price always takes precedence.",
  });
