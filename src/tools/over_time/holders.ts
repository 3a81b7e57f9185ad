import * as z from "zod";
import type { CallContext, SnapshotContext } from "../../domain/context.ts";
import { type HolderPage, holdersGap, readHolderPage } from "../../domain/token/holders/every_holder.ts";
import { SUMS_REASON } from "../../domain/token/holders/sums.ts";
import { readSubject } from "../../domain/token/market/read.ts";
import {
  formatToken,
  metadataIn,
  metadataOf,
  symbolOf,
  type TokenMetadata,
} from "../../domain/token/metadata/metadata.ts";
import { toAmount } from "../../lib/money.ts";
import { data, failed } from "../../lib/outcome.ts";
import { address, asOfBlock, category, chainText, labelSource, metadata, network, token } from "../fields.ts";
import { metadataFor } from "../metadata.ts";
import { DEMO_EXAMPLES, defineTool, type ToolInput } from "../tool.ts";

/** Addresses of a page: their balances are one query. */
const LIMIT_MAX = 1_000;
const NO_DECIMALS = "The contract does not report its decimals.";

const input = z.strictObject({
  token_address: token("Token address, or `native`."),
  network: network(),
  after: address("The last address of the page before (`pagination.next`).").optional(),
  limit: z
    .int()
    .min(1)
    .max(LIMIT_MAX)
    .default(LIMIT_MAX)
    .describe("Addresses to read. Those without a balance are left out."),
  as_of_block: asOfBlock(),
});

const output = z.strictObject({
  type: z.literal("token_holders"),
  token: z.strictObject({
    address: z.string(),
    symbol: chainText("Token symbol.").nullable(),
    decimals: z.int().nullable(),
  }),
  holders: z
    .array(
      z.strictObject({
        address: z.string(),
        label: z.string().nullable(),
        category,
        label_source: labelSource,
        balance: z.number().nullable(),
        balance_raw: z.string().nullable().describe("Base units; exact."),
        reason: z.string().nullable().describe("Why a balance is null."),
      }),
    )
    .describe("In the order of their addresses."),
  pagination: z.strictObject({
    read_count: z.int().describe("Addresses that were read: those that ever held the token."),
    returned_count: z.int(),
    has_more_data: z.boolean(),
    next: z
      .strictObject({ after: z.string(), as_of_block: z.int() })
      .nullable()
      .describe("Arguments of the next page."),
  }),
  is_complete: z.boolean().describe("Whether the index has every movement of the token."),
  reason: z.string().nullable().describe("Why is_complete is false."),
  metadata: metadata({ token_address: z.string() }),
});

type HoldersInput = ToolInput<typeof input>;

const rowOf = ({ chain }: SnapshotContext, face: TokenMetadata, row: HolderPage["holders"][number]) => {
  const { amount, label, category, label_source } = row;
  const { decimals } = face;
  return {
    address: chain.formatAddress(row.address),
    ...{ label, category, label_source },
    balance: amount === null || decimals === null ? null : toAmount(amount, decimals),
    balance_raw: amount === null ? null : amount.toString(),
    reason: amount === null ? SUMS_REASON : decimals === null ? NO_DECIMALS : null,
  };
};

const readList = async (asked: HoldersInput, context: CallContext) => {
  const { facts, signal } = context;
  const chain = context.chain(asked.network);
  const snapshot = await facts.snapshot(asked.network, asked.as_of_block ?? null);
  const scope: SnapshotContext = { facts, chain, snapshot, signal };
  const { text, hex } = asked.token_address;
  const token_address = formatToken(chain, hex);
  const about = metadataFor(chain, snapshot, { echo: { token_address }, methodology: "list/holders@1" });
  if ((await readSubject(scope, hex)) === null) {
    const message = `${text} does not behave like a token on ${asked.network}, and the index has no transfer of it.`;
    return failed("NOT_A_TOKEN", message, about);
  }
  const [faces, page] = await Promise.all([
    metadataOf(scope, [hex]),
    readHolderPage(scope, { token: hex, after: asked.after?.hex ?? "", limit: asked.limit }),
  ]);
  const face = metadataIn(faces, hex);
  const gap = holdersGap(scope, hex);
  const { number: as_of_block } = snapshot.block;
  const next = page.next_after === null ? null : { after: chain.formatAddress(page.next_after), as_of_block };
  return data({
    type: "token_holders" as const,
    token: { address: token_address, symbol: symbolOf(chain, face), decimals: face.decimals },
    holders: page.holders.map((row) => rowOf(scope, face, row)),
    pagination: {
      ...{ read_count: page.read_count, returned_count: page.holders.length },
      ...{ has_more_data: next !== null, next },
    },
    ...{ is_complete: gap === null, reason: gap, metadata: about },
  });
};

export const tokenHolders = defineTool({
  name: "token_holders",
  path: "token/holders",
  title: "All holders of a token",
  description:
    "Every address with a balance of a token, in the order of the addresses, with its exact balance and label, up to 1,000 a page. For the largest holders: get_token_holders_traders.",
  credits: 10,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { token_address: DEMO_EXAMPLES.token, network: "demo" },
  run: readList,
  view: { members: "token holders", drawn: { holders: { is: "page" } } },
});
