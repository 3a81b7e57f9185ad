import { type BlockPlan, EntityPage } from "../entity/blocks.tsx";
import type { PageProps } from "../routes.ts";

const PLAN: readonly BlockPlan[] = [
  { tool: "get_token_risk_traits", title: "Risk checklist", field: "token_address" },
  { tool: "get_token_info", title: "Token", field: "token_address" },
  { tool: "get_token_market_analysis", title: "Market", field: "token_address" },
  { tool: "get_token_holders_traders", title: "Holders and traders", field: "token_address" },
  { tool: "get_token_flows", title: "Flows", field: "token_address" },
  { tool: "get_token_flow_intelligence", title: "Flows between cohorts", field: "token_address" },
  { tool: "analyze_token_developer", title: "Developer", field: "token_address" },
  { tool: "analyze_token_website", title: "Website", field: "token_address" },
];

const Token = ({ params, query }: PageProps) => (
  <EntityPage
    entity={{ kind: "token", network: params.network ?? "", id: params.address ?? "" }}
    query={query}
    plan={PLAN}
  />
);

export default Token;
