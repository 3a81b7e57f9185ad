import type { AnyTool } from "../tool.ts";
import { walletApprovals } from "./approvals.ts";
import { walletDisposals } from "./disposals.ts";
import { groupPnl } from "./group_pnl.ts";
import { tokenHolders } from "./holders.ts";
import { holdingsSeries } from "./holdings.ts";
import { holdersSeries, marketSeries } from "./market.ts";
import { marketMovers, marketNewPools } from "./market_lists.ts";
import { netWorthSeries } from "./net_worth.ts";
import { pnlSeries } from "./pnl.ts";
import { walletStatement } from "./statement.ts";
import { statsSeries } from "./stats.ts";

/**
 * Calls over time and lists of the market, at paths of their own: neither `GET /api/tools` nor MCP lists them. Their prices are in the same catalog.
 * A series costs five calls of its tool, however many steps it has; a statement those of a portfolio at both ends and of its profits; the approvals of a wallet a portfolio; a list of the market ten calls of the risk tool.
 */
export const over_time: readonly AnyTool[] = [
  holdingsSeries,
  netWorthSeries,
  pnlSeries,
  statsSeries,
  holdersSeries,
  marketSeries,
  walletStatement,
  walletDisposals,
  groupPnl,
  walletApprovals,
  marketMovers,
  marketNewPools,
  tokenHolders,
];
