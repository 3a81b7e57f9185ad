import * as z from "zod";
import type { CallContext, SnapshotContext } from "../../domain/context.ts";
import { SUMS_REASON } from "../../domain/token/holders/sums.ts";
import { readLiquidity } from "../../domain/token/market/liquidity.ts";
import { readHolderCount, readSubject } from "../../domain/token/market/read.ts";
import { formatToken } from "../../domain/token/metadata/metadata.ts";
import { readSteps, type SteppedValue } from "../../domain/window/steps.ts";
import type { Hex } from "../../lib/bytes.ts";
import { data, failed } from "../../lib/outcome.ts";
import { metadata, token } from "../fields.ts";
import { metadataFor } from "../metadata.ts";
import { DEMO_EXAMPLES, defineTool, type ToolInput } from "../tool.ts";
import { checkSteps, daysOf, openSteps, over, stepFields, stepRow } from "./fields.ts";

const input = z.strictObject({ token_address: token("Token address, or `native`."), ...over });

const described = metadata({
  token_address: z.string(),
  step: z.string(),
  date_range: z.strictObject({ from: z.string(), to: z.string() }),
});

const marketOutput = z.strictObject({
  type: z.literal("market_series"),
  steps: z
    .array(
      z.strictObject({
        ...stepFields,
        price_usd: z.number().nullable().describe("Price at the block, from verified pools or the operator."),
        price_confidence: z.enum(["low", "medium", "high"]).nullable(),
        liquidity_usd: z.number().nullable().describe("Both sides of all verified pools."),
      }),
    )
    .describe("Oldest first."),
  metadata: described,
});

const holdersOutput = z.strictObject({
  type: z.literal("holders_series"),
  steps: z.array(z.strictObject({ ...stepFields, holders_count: z.int().nullable() })).describe("Oldest first."),
  metadata: described,
});

const NO_PRICE = "No verified pool with enough liquidity, and no price of the operator, had a price.";
const NO_HOLDERS = "The index does not cover the whole history.";

type SeriesInput = ToolInput<typeof input>;

/** Reads the token at each step; a failure where it is no token at the newest block. */
const readTokenSteps = async <T>(
  asked: SeriesInput,
  context: CallContext,
  how: { readonly methodology: string; readonly read: (scope: SnapshotContext, token: Hex) => Promise<T> },
) => {
  const { scope, window, steps } = await openSteps(context, asked);
  const { text, hex } = asked.token_address;
  const about = metadataFor(scope.chain, scope.snapshot, {
    echo: { token_address: formatToken(scope.chain, hex), step: asked.step, date_range: daysOf(window) },
    methodology: how.methodology,
    warnings: window.warnings,
  });
  if ((await readSubject(scope, hex)) === null) {
    const message = `${text} does not behave like a token on ${asked.network}, and the index has no transfer of it.`;
    return { kind: "none" as const, outcome: failed("NOT_A_TOKEN", message, about) };
  }
  const read: readonly SteppedValue<T>[] = await readSteps({ scope, steps }, (at) => how.read(at, hex));
  return { kind: "read" as const, read, about };
};

const readMarket = async (scope: SnapshotContext, asked: Hex) => {
  const found = (await readLiquidity(scope, [asked])).get(asked);
  const price = found?.priceOf(asked) ?? null;
  return { price, liquidity_usd: found?.usd ?? null, lacking: found?.reason ?? null };
};

export const marketSeries = defineTool({
  name: "series_market",
  path: "series/market",
  title: "Market of a token over time",
  description:
    "Price and liquidity of a token at the last block of each day, week or month, as get_token_market_analysis has them as of that block. For open, high, low and volume: `/api/market/candles`.",
  credits: 40,
  families: ["evm", "solana", "tron"],
  input,
  output: marketOutput,
  example: { token_address: DEMO_EXAMPLES.token, network: "demo", step: "week" },
  check: checkSteps,
  run: async (asked, context) => {
    const found = await readTokenSteps(asked, context, { methodology: "series/market@1", read: readMarket });
    if (found.kind === "none") return found.outcome;
    return data({
      type: "market_series" as const,
      steps: found.read.map(({ value, ...of }) => ({
        ...stepRow({ ...of, reason: of.reason ?? (value?.price === null ? NO_PRICE : (value?.lacking ?? null)) }),
        price_usd: value?.price?.price_usd ?? null,
        price_confidence: value?.price?.confidence ?? null,
        liquidity_usd: value?.liquidity_usd ?? null,
      })),
      metadata: found.about,
    });
  },
});

export const holdersSeries = defineTool({
  name: "series_holders",
  path: "series/holders",
  title: "Holders of a token over time",
  description:
    "Number of holders of a token at the last block of each day, week or month, as get_token_market_analysis has it as of that block.",
  credits: 40,
  families: ["evm", "solana", "tron"],
  input,
  output: holdersOutput,
  example: { token_address: DEMO_EXAMPLES.token, network: "demo", step: "week" },
  check: checkSteps,
  run: async (asked, context) => {
    const found = await readTokenSteps(asked, context, { methodology: "series/holders@1", read: readHolderCount });
    if (found.kind === "none") return found.outcome;
    return data({
      type: "holders_series" as const,
      steps: found.read.map(({ value, ...of }) => {
        const doubt = value?.is_doubtful === true ? SUMS_REASON : NO_HOLDERS;
        const holders_count = value?.count ?? null;
        return { ...stepRow({ ...of, reason: of.reason ?? (holders_count === null ? doubt : null) }), holders_count };
      }),
      metadata: found.about,
    });
  },
});
