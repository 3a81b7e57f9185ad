/** The past of an account from its nonce and balance at old blocks, and from logs that name it. */
import type { AccountHistory } from "../account_history.ts";
import type { Network } from "../chain.ts";
import { openAccountMarks } from "./account_marks.ts";
import { discoverBlocks } from "./discover.ts";
import type { EvmRpcPool } from "./pool.ts";
import type { EvmStateReader } from "./state.ts";
import { findUnchanged } from "./unchanged.ts";

export const openAccountHistory = (pool: EvmRpcPool, network: Network, state: EvmStateReader): AccountHistory => {
  const past = openAccountMarks(pool, network);
  return {
    logs: past.logs,
    reaches_head: true,
    doubt: {
      code: "INTERNAL_NET_ONLY",
      message: (name) =>
        `The address has code, and ${name} is read on demand: coins that it received and sent again between two states of the node may be missing.`,
    },
    unchanged: (look, signal) => findUnchanged({ past, state }, look, signal),
    async find(search, signal) {
      const { code } = await state.account(search.address, signal, search.to);
      const is_plain = code.length === 0;
      const { blocks, first, last, requests } = await discoverBlocks({ past, is_plain, ...search, signal });
      return {
        blocks,
        lost_before: null,
        openings: [{ token: "", amount: first }],
        ends: [{ token: "", amount: last }],
        // A plain account loses coins only by a transaction of its own.
        is_proven: is_plain,
        requests,
      };
    },
  };
};
