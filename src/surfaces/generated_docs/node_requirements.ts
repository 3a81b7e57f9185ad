import type { Family } from "../../chains/chain.ts";

interface NodeNeed {
  readonly what: string;
  readonly without: string;
  /** Of which it is known: on others tools do without it, or have something else. */
  readonly families: readonly Family[];
}

/** Services that a node may lack, and what the answers of tools that use them then lack. */
export const NEEDS = {
  traces: {
    what: "traces",
    without: "coins that contracts move, and contracts that contracts create, are missing",
    families: ["evm", "solana", "tron"],
  },
  archive: {
    what: "states of old blocks",
    without: "balances from before from_block are unknown, and state is that of the newest block",
    families: ["evm", "solana", "tron"],
  },
  simulations: {
    what: "calls that look at a changed state (state overrides, eth_simulateV1)",
    without: "the tool simulates no purchase, sale or transfer",
    families: ["evm"],
  },
} as const satisfies Readonly<Record<string, NodeNeed>>;

export type Need = keyof typeof NEEDS;

const NAMES: readonly Need[] = ["traces", "archive", "simulations"];

/** Those of `uses` that nodes of a family may lack, in a fixed order. */
export const needsOf = (uses: readonly Need[], family: Family): readonly Need[] =>
  NAMES.filter((need) => uses.includes(need) && NEEDS[need].families.some((known) => known === family));

/**
 * The services of a node that a whole answer needs beyond blocks, receipts and the newest state, by tool; tools that are not listed need none. The
 * documentation and `doctor` read it here, and a test compares it with what the code of each tool looks at.
 */
const USES: Readonly<Record<string, readonly Need[]>> = {
  analyze_token_developer: ["traces", "archive"],
  analyze_transaction: ["traces"],
  get_contract_creation: ["traces", "archive"],
  get_contract_source_code: ["traces"],
  get_token_flow_intelligence: ["traces"],
  get_token_flows: ["traces"],
  get_token_holders_traders: ["traces", "archive"],
  get_token_info: ["traces"],
  get_token_market_analysis: ["traces"],
  get_token_risk_traits: ["traces", "archive", "simulations"],
  get_wallet_address_profile: ["traces", "archive"],
  get_wallet_counterparties: ["traces"],
  get_wallet_counterparties_analysis: ["traces"],
  get_wallet_deployed_contracts: ["traces", "archive"],
  get_wallet_pnl: ["traces", "archive"],
  get_wallet_portfolio_breakdown: ["archive"],
  get_wallet_risk_overview: ["traces", "archive"],
  get_wallet_risk_score: ["traces", "archive"],
  get_wallet_stats: ["traces", "archive"],
  get_wallet_token_holdings: ["archive"],
  get_wallet_transaction_patterns: ["traces"],
  get_wallet_transactions: ["traces"],
  resolve_token_symbol: ["traces"],
};

export const usesOf = (tool: string): readonly Need[] => USES[tool] ?? [];
