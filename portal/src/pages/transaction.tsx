import { type BlockPlan, EntityPage } from "../entity/blocks.tsx";
import { reportAddress } from "../entity/page_address.ts";
import type { PageProps } from "../routes.ts";

const Transaction = ({ params, query }: PageProps) => {
  const entity = { kind: "transaction", network: params.network ?? "", id: params.hash ?? "" } as const;
  const report = reportAddress(entity);
  const plan: readonly BlockPlan[] = [
    {
      ...{ tool: "analyze_transaction", title: "Transaction", field: "tx_hash" },
      more: () => <a href={report}>Screen a transfer, with a report to print</a>,
    },
  ];
  return <EntityPage entity={entity} query={query} plan={plan} />;
};

export default Transaction;
