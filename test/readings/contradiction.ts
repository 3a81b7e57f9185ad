/** States, apart from the product's rules, the net changes that each type of headline excludes. */
import type { HeadlineCase } from "../../src/domain/transaction/headline/case.ts";
import { netOf, netsOf, type PartyNet } from "../../src/domain/transaction/headline/nets.ts";
import type { Headline } from "../../src/domain/transaction/headline/types.ts";

interface Facts extends PartyNet {
  readonly is_some_minted: boolean;
  /** Everything received was minted, everything given was burnt. */
  readonly is_all_minted: boolean;
  readonly is_all_burnt: boolean;
}

const factsOf = ({ movements }: HeadlineCase, { actor }: Headline): Facts => {
  const net = netOf(netsOf(movements), actor);
  const has = (token: string, end: "source" | "destination") =>
    token !== "" && movements.some((move) => move.token === token && move.kind !== "wrap" && move[end] === "");
  return {
    ...net,
    is_some_minted: net.received.some(({ token }) => has(token, "source")),
    is_all_minted: net.received.length > 0 && net.received.every(({ token }) => has(token, "source")),
    is_all_burnt: net.given.length > 0 && net.given.every(({ token }) => has(token, "destination")),
  };
};

type Exclusion = readonly [says: string, holds: (facts: Facts) => boolean];

const GAVE_NOTHING: Exclusion = ["nothing was given", ({ given }) => given.length === 0];
const GOT_NOTHING: Exclusion = ["nothing was received", ({ received }) => received.length === 0];
const GOT_SOMETHING: Exclusion = ["something was received", ({ received }) => received.length > 0];
const MINTED_NOTHING: Exclusion = ["nothing was minted", ({ is_some_minted }) => !is_some_minted];
const MOVED: Exclusion = ["something moved", ({ given, received }) => given.length + received.length > 0];
const MOVED_NOTHING: Exclusion = [
  "nothing moved",
  ({ given, received }) => given.length === 0 && received.length === 0,
];
const TOOK_OUT: Exclusion = [
  "shares were burnt for something that was not minted",
  ({ received, is_all_burnt, is_all_minted }) => is_all_burnt && received.length > 0 && !is_all_minted,
];
const PUT_IN: Exclusion = [
  "shares were minted for something that was not burnt",
  ({ given, is_all_burnt, is_all_minted }) => is_all_minted && given.length > 0 && !is_all_burnt,
];
const UNPAID: Exclusion = [
  "nothing was given and nothing was minted",
  ({ given, is_all_minted, received }) => given.length === 0 && !(received.length > 0 && is_all_minted),
];

const DEPOSIT: readonly Exclusion[] = [GAVE_NOTHING, TOOK_OUT];
const WITHDRAWAL: readonly Exclusion[] = [GOT_NOTHING, PUT_IN];
const EXCHANGE: readonly Exclusion[] = [GAVE_NOTHING, GOT_NOTHING];
const PAYOUT: readonly Exclusion[] = [GOT_NOTHING];
const PAYMENT: readonly Exclusion[] = [GAVE_NOTHING];
const STILL: readonly Exclusion[] = [MOVED];

const EXCLUDED: Readonly<Partial<Record<Headline["type"], readonly Exclusion[]>>> = {
  deposit: DEPOSIT,
  supply: DEPOSIT,
  add_liquidity: DEPOSIT,
  // A reward may be staked at once.
  stake: [UNPAID, TOOK_OUT],
  withdraw: WITHDRAWAL,
  unstake: WITHDRAWAL,
  remove_liquidity: WITHDRAWAL,
  swap: EXCHANGE,
  nft_purchase: EXCHANGE,
  nft_sale: EXCHANGE,
  liquidation: EXCHANGE,
  wrap: EXCHANGE,
  unwrap: EXCHANGE,
  migrate: EXCHANGE,
  borrow: [MOVED_NOTHING],
  repay: [MOVED_NOTHING],
  claim_reward: PAYOUT,
  claim_airdrop: PAYOUT,
  claim_payment: PAYOUT,
  claim_grant: PAYOUT,
  collect_fees: PAYOUT,
  mint: [MINTED_NOTHING],
  bridge_in: PAYOUT,
  bridge_out: PAYMENT,
  donate: PAYMENT,
  purchase: PAYMENT,
  transfer: [GAVE_NOTHING, GOT_SOMETHING],
  vote: STILL,
  propose: STILL,
  delegate_votes: STILL,
};

/** The type and the movements that exclude it; null without a contradiction. */
export const contradictionOf = (told: HeadlineCase, headline: Headline): string | null => {
  const facts = factsOf(told, headline);
  const found = (EXCLUDED[headline.type] ?? []).find(([, holds]) => holds(facts));
  return found === undefined ? null : `${headline.type}, but ${found[0]}`;
};
