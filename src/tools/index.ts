import { getContractCreation } from "./get_contract_creation/index.ts";
import { getTokenFlows } from "./get_token_flows/index.ts";
import { getTokenHoldersTraders } from "./get_token_holders_traders/index.ts";
import { getTokenInfo } from "./get_token_info.ts";
import { getTokenMarketAnalysis } from "./get_token_market_analysis/index.ts";
import { getWalletAccountMeta } from "./get_wallet_account_meta.ts";
import { getWalletCounterparties } from "./get_wallet_counterparties/index.ts";
import { getWalletDeployedContracts } from "./get_wallet_deployed_contracts/index.ts";
import { getWalletPnl } from "./get_wallet_pnl/index.ts";
import { getWalletPortfolioBreakdown } from "./get_wallet_portfolio_breakdown.ts";
import { getWalletStats } from "./get_wallet_stats/index.ts";
import { getWalletTokenHoldings } from "./get_wallet_token_holdings/index.ts";
import { getWalletTransactionPatterns } from "./get_wallet_transaction_patterns/index.ts";
import { getWalletTransactions } from "./get_wallet_transactions/index.ts";
import { resolveEns } from "./resolve_ens.ts";
import { resolveTokenSymbol } from "./resolve_token_symbol.ts";
import type { AnyTool } from "./tool.ts";

/** The allowlist, in price order, then by name. A tool that is not in this list is neither listed nor callable. */
export const tools: readonly AnyTool[] = [
  getWalletCounterparties,
  getWalletPnl,
  getWalletTransactions,
  getTokenFlows,
  getTokenHoldersTraders,
  getWalletTransactionPatterns,
  getTokenMarketAnalysis,
  getWalletDeployedContracts,
  getWalletPortfolioBreakdown,
  getWalletStats,
  getWalletTokenHoldings,
  getContractCreation,
  getTokenInfo,
  getWalletAccountMeta,
  resolveEns,
  resolveTokenSymbol,
];
