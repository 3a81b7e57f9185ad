/** The past of an account from its nonce and balance at old blocks, and from logs that name it. */
import { type AccountHistory, checkBlocks, type HistorySearch } from "../account_history.ts";
import type { Network } from "../chain.ts";
import { openAccountMarks } from "./account_marks.ts";
import { discoverBlocks } from "./discover.ts";
import { openTraceFilter, type TraceFilter } from "./filtered_traces.ts";
import type { EvmRpcPool } from "./pool.ts";
import type { EvmStateReader } from "./state.ts";
import { findUnchanged } from "./unchanged.ts";

/**
 * Blocks in which an account with code pays or is paid inside transactions; null if no node filters traces. Balances check the filter: it
 * must have what they show.
 */
const paidBlocks = async (
  filter: TraceFilter,
  { address, after, to }: Pick<HistorySearch, "address" | "after" | "to">,
  signal: AbortSignal,
) => {
  if (to <= after) return { blocks: [], requests: 0 };
  const filtered = await filter([address], { from: after + 1, to }, signal);
  return filtered && { blocks: filtered.named.map(({ block }) => block), requests: filtered.requests };
};

export const openAccountHistory = (pool: EvmRpcPool, network: Network, state: EvmStateReader): AccountHistory => {
  const past = openAccountMarks(pool, network);
  const filter = openTraceFilter(pool);
  return {
    logs: past.logs,
    reaches_head: true,
    finds_tokens: true,
    doubt: {
      code: "INTERNAL_NET_ONLY",
      message: (name) =>
        `The address has code, and ${name} is read on demand: coins that it received and sent again between two states of the node may be missing.`,
    },
    unchanged: (look, signal) => findUnchanged({ past, state, filter }, look, signal),
    async find(search, signal) {
      const { code } = await state.account(search.address, signal, search.to);
      const is_plain = code.length === 0;
      const found = await discoverBlocks({ past, is_plain, ...search, signal });
      const { first, last } = found;
      const filtered = is_plain ? null : await paidBlocks(filter, search, signal);
      const traced = new Set(filtered?.blocks ?? []);
      const blocks = [...new Set([...found.blocks, ...traced])].sort((a, b) => a - b);
      const requests = found.requests + (filtered?.requests ?? 0);
      checkBlocks(blocks.length, search, requests);
      return {
        blocks,
        lost_before: null,
        openings: [{ token: "", amount: first }],
        ends: [{ token: "", amount: last }],
        // A plain account loses coins only by a transaction of its own. Of one with code, a filter of traces knows all payments.
        is_proven: is_plain || (filtered !== null && found.paid.every((block) => traced.has(block))),
        requests,
      };
    },
  };
};
