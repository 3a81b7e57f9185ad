import { analyzeTokenDeveloper } from "./analyze_token_developer/index.ts";
import { analyzeTokenWebsite } from "./analyze_token_website/index.ts";
import { analyzeTransaction } from "./analyze_transaction/index.ts";
import { getContractCreation } from "./get_contract_creation/index.ts";
import { getContractSourceCode } from "./get_contract_source_code/index.ts";
import { getTokenFlowIntelligence } from "./get_token_flow_intelligence/index.ts";
import { getTokenFlows } from "./get_token_flows/index.ts";
import { getTokenHoldersTraders } from "./get_token_holders_traders/index.ts";
import { getTokenInfo } from "./get_token_info/index.ts";
import { getTokenMarketAnalysis } from "./get_token_market_analysis/index.ts";
import { getTokenRiskTraits } from "./get_token_risk_traits/index.ts";
import { getWalletAccountMeta } from "./get_wallet_account_meta.ts";
import { getWalletAddressProfile } from "./get_wallet_address_profile/index.ts";
import { getWalletCounterparties } from "./get_wallet_counterparties/index.ts";
import { getWalletCounterpartiesAnalysis } from "./get_wallet_counterparties_analysis/index.ts";
import { getWalletDeployedContracts } from "./get_wallet_deployed_contracts/index.ts";
import { getWalletOsintRecord } from "./get_wallet_osint_record/index.ts";
import { getWalletPnl } from "./get_wallet_pnl/index.ts";
import { getWalletPortfolioBreakdown } from "./get_wallet_portfolio_breakdown.ts";
import { getWalletRiskOverview } from "./get_wallet_risk_overview.ts";
import { getWalletRiskScore } from "./get_wallet_risk_score.ts";
import { getWalletStablecoinCompliance } from "./get_wallet_stablecoin_compliance/index.ts";
import { getWalletStats } from "./get_wallet_stats/index.ts";
import { getWalletTokenHoldings } from "./get_wallet_token_holdings/index.ts";
import { getWalletTransactionPatterns } from "./get_wallet_transaction_patterns/index.ts";
import { getWalletTransactions } from "./get_wallet_transactions/index.ts";
import { isAddressBlacklistedByStablecoin } from "./is_address_blacklisted_by_stablecoin.ts";
import { resolveEns } from "./resolve_ens.ts";
import { resolveName } from "./resolve_name/index.ts";
import { resolveTokenSymbol } from "./resolve_token_symbol.ts";
import type { AnyTool } from "./tool.ts";

/** The allowlist, in price order, then by name. A tool that is not in this list is neither listed nor callable. */
export const tools: readonly AnyTool[] = [
  analyzeTransaction,
  getWalletStablecoinCompliance,
  analyzeTokenDeveloper,
  getWalletCounterparties,
  getWalletCounterpartiesAnalysis,
  getWalletPnl,
  getWalletTransactions,
  getTokenFlowIntelligence,
  getTokenFlows,
  getTokenHoldersTraders,
  getWalletRiskOverview,
  getWalletTransactionPatterns,
  analyzeTokenWebsite,
  getContractSourceCode,
  getTokenMarketAnalysis,
  getWalletAddressProfile,
  getWalletDeployedContracts,
  getWalletPortfolioBreakdown,
  getWalletRiskScore,
  getWalletStats,
  getWalletTokenHoldings,
  getContractCreation,
  getTokenInfo,
  getTokenRiskTraits,
  isAddressBlacklistedByStablecoin,
  getWalletAccountMeta,
  getWalletOsintRecord,
  resolveEns,
  resolveName,
  resolveTokenSymbol,
];
