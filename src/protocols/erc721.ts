import { INTERFACES } from "../knowledge/names.gen.ts";
import { uintAt } from "../lib/words.ts";
import { NOTHING, type Protocol } from "./protocol.ts";
import { orVoid, topicAddress } from "./topics.ts";

/** Same first topic as ERC-20; the indexed token id makes it four topics and no data. */
export const erc721Transfer: Protocol = {
  name: "erc721",
  source: "EIP-721",
  event: INTERFACES.erc721.Transfer,
  decode({ topics, data }) {
    const [, source, destination, token_id] = topics;
    if (topics.length !== 4 || data.length !== 0 || !source || !destination || !token_id) return NOTHING;
    return [
      {
        fact: "transfer",
        kind: "erc721",
        token_id: uintAt(token_id, 0),
        source: orVoid(topicAddress(source)),
        destination: orVoid(topicAddress(destination)),
        amount: 1n,
      },
    ];
  },
};
