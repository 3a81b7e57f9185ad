/** Arguments, beside `network`, with which each tool has data to answer on the demo of Solana. */
import { SITE_ORIGIN } from "../../world/site.ts";
import type { SolanaWorld } from "./world.ts";

export type Questions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const solanaQuestions = ({ characters, mints }: Pick<SolanaWorld, "characters" | "mints">): Questions => ({
  get_wallet_stablecoin_compliance: { address: characters.mallory },
  analyze_token_developer: { token_address: mints.lamp },
  get_wallet_counterparties: { address: characters.alice },
  get_wallet_counterparties_analysis: { address: characters.alice },
  get_wallet_pnl: { address: characters.alice },
  get_wallet_transactions: { address: characters.alice },
  get_token_flow_intelligence: { token_address: mints.lamp },
  get_token_flows: { token_address: mints.usdc },
  get_token_holders_traders: { token_address: mints.lamp },
  get_wallet_risk_overview: { address: characters.mallory },
  get_wallet_transaction_patterns: { address: characters.nina },
  analyze_token_website: { token_address: mints.lamp, website_url: `${SITE_ORIGIN}/` },
  get_token_market_analysis: { token_address: mints.lamp, timeframe: "7d" },
  get_wallet_address_profile: { address: characters.mallory },
  get_wallet_deployed_contracts: { address: characters.dave },
  get_wallet_portfolio_breakdown: { wallet_address: characters.bob },
  get_wallet_risk_score: { address: characters.mallory },
  get_wallet_stats: { address: characters.alice },
  get_wallet_token_holdings: { wallet_address: characters.bob },
  get_contract_creation: { contract_address: mints.lamp },
  get_token_info: { token_address: mints.lamp },
  get_token_risk_traits: { token_address: mints.usdc },
  is_address_blacklisted_by_stablecoin: { address: characters.mallory },
  get_wallet_account_meta: { address: characters.alice },
  get_wallet_osint_record: { wallet_address: characters.exchange },
  resolve_name: { name: "alice.sol" },
  resolve_token_symbol: { symbol: "LAMP" },
});
