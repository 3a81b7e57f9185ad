import type { ToolAnswer } from "../api/answer.ts";
import { type BlockPlan, EntityPage } from "../entity/blocks.tsx";
import type { PageProps } from "../routes.ts";
import { SourceFiles } from "../source/files.tsx";

const PLAN: readonly BlockPlan[] = [
  {
    tool: "get_contract_source_code",
    title: "Source",
    field: "contract_address",
    more: (answer: ToolAnswer) => (answer.status === "data" ? <SourceFiles body={answer.body} /> : null),
  },
  { tool: "get_contract_creation", title: "Creation", field: "contract_address" },
  { tool: "get_wallet_address_profile", title: "Profile", field: "address" },
];

const Contract = ({ params, query }: PageProps) => (
  <EntityPage
    entity={{ kind: "contract", network: params.network ?? "", id: params.address ?? "" }}
    query={query}
    plan={PLAN}
  />
);

export default Contract;
