import type { Chain } from "../chains/chain.ts";
import type { CallContext } from "../domain/context.ts";
import type { Operator } from "../domain/operator.ts";
import { AssayError } from "../lib/errors.ts";
import type { FactsStore } from "../store/open.ts";
import { openSubjectFacts } from "../store/subjects/subject_facts.ts";
import { servedBy } from "../surfaces/call/arguments/bind.ts";
import type { ContextFor } from "../surfaces/call/call_tool.ts";
import type { SubjectCalls } from "./subject_calls.ts";

/** Dependencies of the tools of this process. */
export interface ContextOptions {
  readonly facts: Pick<FactsStore, "served">;
  readonly chains: readonly Chain[];
  /** Finds a network by its id, even one that was removed during a call; defaults to `chains`. */
  readonly find?: (id: string) => Chain | undefined;
  readonly operator: Operator;
  /** The addresses of a call on networks that are read on demand; omitted: no network is. */
  readonly subjects?: SubjectCalls;
}

export const foundChain = (chain: Chain | undefined, id: string): Chain => {
  if (chain === undefined) throw new AssayError({ code: "BUG", message: `network ${id} is not enabled` });
  return chain;
};

/** Creates the context of each tool call. */
export const contexts =
  ({
    facts,
    chains,
    find = (id) => chains.find(({ network }) => network.id === id),
    operator,
    subjects,
  }: ContextOptions): ContextFor =>
  (tool, signal, about): CallContext => ({
    facts:
      subjects === undefined || !subjects.areNeeded()
        ? facts.served.withSignal(signal)
        : openSubjectFacts(facts.served, subjects.of(tool, about ?? null), signal),
    chain: (id) => foundChain(find(id), id),
    networks: servedBy(tool, chains).map(({ network }) => network.id),
    operator,
    signal,
  });
