import * as z from "zod";
import type { SnapshotContext } from "../../domain/context.ts";
import { formatToken, symbolOf } from "../../domain/token/metadata/metadata.ts";
import { byValue, readHoldingsAt, type ValuedHolding } from "../../domain/wallet/holdings/holdings.ts";
import { prepareHoldings } from "../../domain/wallet/holdings/step_holdings.ts";
import { readAssets } from "../../domain/wallet/positions/read.ts";
import { type RowWorth, rowWorths } from "../../domain/wallet/positions/worth.ts";
import { readSteps } from "../../domain/window/steps.ts";
import type { Hex } from "../../lib/bytes.ts";
import { toAmount } from "../../lib/money.ts";
import { data } from "../../lib/outcome.ts";
import { isoDay } from "../../lib/time.ts";
import { address, chainText, includeSpam, metadata, token } from "../fields.ts";
import { metadataFor } from "../metadata.ts";
import { positionValue } from "../position_rows.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { checkSteps, daysOf, openSteps, over, stepFields, stepRow, warningsOf } from "./fields.ts";

const METHODOLOGY = "series/holdings@1";
const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 100;

const input = z.strictObject({
  wallet_address: address("Wallet address."),
  ...over,
  token_address: token("Only this token, or `native`. Default: all tokens of the wallet.").optional(),
  limit: z.int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT).describe("Most holdings of a step, largest first."),
  include_spam: includeSpam(),
});

const holding = z.strictObject({
  date: z.string().describe("First day of the step."),
  token_address: z.string().describe("Token address, or `native` for the network's native coin."),
  symbol: chainText("Token symbol.").nullable(),
  balance: z.number().nullable().describe("Balance in whole tokens; null when the token's decimals are unknown."),
  balance_raw: z.string(),
  price_usd: z.number().nullable(),
  usd_value: z
    .number()
    .nullable()
    .describe("USD that the verified pools would pay for the balance; null without a price."),
  position_value_usd: positionValue(),
});

const stepOf = z.strictObject({
  ...stepFields,
  token_count: z.int().nullable().describe("Number of holdings, of which at most `limit` are rows."),
});

const output = z.strictObject({
  type: z.literal("holdings_series"),
  holdings: z
    .array(holding)
    .describe("Of each step in turn, the largest value first. A token that is not held has no row."),
  steps: z.array(stepOf).describe("Oldest first."),
  metadata: metadata({
    wallet_address: z.string(),
    step: z.string(),
    date_range: z.strictObject({ from: z.string(), to: z.string() }),
  }),
});

const UNPROVEN = "Nothing was found, and the index does not cover the whole history.";

interface HoldingsAsked {
  readonly wallet: Hex;
  /** Null: every token. */
  readonly token: Hex | null;
  readonly include_spam: boolean;
}

interface StepHoldings {
  readonly held: readonly ValuedHolding[];
  readonly worthOfRow: (holding: ValuedHolding) => RowWorth;
  readonly is_proven: boolean;
  readonly warnings: Awaited<ReturnType<typeof readHoldingsAt>>["warnings"];
}

const readHeld = async (
  scope: SnapshotContext,
  { wallet, token: only, include_spam }: HoldingsAsked,
): Promise<StepHoldings> => {
  const { holdings, is_proven, warnings } = await readHoldingsAt(scope, wallet);
  const found = await readAssets(scope, wallet, holdings);
  const held = holdings
    .filter(({ face, spam_reasons }) =>
      only === null ? include_spam || spam_reasons.length === 0 : face.token === only,
    )
    .sort(byValue);
  return { held, is_proven, worthOfRow: rowWorths(found.positions), warnings: [...warnings, ...found.warnings] };
};

const rowOf = (
  date: string,
  found: ValuedHolding,
  { worthOfRow }: Pick<StepHoldings, "worthOfRow">,
): z.output<typeof holding> => {
  const { face, chain, price, decimals, balance } = found;
  const { usd_value, position_value_usd } = worthOfRow(found);
  return {
    date,
    token_address: formatToken(chain, face.token),
    symbol: symbolOf(chain, face),
    balance: decimals === null ? null : toAmount(balance, decimals),
    balance_raw: balance.toString(),
    price_usd: price?.price_usd ?? null,
    usd_value,
    position_value_usd,
  };
};

export const holdingsSeries = defineTool({
  name: "series_holdings",
  path: "series/holdings",
  title: "Holdings of a wallet over time",
  description:
    "Balances of one token or of all tokens of a wallet at the last block of each day, week or month, with price and USD value, as get_wallet_token_holdings has them as of that block.",
  credits: 40,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { wallet_address: DEMO_EXAMPLES.trader, network: "demo", step: "month" },
  check: checkSteps,
  run: async (asked, context) => {
    const { scope, window, steps } = await openSteps(context, asked);
    const { text, hex: wallet } = asked.wallet_address;
    const { include_spam, limit, token_address } = asked;
    const query = { wallet, token: token_address?.hex ?? null, include_spam };
    const prepare = await prepareHoldings(scope, wallet);
    const read = await readSteps({ scope, steps, prepare }, (at) => readHeld(at, query));
    const isUnknown = (value: StepHoldings | null): boolean =>
      value === null || (value.held.length === 0 && !value.is_proven);
    return data({
      type: "holdings_series" as const,
      steps: read.map(({ value, ...of }) => ({
        ...stepRow({ ...of, reason: of.reason ?? (isUnknown(value) ? UNPROVEN : null) }),
        token_count: isUnknown(value) ? null : (value?.held.length ?? null),
      })),
      holdings: read.flatMap(({ step, value }) =>
        value === null ? [] : value.held.slice(0, limit).map((found) => rowOf(isoDay(step.from), found, value)),
      ),
      metadata: metadataFor(scope.chain, scope.snapshot, {
        echo: { wallet_address: text, step: asked.step, date_range: daysOf(window) },
        methodology: METHODOLOGY,
        warnings: [...window.warnings, ...warningsOf(read.map(({ value }) => value?.warnings ?? []))],
      }),
    });
  },
});
