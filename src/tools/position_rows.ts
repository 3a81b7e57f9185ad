import * as z from "zod";
import { formatToken } from "../domain/token/metadata/metadata.ts";
import type { ValuedPosition } from "../domain/wallet/positions/read.ts";
import type { WalletWorth } from "../domain/wallet/positions/worth.ts";
import { toAmount } from "../lib/money.ts";
import { chainText } from "./fields.ts";
import { spotFields, spotValue } from "./worth_fields.ts";

const symbol = () => chainText("Token symbol; null when the contract reports none.").nullable();

const underlying = z.strictObject({
  symbol: symbol(),
  token_address: z.string(),
  amount: z.number().nullable().describe("Amount in whole tokens; null when its decimals are unknown."),
  amount_raw: z.string(),
  usd_value: z.number().nullable(),
  ...spotValue,
});

/** A holding that stands for other tokens. */
export const position = z.strictObject({
  protocol: z.string().describe("Exchange of the pool, `erc4626`, `aave` (forks included), or the network of a stake."),
  kind: z.enum(["pool_share", "vault_share", "lending_receipt", "debt", "staked_coins"]),
  is_debt: z.boolean().describe("True for a debt, which is subtracted from total_value_usd."),
  chain: z.string(),
  token_address: z.string(),
  symbol: symbol(),
  amount: z.number().nullable(),
  amount_raw: z.string(),
  usd_value: z.number().nullable().describe("USD value of the underlying tokens, never negative; null if unpriced."),
  ...spotValue,
  underlying: z.array(underlying),
});

export type PositionRow = z.output<typeof position>;

/** A position as it is shown. */
export const positionRow = ({ holding, valued, faces }: ValuedPosition): PositionRow => {
  const { chain, face, balance, decimals } = holding;
  const { claim, parts, usd_value } = valued;
  return {
    protocol: claim.protocol,
    kind: claim.kind,
    is_debt: claim.kind === "debt",
    chain: chain.network.id,
    token_address: formatToken(chain, face.token),
    symbol: face.symbol,
    amount: decimals === null ? null : toAmount(balance, decimals),
    amount_raw: balance.toString(),
    usd_value,
    ...spotFields(valued.spot_value_usd, valued.value_limit),
    underlying: parts.map((part, i) => {
      const places = faces[i]?.decimals ?? null;
      return {
        symbol: faces[i]?.symbol ?? null,
        token_address: formatToken(chain, part.token),
        amount: places === null ? null : toAmount(part.amount, places),
        amount_raw: part.amount.toString(),
        usd_value: part.usd_value,
        ...spotFields(part.spot_value_usd, part.value_limit),
      };
    }),
  };
};

const keyOf = ({ holding: { chain, face } }: ValuedPosition): string => `${chain.network.id}:${face.token}`;

/** Largest value first, then what has none, then network and token: a total order. */
export const byPositionValue = (a: ValuedPosition, b: ValuedPosition): number =>
  (b.valued.usd_value ?? -1) - (a.valued.usd_value ?? -1) || (keyOf(a) < keyOf(b) ? -1 : 1);

/** Value of a listed holding that stands for other tokens. */
export const positionValue = () =>
  z
    .number()
    .nullable()
    .describe(
      "USD value of the tokens that this holding stands for, part of positions_value_usd, below zero for a debt; null for other holdings.",
    );

export const worth = {
  holdings_value_usd: z
    .number()
    .nullable()
    .describe("USD value of coins and tokens at their own prices, without spam; null when none has a price."),
  positions_value_usd: z
    .number()
    .nullable()
    .describe(
      "USD value of pool and vault shares, lending minus debt, and staked native coins; null when none has a price.",
    ),
  total_value_usd: z
    .number()
    .nullable()
    .describe("holdings_value_usd plus positions_value_usd, as far as known; null when nothing has a price."),
};

export const unpricedFields = (values: WalletWorth): { field: string; reason: string }[] =>
  (["holdings_value_usd", "positions_value_usd", "total_value_usd"] as const)
    .filter((field) => values[field] === null)
    .map((field) => ({ field, reason: "nothing of it has a price" }));
