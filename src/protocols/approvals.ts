import { uintAt, WORD_BYTES } from "../lib/words.ts";
import { NOTHING, type Protocol } from "./protocol.ts";
import { orVoid, topicAddress } from "./topics.ts";

export const erc20Approval: Protocol = {
  name: "erc20_approval",
  source: "EIP-20",
  event: "Approval(address,address,uint256)",
  decode({ topics, data }) {
    const [, owner, spender] = topics;
    if (topics.length !== 3 || data.length !== WORD_BYTES || !owner || !spender) return NOTHING;
    const sides = { owner: topicAddress(owner), spender: topicAddress(spender) };
    return [{ fact: "approval", kind: "erc20", ...sides, amount: uintAt(data, 0) }];
  },
};

/** spender without bytes: the approval of this id is withdrawn. amount: the token id. */
export const erc721Approval: Protocol = {
  name: "erc721_approval",
  source: "EIP-721",
  event: "Approval(address,address,uint256)",
  decode({ topics, data }) {
    const [, owner, spender, token_id] = topics;
    if (topics.length !== 4 || data.length !== 0 || !owner || !spender || !token_id) return NOTHING;
    const sides = { owner: topicAddress(owner), spender: orVoid(topicAddress(spender)) };
    return [{ fact: "approval", kind: "erc721", ...sides, amount: uintAt(token_id, 0) }];
  },
};

export const approvalForAll: Protocol = {
  name: "approval_for_all",
  source: "EIP-721, EIP-1155",
  event: "ApprovalForAll(address,address,bool)",
  decode({ topics, data }) {
    const [, owner, spender] = topics;
    if (topics.length !== 3 || data.length !== WORD_BYTES || !owner || !spender) return NOTHING;
    const sides = { owner: topicAddress(owner), spender: topicAddress(spender) };
    const amount = uintAt(data, 0) === 0n ? 0n : 1n;
    return [{ fact: "approval", kind: "for_all", ...sides, amount }];
  },
};
