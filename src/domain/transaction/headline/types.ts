import type { ActType } from "../../../knowledge/acts.gen.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { TokenAmount } from "../actions/action.ts";
import type { TransactionCategory } from "../actions/categories.ts";

/** Net changes of the actor's holdings: some given, some received, both, none, or any. */
type HoldingFlow = "gives" | "gets" | "both" | "still" | "any";

interface HeadlineKind {
  readonly category: TransactionCategory;
  readonly flow: HoldingFlow;
  /** The verb of a sentence. */
  readonly verb: string;
}

/** Types of transactions, finer than categories. */
export const KINDS = {
  swap: { category: "swap", flow: "both", verb: "swapped" },
  nft_purchase: { category: "nft_trade", flow: "both", verb: "bought" },
  nft_sale: { category: "nft_trade", flow: "both", verb: "sold" },
  add_liquidity: { category: "add_liquidity", flow: "gives", verb: "added liquidity:" },
  remove_liquidity: { category: "remove_liquidity", flow: "gets", verb: "removed liquidity:" },
  supply: { category: "lend", flow: "gives", verb: "supplied" },
  deposit: { category: "lend", flow: "gives", verb: "deposited" },
  withdraw: { category: "lend", flow: "gets", verb: "withdrew" },
  borrow: { category: "borrow", flow: "gets", verb: "borrowed" },
  repay: { category: "repay", flow: "gives", verb: "repaid" },
  liquidation: { category: "repay", flow: "both", verb: "liquidated a debt:" },
  stake: { category: "stake", flow: "gives", verb: "staked" },
  extend_stake: { category: "stake", flow: "any", verb: "changed its stake" },
  unstake: { category: "stake", flow: "gets", verb: "unstaked" },
  queue_withdrawal: { category: "stake", flow: "any", verb: "asked for its stake back" },
  claim_reward: { category: "stake", flow: "gets", verb: "claimed" },
  claim_airdrop: { category: "other", flow: "gets", verb: "claimed an airdrop:" },
  claim_payment: { category: "other", flow: "gets", verb: "was paid out" },
  claim_grant: { category: "transfer", flow: "gets", verb: "was paid a grant:" },
  collect_fees: { category: "remove_liquidity", flow: "gets", verb: "collected fees:" },
  wrap: { category: "other", flow: "both", verb: "wrapped" },
  unwrap: { category: "other", flow: "both", verb: "unwrapped" },
  migrate: { category: "other", flow: "both", verb: "migrated" },
  bridge_out: { category: "bridge", flow: "gives", verb: "sent over a bridge:" },
  bridge_in: { category: "bridge", flow: "gets", verb: "received over a bridge:" },
  donate: { category: "transfer", flow: "gives", verb: "donated" },
  purchase: { category: "transfer", flow: "gives", verb: "paid" },
  place_order: { category: "other", flow: "any", verb: "placed an order" },
  vote: { category: "governance", flow: "still", verb: "voted" },
  propose: { category: "governance", flow: "still", verb: "made a proposal" },
  execute_proposal: { category: "governance", flow: "any", verb: "executed a proposal" },
  delegate_votes: { category: "governance", flow: "still", verb: "delegated votes" },
  register_name: { category: "other", flow: "any", verb: "registered a name" },
  renew_name: { category: "other", flow: "any", verb: "renewed a name" },
  set_name_record: { category: "other", flow: "any", verb: "set a record of a name" },
  attest: { category: "other", flow: "any", verb: "made an attestation" },
  follow: { category: "other", flow: "any", verb: "changed a list of whom it follows" },
  stream: { category: "other", flow: "any", verb: "changed a stream" },
  register: { category: "other", flow: "any", verb: "registered" },
  subscribe: { category: "other", flow: "any", verb: "changed a subscription" },
  deploy: { category: "deploy", flow: "any", verb: "created a contract" },
  multisig_exec: { category: "multisig_exec", flow: "any", verb: "executed a decision of its owners" },
  user_operation: { category: "user_operation", flow: "any", verb: "ran a user operation" },
  mint: { category: "mint", flow: "gets", verb: "minted" },
  transfer: { category: "transfer", flow: "gives", verb: "sent" },
} as const satisfies Readonly<Record<ActType, HeadlineKind>>;

export type HeadlineType = keyof typeof KINDS;

const isType = (word: string): word is HeadlineType => word in KINDS;
export const HEADLINE_TYPES = Object.keys(KINDS).filter(isType);

/** As one text: `Uniswap v3`. */
export const fullName = ({ name, version }: ProtocolName): string => (version === null ? name : `${name} ${version}`);

/** Source of the finding: an event or function of one protocol, a common name, or the movements alone. */
export const BASES = ["protocol", "standard", "movements"] as const;
export type Basis = (typeof BASES)[number];

/** Source of the name: the called contract, a signature of the protocol, a counterparty or token, a pool of the trade. */
export const NAME_SOURCES = ["called_contract", "signature", "counterparty", "pool"] as const;
export type NameSource = (typeof NAME_SOURCES)[number];

/** The protocol that owns a contract. */
export interface ProtocolName {
  readonly name: string;
  readonly version: string | null;
}

/** The headline of a transaction: the act of its actor, net over the whole transaction. */
export interface Headline {
  readonly type: HeadlineType;
  readonly category: TransactionCategory;
  readonly actor: Hex;
  /** Null when no name is known. */
  readonly protocol: ProtocolName | null;
  readonly protocol_source: NameSource | null;
  /** Venue of a routed trade when it is a single one and not the router's own. */
  readonly venue: ProtocolName | null;
  readonly given: readonly TokenAmount[];
  readonly received: readonly TokenAmount[];
  /** Payment for the service beside the act; not the network's fee. */
  readonly fee: readonly TokenAmount[];
  /** Tokens that only record a debt, minted or burned with it. */
  readonly debt: readonly TokenAmount[];
  readonly basis: Basis;
  /** Expected share of right types among headlines of this kind, 0 to 1. */
  readonly confidence: number;
  /** The evidence: a signature, or the name of a rule. */
  readonly evidence: string;
}
