import { type BlockPlan, EntityPage } from "../entity/blocks.tsx";
import type { PageProps } from "../routes.ts";

const PLAN: readonly BlockPlan[] = [{ tool: "analyze_transaction", title: "Summary", field: "tx_hash" }];

const Transaction = ({ params, query }: PageProps) => (
  <EntityPage
    entity={{ kind: "transaction", network: params.network ?? "", id: params.hash ?? "" }}
    query={query}
    plan={PLAN}
  />
);

export default Transaction;
