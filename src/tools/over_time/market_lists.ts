import * as z from "zod";
import type { CallContext, SnapshotContext } from "../../domain/context.ts";
import { readLiquidity } from "../../domain/token/market/liquidity.ts";
import { broughtToken, readMovers, readNewPools } from "../../domain/token/market/listing.ts";
import { formatToken, metadataIn, metadataOf, symbolOf } from "../../domain/token/metadata/metadata.ts";
import type { Hex } from "../../lib/bytes.ts";
import { data } from "../../lib/outcome.ts";
import { HOUR_S, iso } from "../../lib/time.ts";
import { chainText, metadata } from "../fields.ts";
import { metadataFor } from "../metadata.ts";
import { defineTool, type ToolInput } from "../tool.ts";
import { type LeftOut, listedPart, listInput, traitFields, traitReader } from "./listed_traits.ts";

const DEPTH_MIN_DEFAULT = 1_000;

const moversInput = z.strictObject({
  ...listInput,
  direction: z.enum(["gainers", "losers"]).default("gainers"),
  min_depth_usd: z
    .number()
    .min(0)
    .default(DEPTH_MIN_DEFAULT)
    .describe("Least USD on the other side of the deepest pool in the newest hour."),
});

const poolsInput = z.strictObject({
  ...listInput,
  min_liquidity_usd: z.number().min(0).default(0).describe("Least USD in all verified pools of the token."),
});

const tokenFields = { token_address: z.string(), symbol: chainText("Token symbol.").nullable() };

const echo = { window_hours: z.int(), without: z.array(z.string()) };

const moversOutput = z.strictObject({
  type: z.literal("market_movers"),
  movers: z
    .array(
      z.strictObject({
        ...tokenFields,
        price_usd: z.number().describe("Price of the newest whole hour with prices."),
        earlier_price_usd: z.number().describe("Price of the hour window_hours before."),
        change_percent: z.number(),
        volume_usd: z.number().describe("Traded in verified pools in the window."),
        depth_usd: z.number(),
        confidence: z.enum(["low", "medium", "high"]).describe("The lower one of both prices."),
        hour: z.string().describe("First second of the newest hour."),
        ...traitFields,
      }),
    )
    .describe("The largest change first."),
  listing: listedPart,
  metadata: metadata(echo),
});

const poolsOutput = z.strictObject({
  type: z.literal("market_new_pools"),
  pools: z
    .array(
      z.strictObject({
        ...tokenFields,
        pool: z.string().describe("Address or id of the pool."),
        exchange: z.string(),
        family: z.string().describe("Contract family of the pool."),
        created_at: z.string(),
        block_number: z.int(),
        tx_hash: z.string(),
        price_usd: z.number().nullable(),
        liquidity_usd: z.number().nullable().describe("In all verified pools of the token."),
        liquidity_reason: z.string().nullable().describe("Why liquidity_usd is null."),
        ...traitFields,
      }),
    )
    .describe("The newest first; the token is the one that is no dollar coin and not the wrapped native coin."),
  listing: listedPart,
  metadata: metadata(echo),
});

type ListAsked = Pick<
  ToolInput<typeof moversInput>,
  "network" | "window_hours" | "without" | "skip" | "limit" | "as_of_block"
>;

const openList = async (context: CallContext, asked: ListAsked, methodology: string) => {
  const { facts, signal } = context;
  const chain = context.chain(asked.network);
  const snapshot = await facts.snapshot(asked.network, asked.as_of_block ?? null);
  const scope: SnapshotContext = { facts, chain, snapshot, signal };
  const { window_hours, without, skip, limit } = asked;
  const about = metadataFor(chain, snapshot, { echo: { window_hours, without: [...without] }, methodology });
  return { scope, about, query: { window_s: window_hours * HOUR_S, limit, offset: skip } };
};

/** Rows whose token passes `without`, in order, and the count of the others. Tokens are read one after another, to spare the node. */
const filtered = async <R extends { readonly token: Hex | null }>(
  scope: SnapshotContext,
  rows: readonly R[],
  { asked, context }: { readonly asked: ListAsked; readonly context: CallContext },
) => {
  const read = await traitReader(scope, asked.without, context);
  const left_out: LeftOut = { has_trait: 0, unknown_trait: 0, thin: 0 };
  const kept: (R & Pick<Awaited<ReturnType<typeof read>>, "traits" | "reason">)[] = [];
  for (const row of rows) {
    const { verdict, traits, reason } = await read(row.token);
    if (verdict === "clean") kept.push({ ...row, traits, reason });
    else left_out[verdict] += 1;
  }
  return { kept, left_out };
};

