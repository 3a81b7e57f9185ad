import { type BlockPlan, EntityPage } from "../entity/blocks.tsx";
import { graphAddress, reportAddress } from "../entity/page_address.ts";
import type { PageProps } from "../routes.ts";

/** A series costs several calls of its tool, so the button of the whole page leaves it out. */
const OVER_TIME = { field: "wallet_address", args: { step: "week" }, is_apart: true } as const;

/** The score alone is part of the overview: it has no block of its own. */
const PLAN: readonly BlockPlan[] = [
  { tool: "get_wallet_address_profile", title: "Profile", field: "address" },
  { tool: "get_wallet_portfolio_breakdown", title: "Holdings", field: "wallet_address" },
  { tool: "series_net_worth", title: "Net worth over time", ...OVER_TIME },
  { tool: "get_wallet_pnl", title: "Profit and loss", field: "address" },
  { tool: "series_pnl", title: "Profit and loss over time", ...OVER_TIME },
  { tool: "get_wallet_stats", title: "Flows and figures", field: "address" },
  { tool: "get_wallet_risk_overview", title: "Risk", field: "address" },
  { tool: "wallet_approvals", title: "Open approvals", field: "address" },
  { tool: "get_wallet_transactions", title: "Transactions", field: "address" },
  { tool: "get_wallet_counterparties", title: "Counterparties", field: "address" },
  { tool: "get_wallet_transaction_patterns", title: "Patterns", field: "address" },
  { tool: "get_wallet_stablecoin_compliance", title: "Stablecoin compliance", field: "address" },
  { tool: "get_wallet_deployed_contracts", title: "Deployed contracts", field: "address" },
  { tool: "get_wallet_counterparties_analysis", title: "Counterparties by kind", field: "address" },
];

const Wallet = ({ params, query }: PageProps) => {
  const entity = { kind: "wallet", network: params.network ?? "", id: params.address ?? "" } as const;
  const report = reportAddress(entity, query.get("as_of"));
  const more = () => (
    <>
      <a href={report}>Report to print</a> <a href={graphAddress(entity)}>Trace the money</a>
    </>
  );
  const plan = PLAN.map((block) => (block.tool === "get_wallet_risk_overview" ? { ...block, more } : block));
  return <EntityPage entity={entity} query={query} plan={plan} />;
};

export default Wallet;
