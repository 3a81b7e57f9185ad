import { INTERFACES } from "../knowledge/names.gen.ts";
import { uintAt, WORD_BYTES } from "../lib/words.ts";
import { NOTHING, type Protocol } from "./protocol.ts";
import { orVoid, topicAddress } from "./topics.ts";

export const erc20Transfer: Protocol = {
  name: "erc20",
  source: "EIP-20",
  event: INTERFACES.erc20.Transfer,
  decode({ topics, data }) {
    const [, source, destination] = topics;
    if (topics.length !== 3 || data.length !== WORD_BYTES || !source || !destination) return NOTHING;
    return [
      {
        fact: "transfer",
        kind: "erc20",
        token_id: 0n,
        source: orVoid(topicAddress(source)),
        destination: orVoid(topicAddress(destination)),
        amount: uintAt(data, 0),
      },
    ];
  },
};