const traitRow = ({
  traits,
  reason,
}: {
  readonly traits: readonly string[] | null;
  readonly reason: string | null;
}) => ({
  // The reader names traits of the list only.
  traits: traits as z.output<typeof moversOutput>["movers"][number]["traits"],
  traits_reason: reason,
});

export const marketMovers = defineTool({
  name: "market_movers",
  path: "market/movers",
  title: "Tokens whose price changed most",
  description:
    "Tokens with the largest change of price in a window, from prices of verified pools in whole hours, filtered by depth and by the risk traits of get_token_risk_traits.",
  credits: 30,
  families: ["evm", "solana", "tron"],
  input: moversInput,
  output: moversOutput,
  example: { network: "demo", window_hours: 24 },
  run: async (asked, context) => {
    const { scope, about, query } = await openList(context, asked, "list/movers@1");
    const are_gainers = asked.direction === "gainers";
    const found = await readMovers(scope, { ...query, are_gainers, depth_usd_min: asked.min_depth_usd });
    const { kept, left_out } = await filtered(scope, found.rows, { asked, context });
    const faces = await metadataOf(
      scope,
      kept.map(({ token }) => token),
    );
    return data({
      type: "market_movers" as const,
      movers: kept.map((row) => ({
        token_address: formatToken(scope.chain, row.token),
        symbol: symbolOf(scope.chain, metadataIn(faces, row.token)),
        price_usd: row.price_usd,
        earlier_price_usd: row.before_usd,
        change_percent: (row.price_usd / row.before_usd - 1) * 100,
        volume_usd: row.volume_usd,
        depth_usd: row.depth_usd,
        confidence: row.confidence as "low" | "medium" | "high",
        hour: iso(row.hour),
        ...traitRow(row),
      })),
      listing: { skip: asked.skip, read: found.rows.length, left_out, has_more_data: found.has_more },
      metadata: about,
    });
  },
});

export const marketNewPools = defineTool({
  name: "market_new_pools",
  path: "market/new_pools",
  title: "New pools of a network",
  description:
    "Pools that factories of known exchanges announced in a window, with the token's price and liquidity, filtered by liquidity and by the risk traits of get_token_risk_traits.",
  credits: 30,
  families: ["evm", "solana", "tron"],
  input: poolsInput,
  output: poolsOutput,
  example: { network: "demo", window_hours: 168 },
  run: async (asked, context) => {
    const { scope, about, query } = await openList(context, asked, "list/new_pools@1");
    const found = await readNewPools(scope, query);
    const rows = found.rows.map((row) => ({ ...row, token: broughtToken(scope, row) }));
    const tokens = [...new Set(rows.flatMap(({ token, token0 }) => token ?? token0))];
    const liquidity = await readLiquidity(scope, tokens);
    const usdOf = (token: Hex): number | null => liquidity.get(token)?.usd ?? null;
    const deep = rows.filter(
      ({ token, token0 }) => asked.min_liquidity_usd === 0 || (usdOf(token ?? token0) ?? -1) >= asked.min_liquidity_usd,
    );
    const { kept, left_out } = await filtered(scope, deep, { asked, context });
    const faces = await metadataOf(scope, tokens);
    const { chain } = scope;
    return data({
      type: "market_new_pools" as const,
      pools: kept.map((row) => {
        const token = row.token ?? row.token0;
        const worth = liquidity.get(token);
        return {
          token_address: formatToken(chain, token),
          symbol: symbolOf(chain, metadataIn(faces, token)),
          pool: chain.formatAddress(row.pool),
          ...{ exchange: row.venue, family: row.family, created_at: iso(row.time), block_number: row.block_number },
          tx_hash: chain.formatHash(row.tx_hash),
          price_usd: worth?.priceOf(token)?.price_usd ?? null,
          liquidity_usd: worth?.usd ?? null,
          liquidity_reason: worth?.reason ?? null,
          ...traitRow(row),
        };
      }),
      listing: {
        ...{ skip: asked.skip, read: found.rows.length, has_more_data: found.has_more },
        left_out: { ...left_out, thin: rows.length - deep.length },
      },
      metadata: about,
    });
  },
});
