/** Arguments, beside `network`, with which each tool has data to answer on the demo of Tron. */
import { formatAddress } from "../../../src/chains/tron/address.ts";
import type { Questions } from "../../solana/world/questions.ts";
import { SITE_ORIGIN } from "../../world/site.ts";
import type { Stage } from "../../world/stage.ts";

export const tronQuestions = (stage: Stage): Questions => {
  const at = (name: string): string => formatAddress(stage.address(name).slice(2).toLowerCase());
  return {
    get_wallet_stablecoin_compliance: { address: at("mallory") },
    analyze_token_developer: { token_address: at("beacon") },
    get_wallet_counterparties: { address: at("alice") },
    get_wallet_counterparties_analysis: { address: at("alice") },
    get_wallet_pnl: { address: at("alice") },
    get_wallet_transactions: { address: at("alice") },
    get_token_flow_intelligence: { token_address: at("usdt") },
    get_token_flows: { token_address: at("usdt") },
    get_token_holders_traders: { token_address: at("beacon") },
    get_wallet_risk_overview: { address: at("mallory") },
    get_wallet_transaction_patterns: { address: at("nina") },
    analyze_token_website: { token_address: at("beacon"), website_url: `${SITE_ORIGIN}/` },
    get_contract_source_code: { contract_address: at("beacon") },
    get_token_market_analysis: { token_address: at("beacon"), timeframe: "7d" },
    get_wallet_address_profile: { address: at("mallory") },
    get_wallet_deployed_contracts: { address: at("dave") },
    get_wallet_portfolio_breakdown: { wallet_address: at("bob") },
    get_wallet_risk_score: { address: at("mallory") },
    get_wallet_stats: { address: at("alice") },
    get_wallet_token_holdings: { wallet_address: at("alice") },
    get_contract_creation: { contract_address: at("beacon") },
    get_token_info: { token_address: at("beacon") },
    get_token_risk_traits: { token_address: at("beacon") },
    is_address_blacklisted_by_stablecoin: { address: at("mallory") },
    get_wallet_account_meta: { address: at("alice") },
    get_wallet_osint_record: { wallet_address: at("exchange") },
    resolve_token_symbol: { symbol: "BCN" },
  };
};
