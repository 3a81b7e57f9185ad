import { INTERFACES } from "../knowledge/names.gen.ts";
import { addressAt, uintAt, WORD_BYTES } from "../lib/words.ts";
import { NOTHING, type Protocol } from "./protocol.ts";

/** Tokens whose supply changes without a Transfer. Source: TetherToken.sol (USDT on Ethereum and Tron). */
const SOURCE = "TetherToken.sol";

/** Destruction of a frozen address's balance by the issuer. Forks that also emit a burning Transfer record it twice. */
export const destroyedBlackFunds: Protocol = {
  name: "destroyed_black_funds",
  source: SOURCE,
  event: INTERFACES.tether.DestroyedBlackFunds,
  decode({ topics, data }) {
    if (topics.length !== 1 || data.length !== 2 * WORD_BYTES) return NOTHING;
    return [{ fact: "destruction", holder: addressAt(data, 0), amount: uintAt(data, 1) }];
  },
};

const ownerSupply = (name: string, event: string): Protocol => ({
  name,
  source: SOURCE,
  event,
  decode: ({ topics, data }) =>
    topics.length === 1 && data.length === WORD_BYTES ? [{ fact: "owner_supply" }] : NOTHING,
});

/** The owner's balance grew or shrank; the event does not name the owner. */
export const tetherIssue = ownerSupply("tether_issue", "Issue(uint256)");
export const tetherRedeem = ownerSupply("tether_redeem", "Redeem(uint256)");
