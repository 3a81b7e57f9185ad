import type { Chain } from "../chains/chain.ts";
import type { CallContext } from "../domain/context.ts";
import type { Operator } from "../domain/operator.ts";
import { AssayError } from "../lib/errors.ts";
import type { FactsStore } from "../store/open.ts";
import { servedBy } from "../surfaces/call/arguments/bind.ts";
import type { ContextFor } from "../surfaces/call/call_tool.ts";

/** Dependencies of the tools of this process. */
export interface ContextOptions {
  readonly facts: Pick<FactsStore, "served">;
  readonly chains: readonly Chain[];
  /** Finds a network by its id, even one that was removed during a call; defaults to `chains`. */
  readonly find?: (id: string) => Chain | undefined;
  readonly operator: Operator;
}

/** Creates the context of each tool call. */
export const contexts =
  ({
    facts,
    chains,
    find = (id) => chains.find(({ network }) => network.id === id),
    operator,
  }: ContextOptions): ContextFor =>
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
