import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { stateBlock } from "../../token/holders/balances.ts";
import { metadataIn, metadataOf } from "../../token/metadata/metadata.ts";
import { pricesAt } from "../../valuation/prices/price_now.ts";
import { usdOf } from "../../valuation/worth.ts";
import type { ValuedPosition } from "./read.ts";
import { UNPRICED } from "./value.ts";

interface StakedPositions {
  readonly positions: readonly ValuedPosition[];
  readonly warnings: readonly Warning[];
}

const NONE: StakedPositions = { positions: [], warnings: [] };

const UNREAD: Warning = {
  code: "STAKED_UNREAD",
  message: "The node could not provide the staked coins at this block; they are missing.",
};

/** Amount of the wallet's coins that the network locks; null when no node reports it. */
const readAmount = async ({ chain, snapshot, signal }: SnapshotContext, wallet: Hex): Promise<bigint | null> => {
  if (chain.stakedCoins === undefined) return 0n;
  try {
    const at = await stateBlock({ chain, snapshot, signal });
    return at === snapshot.block.number ? await chain.stakedCoins(wallet, signal, at) : null;
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return null;
    throw error;
  }
};

/** Coins that the network holds for a wallet: staked, lent out as resources, or being withdrawn. */
export const readStaked = async (scope: SnapshotContext, wallet: Hex): Promise<StakedPositions> => {
  const amount = await readAmount(scope, wallet);
  if (amount === null) return { positions: [], warnings: [UNREAD] };
  if (amount === 0n) return NONE;
  const { chain, facts, snapshot } = scope;
  const { network } = chain;
  const [faces, prices] = await Promise.all([metadataOf(scope, [""]), pricesAt({ facts, network, snapshot }, [""])]);
  const [face, price] = [metadataIn(faces, ""), prices.get("") ?? null];
  const { decimals } = network.native;
  const usd_value = usdOf(amount, decimals, price);
  const holding = {
    ...{ chain, face, balance: amount, decimals, price, usd_value, category: "native" as const },
    ...{ spot_value_usd: usd_value, value_limit: null },
    ...{ price_change_24h_percent: null, is_collectible: false, spam_reasons: [], last_change: null },
  };
  const parts = [{ token: "" as const, amount }];
  const claim = { token: "" as const, kind: "staked_coins" as const, protocol: network.family, market: null, parts };
  const valued = {
    claim,
    parts: [{ token: "" as const, amount, usd_value, spot_value_usd: usd_value, value_limit: null }],
    ...{ usd_value, spot_value_usd: usd_value, value_limit: null },
    reason: usd_value === null ? UNPRICED : null,
  };
  return { positions: [{ holding, valued, faces: [face] }], warnings: [] };
};
