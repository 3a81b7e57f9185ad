import { domainsAbove } from "../../../lib/domain_list.ts";
import { isBlocked } from "../../../web/phishing.ts";
import type { SnapshotContext, Source } from "../../context.ts";
import type { Operator } from "../../operator.ts";

const QUERY = "website/listed_domains";

/** Imported lists of domains: `domains/NAME`. */
const importedLists = ({ facts }: Pick<SnapshotContext, "facts">): Promise<readonly Source[]> => facts.lists(QUERY);

/** The lists of the settings and the imported ones, against which sites are compared. */
export const phishingSources = async (
  scope: Pick<SnapshotContext, "facts">,
  { phishing_lists }: Pick<Operator["sites"], "phishing_lists">,
): Promise<readonly Source[]> => [
  ...phishing_lists.map(({ id, version, updated_at }) => ({ id, version, updated_at })),
  ...(await importedLists(scope)),
];

/** The lists that name one of these hosts or a domain above it. */
export const listsNaming = async (
  scope: SnapshotContext,
  hosts: readonly string[],
  { phishing_lists }: Pick<Operator["sites"], "phishing_lists">,
): Promise<readonly Pick<Source, "id" | "version">[]> => {
  const domains = [...new Set(hosts.flatMap(domainsAbove))].sort();
  const [lists, rows] = await Promise.all([importedLists(scope), scope.facts.ask(scope.snapshot, QUERY, { domains })]);
  const imported = lists.filter(({ id }) => {
    const own = rows.filter(({ list }) => id === `domains/${list}`);
    const named = (is_allowed: number) =>
      new Set(own.filter((row) => row.is_allowed === is_allowed).map(({ domain }) => domain));
    const list = { blocked: named(0), allowed: named(1) };
    return hosts.some((host) => isBlocked(host, list));
  });
  return [...phishing_lists.filter((list) => hosts.some((host) => isBlocked(host, list))), ...imported];
};
