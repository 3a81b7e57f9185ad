import { type BlockPlan, EntityPage } from "../entity/blocks.tsx";
import type { PageProps } from "../routes.ts";

const PLAN: readonly BlockPlan[] = [
  { tool: "resolve_name", title: "Address of the name", field: "name" },
  { tool: "resolve_ens", title: "In ENS", field: "ens_name" },
];

const Name = ({ params, query }: PageProps) => (
  <EntityPage entity={{ kind: "name", network: "", id: params.name ?? "" }} query={query} plan={PLAN} />
);

export default Name;
