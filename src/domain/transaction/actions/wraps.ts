import type { Action, ActionReader, TokenAmount } from "./action.ts";

/** Wraps and unwraps of the native coin. Only the network's own wrapped coin has such movements. */
export const wraps: ActionReader = ({ movements, wrapped_native }) => {
  if (wrapped_native === null) return [];
  return movements.flatMap(({ kind, token, source, destination, amount, log_index }): readonly Action[] => {
    const is_own = token === wrapped_native && (source === "" || destination === "");
    if (!is_own || (kind !== "wrap" && kind !== "erc20" && kind !== "trc20")) return [];
    const wrapped = { token: wrapped_native, token_id: null, amount };
    const coins: TokenAmount = { token: "", token_id: null, amount };
    const shared = { protocol: null, contract: wrapped_native, log_index };
    return source === ""
      ? [{ ...shared, type: "wrap", actor: destination, given: [coins], received: [wrapped] }]
      : [{ ...shared, type: "unwrap", actor: source, given: [wrapped], received: [coins] }];
  });
};
