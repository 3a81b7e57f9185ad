/** Tools on networks that are read on demand: what their answers lack there, or why they do not answer. For `docs/networks.md`. */

const MARKET = "prices, pools, holders";

/** Of tools that answer in part. A tool that is absent here lacks nothing, or only values in USD. */
export const LACKING: Readonly<Record<string, string>> = {
  analyze_transaction:
    "comparison with earlier recipients of the sender; names by derived labels; in a screening, exposure through addresses that are not read",
  get_contract_creation: "contracts that were destroyed",
  get_contract_source_code: "other contracts with the same code",
  get_token_flows: "the cohort of smart traders, derived labels of exchanges; on Solana and Tron it does not answer",
  get_token_holders_traders: "funders; profits in tokens that ended; on Solana and Tron it does not answer",
  get_token_info: `${MARKET}, earlier names`,
  get_token_risk_traits: `${MARKET}, simulated trades in pools that no known factory names, other tokens of the creator`,
  get_wallet_address_profile: "exposure through addresses that are not read; the funders of such addresses",
  get_wallet_counterparties_analysis:
    "indirect exposure; relationships that follow from the history of counterparties that are not read",
  get_wallet_deployed_contracts: `${MARKET} and outcome of its tokens`,
  get_wallet_risk_overview: "exposure through addresses that are not read; how tokens of the wallet ended",
  get_wallet_risk_score: "exposure through addresses that are not read; how tokens of the wallet ended",
  get_wallet_stablecoin_compliance: "on Solana and Tron the events of issuers, so its checks are incomplete there",
  get_wallet_osint_record: "freezes, derived labels",
  is_address_blacklisted_by_stablecoin: "earlier freezes, the issuer's events of coins with a confirmed view",
  resolve_token_symbol: "tokens that neither the registry nor a list names",
};

/** Of tools that do not answer. */
export const REFUSING: Readonly<Record<string, string>> = {
  analyze_token_developer: "it needs the pools, trades and holders of all tokens of a developer",
  get_token_flow_intelligence: "it compares cohorts of all addresses of the network",
  get_token_market_analysis: "it needs the state of the token's pools, which changes in other blocks, too",
};
