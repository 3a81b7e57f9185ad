import type { Chain } from "../chains/chain.ts";
import type { CallContext } from "../domain/context.ts";
import type { Operator } from "../domain/operator.ts";
import { AssayError } from "../lib/errors.ts";
import type { FactsStore } from "../store/open.ts";
import { servedBy } from "../surfaces/call/arguments/bind.ts";
import type { ContextFor } from "../surfaces/call/call_tool.ts";

/** What the tools of this process may touch. */
export interface ContextParts {
  readonly facts: Pick<FactsStore, "served">;
  readonly chains: readonly Chain[];
  /** A network by its id, also one that has left since a call began; those of `chains` when left out. */
  readonly find?: (id: string) => Chain | undefined;
  readonly operator: Operator;
}

/** Gives each call of a tool what it may touch. */
export const contexts =
  ({
    facts,
    chains,
    find = (id) => chains.find(({ network }) => network.id === id),
    operator,
  }: ContextParts): ContextFor =>
  (tool, signal): CallContext => ({
    facts: facts.served.withSignal(signal),
    chain: (id) => {
      const chain = find(id);
      if (chain === undefined) throw new AssayError({ code: "BUG", message: `network ${id} is not enabled` });
      return chain;
    },
    networks: servedBy(tool, chains).map(({ network }) => network.id),
    operator,
    signal,
  });
