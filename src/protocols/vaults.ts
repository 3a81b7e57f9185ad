import { INTERFACES } from "../knowledge/names.gen.ts";
import { uintAt, WORD_BYTES } from "../lib/words.ts";
import { NOTHING, type Protocol } from "./protocol.ts";
import { topicAddress } from "./topics.ts";

/** Tokenized vaults: the vault's address is its share token. */
const SOURCE = "EIP-4626";

const fact = { fact: "position", asset: null, position_id: null, amount1: 0n } as const;

export const vaultDeposit: Protocol = {
  name: "vault_deposit",
  source: SOURCE,
  event: INTERFACES.erc4626.Deposit,
  decode({ topics, data }) {
    const [, , owner] = topics;
    if (topics.length !== 3 || data.length !== 2 * WORD_BYTES || !owner) return NOTHING;
    const amounts = { amount0: uintAt(data, 0), liquidity: uintAt(data, 1) };
    return [{ ...fact, kind: "vault_deposit", account: topicAddress(owner), ...amounts }];
  },
};

export const vaultWithdraw: Protocol = {
  name: "vault_withdraw",
  source: SOURCE,
  event: INTERFACES.erc4626.Withdraw,
  decode({ topics, data }) {
    const [, , , owner] = topics;
    if (topics.length !== 4 || data.length !== 2 * WORD_BYTES || !owner) return NOTHING;
    const amounts = { amount0: uintAt(data, 0), liquidity: uintAt(data, 1) };
    return [{ ...fact, kind: "vault_withdraw", account: topicAddress(owner), ...amounts }];
  },
};
