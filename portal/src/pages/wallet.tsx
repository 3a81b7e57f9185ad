import { type BlockPlan, EntityPage } from "../entity/blocks.tsx";
import type { PageProps } from "../routes.ts";

const PLAN: readonly BlockPlan[] = [
  { tool: "get_wallet_portfolio_breakdown", title: "Holdings", field: "wallet_address" },
  { tool: "get_wallet_pnl", title: "Profit and loss", field: "address" },
  { tool: "get_wallet_stats", title: "Flows and figures", field: "address" },
  { tool: "get_wallet_risk_score", title: "Risk", field: "address" },
  { tool: "get_wallet_transactions", title: "Transactions", field: "address" },
  { tool: "get_wallet_counterparties", title: "Counterparties", field: "address" },
  { tool: "get_wallet_transaction_patterns", title: "Patterns", field: "address" },
  { tool: "get_wallet_risk_overview", title: "Where the risk comes from", field: "address" },
  { tool: "get_wallet_stablecoin_compliance", title: "Stablecoin compliance", field: "address" },
  { tool: "get_wallet_deployed_contracts", title: "Deployed contracts", field: "address" },
  { tool: "get_wallet_address_profile", title: "Profile", field: "address" },
  { tool: "get_wallet_counterparties_analysis", title: "Counterparties by kind", field: "address" },
];

const Wallet = ({ params, query }: PageProps) => (
  <EntityPage
    entity={{ kind: "wallet", network: params.network ?? "", id: params.address ?? "" }}
    query={query}
    plan={PLAN}
  />
);

export default Wallet;
