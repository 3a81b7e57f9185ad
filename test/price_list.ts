/** Credits per call of each tool. */
export const PRICES: Readonly<Record<number, readonly string[]>> = {
  40: ["analyze_transaction", "get_wallet_stablecoin_compliance"],
  25: [
    "analyze_token_developer",
    "get_wallet_counterparties",
    "get_wallet_counterparties_analysis",
    "get_wallet_pnl",
    "get_wallet_transactions",
  ],
  15: [
    "get_token_flow_intelligence",
    "get_token_flows",
    "get_token_holders_traders",
    "get_wallet_risk_overview",
    "get_wallet_transaction_patterns",
  ],
  8: [
    "analyze_token_website",
    "get_contract_source_code",
    "get_token_market_analysis",
    "get_wallet_address_profile",
    "get_wallet_deployed_contracts",
    "get_wallet_portfolio_breakdown",
    "get_wallet_risk_score",
    "get_wallet_stats",
    "get_wallet_token_holdings",
  ],
  3: ["get_contract_creation", "get_token_info", "get_token_risk_traits", "is_address_blacklisted_by_stablecoin"],
  1: ["get_wallet_account_meta", "get_wallet_osint_record", "resolve_name", "resolve_ens", "resolve_token_symbol"],
};
