import { INTERFACES } from "../knowledge/names.gen.ts";
import { EMPTY } from "../lib/bytes.ts";
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

/** The same event of contracts that index nothing (CryptoKitties and early coins): three words of data. */
export const bareTransfer: Protocol = {
  name: "bare_transfer",
  source: "dapperlabs/cryptokitties-bounty, ERC721Draft.sol",
  event: INTERFACES.erc20.Transfer,
  decode({ topics, data }) {
    if (topics.length !== 1 || data.length !== 3 * WORD_BYTES) return NOTHING;
    const [source = EMPTY, destination = EMPTY] = [0, 1].map((at) =>
      topicAddress(data.subarray(at * WORD_BYTES, (at + 1) * WORD_BYTES)),
    );
    return [
      {
        ...{ fact: "transfer", kind: "erc20", token_id: 0n, is_bare: true },
        source: orVoid(source),
        destination: orVoid(destination),
        amount: uintAt(data, 2),
      },
    ];
  },
};
