import type { CallContext } from "../../domain/context.ts";
import { overriding } from "../../lib/overriding.ts";
import type { Facts, Snapshot } from "../../store/facts.ts";
import type { SurfaceResponse } from "../surface_response.ts";
import { type CallParts, openToolCalls, type ToolCall } from "./call_tool.ts";

/**
 * The blocks of the calls of one batch: the first snapshot of a network fixes the block of all later ones. Networks on demand are not
 * shared, because a snapshot there belongs to one address.
 */
export class SharedBlocks {
  readonly #first = new Map<string, Promise<Snapshot>>();

  /** The context of one call, whose snapshots end at the blocks of the batch. */
  readonly share = (context: CallContext): CallContext => ({ ...context, facts: this.#shared(context.facts) });

  #shared(facts: Facts): Facts {
    const own: Pick<Facts, "snapshot" | "withSignal"> = {
      snapshot: (network, as_of_block) =>
        as_of_block === null ? this.#newest(facts, network) : facts.snapshot(network, as_of_block),
      withSignal: (signal) => this.#shared(facts.withSignal(signal)),
    };
    return overriding(facts, own);
  }

  async #newest(facts: Facts, network: string): Promise<Snapshot> {
    const known = this.#first.get(network);
    if (known === undefined) return this.#open(facts, network);
    // The call that opened it may have failed or been stopped: this one opens its own.
    const first = await known.catch(() => null);
    if (first === null) return this.#newest(facts, network);
    if (first.followed !== undefined) return facts.snapshot(network, null);
    if (await facts.isCurrent(first)) return first;
    return facts.snapshot(network, first.block.number);
  }

  #open(facts: Facts, network: string): Promise<Snapshot> {
    const opened = facts.snapshot(network, null);
    this.#first.set(network, opened);
    opened.catch(() => {
      if (this.#first.get(network) === opened) this.#first.delete(network);
    });
    return opened;
  }
}

export interface SharedCallParts {
  readonly call: CallParts;
  /** The answer to an error of the accounts, which is logged. */
  readonly failure: (error: unknown, request_id: string) => SurfaceResponse;
}

/**
 * The function that calls tools for one answer of many calls: all of them end at one block per network, and an error is the answer of its
 * call, because the others may be charged already.
 */
export const callsAtOneBlock = ({ call: parts, failure }: SharedCallParts) => {
  const blocks = new SharedBlocks();
  const callTool = openToolCalls({ ...parts, contextFor: (...of) => blocks.share(parts.contextFor(...of)) });
  return async (call: ToolCall): Promise<SurfaceResponse> => {
    try {
      return await callTool(call);
    } catch (error) {
      return failure(error, call.request.id);
    }
  };
};
