import { EMPTY } from "../lib/bytes.ts";
import { uintAt, WORD_BYTES } from "../lib/words.ts";
import { NOTHING, type Protocol } from "./protocol.ts";
import { topicAddress } from "./topics.ts";

/**
 * Wrapping and unwrapping of the native coin. Any contract can emit this event: it counts only when it comes from the
 * network's own wrapped native contract, which code with a network checks.
 */
export const wethDeposit: Protocol = {
  name: "weth_deposit",
  source: "canonical-weth WETH9.sol",
  event: "Deposit(address,uint256)",
  decode({ topics, data }) {
    const [, holder] = topics;
    if (topics.length !== 2 || data.length !== WORD_BYTES || !holder) return NOTHING;
    const destination = topicAddress(holder);
    return [{ fact: "transfer", kind: "wrap", token_id: 0n, source: EMPTY, destination, amount: uintAt(data, 0) }];
  },
};

export const wethWithdrawal: Protocol = {
  name: "weth_withdrawal",
  source: "canonical-weth WETH9.sol",
  event: "Withdrawal(address,uint256)",
  decode({ topics, data }) {
    const [, holder] = topics;
    if (topics.length !== 2 || data.length !== WORD_BYTES || !holder) return NOTHING;
    const source = topicAddress(holder);
    return [{ fact: "transfer", kind: "wrap", token_id: 0n, source, destination: EMPTY, amount: uintAt(data, 0) }];
  },
};
