/** Calls of honest users about their wallets and tokens: every tool with a figure of value. */

export interface Question {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** True for figures about now: what pools paid yesterday does not count. */
  readonly is_now: boolean;
}

const now = (tool: string, args: Question["args"]): Question => ({ tool, args, is_now: true });
const ever = (tool: string, args: Question["args"]): Question => ({ tool, args, is_now: false });

export const ofWallet = (address: string): readonly Question[] => [
  now("get_wallet_token_holdings", { wallet_address: address, include_spam: true }),
  now("get_wallet_portfolio_breakdown", { wallet_address: address, include_spam: true }),
  now("get_wallet_account_meta", { address }),
  now("get_wallet_stablecoin_compliance", { address }),
  ever("get_wallet_address_profile", { address }),
  ever("get_wallet_stats", { address }),
  ever("get_wallet_pnl", { address }),
  ever("get_wallet_transactions", { address, include_spam: true }),
  ever("get_wallet_counterparties", { address }),
  ever("get_wallet_counterparties_analysis", { address }),
  ever("get_wallet_transaction_patterns", { address }),
  ever("get_wallet_risk_overview", { address }),
];

export const ofToken = (token_address: string): readonly Question[] => [
  now("get_token_info", { token_address }),
  now("get_token_market_analysis", { token_address, timeframe: "24h" }),
  now("get_token_risk_traits", { token_address }),
  ever("get_token_holders_traders", { token_address }),
  ever("get_token_flows", { token_address }),
  ever("get_token_flow_intelligence", { token_address }),
];
