/** The headline on chains that report the acts of programs and of their own contracts. */
import type { Transaction } from "../../../chains/chain.ts";
import type { DecodedCall } from "../../../chains/transaction_details.ts";
import { TIP_ACCOUNTS } from "../../../labels/tips.ts";
import { type Hex, toHex } from "../../../lib/bytes.ts";
import type { Action } from "../actions/action.ts";
import type { TransactionMovement } from "../decoding/movements.ts";
import { hasFlow } from "./consistency.ts";
import { netOf, netsOf, type PartyNet } from "./nets.ts";
import { type Headline, type HeadlineType, KINDS, type ProtocolName } from "./types.ts";

interface HeadlineFacts {
  readonly transaction: Pick<Transaction, "sender" | "succeeded" | "program_acts" | "pool_acts">;
  readonly movements: readonly TransactionMovement[];
  readonly actions: readonly Action[];
  readonly called: DecodedCall | null;
}

interface HeadlineCandidate {
  readonly type: HeadlineType;
  readonly actor: Hex;
  readonly protocol: ProtocolName | null;
  readonly evidence: string;
}

/**
 * Priority of several acts: a loan or a stake is the purpose of a trade before it; fees and rewards accompany an act.
 */
const ORDER: readonly HeadlineType[] = [
  ...(["liquidation", "borrow", "repay", "supply", "withdraw", "stake", "unstake", "queue_withdrawal"] as const),
  ...(["add_liquidity", "remove_liquidity", "swap", "claim_reward", "collect_fees"] as const),
];

/** Acts of a network's own contracts: java-tron, protos Tron.proto, ContractType. */
const OWN_CONTRACTS: Readonly<Record<string, HeadlineType>> = {
  FreezeBalanceContract: "stake",
  FreezeBalanceV2Contract: "stake",
  UnfreezeBalanceContract: "unstake",
  UnfreezeBalanceV2Contract: "queue_withdrawal",
  WithdrawExpireUnfreezeContract: "unstake",
  CancelAllUnfreezeV2Contract: "extend_stake",
  WithdrawBalanceContract: "claim_reward",
  VoteWitnessContract: "vote",
  ProposalCreateContract: "propose",
};

/** `Jupiter v6` is version v6 of Jupiter. */
const parsed = (text: string): ProtocolName => {
  const [, name = text, version = null] = /^(.*) (v\d+)$/.exec(text) ?? [];
  return { name, version };
};

/** Confidence in an act that a known program or the network itself reports, and in a trade by movements. */
const PROGRAM = 0.97;
const TRADE = 0.85;

const rank = ({ type }: HeadlineCandidate): number => ORDER.indexOf(type);

const candidatesOf = ({ transaction, called }: HeadlineFacts): readonly HeadlineCandidate[] => {
  const { program_acts = [], pool_acts = [], sender } = transaction;
  const acts = program_acts.map(({ kind, account, name, given, received }): HeadlineCandidate => {
    // A deactivated stake moves nothing before it has cooled down.
    const type = kind === "unstake" && given.length + received.length === 0 ? "queue_withdrawal" : kind;
    return { type, actor: toHex(account), protocol: parsed(name), evidence: `${name}: ${kind}` };
  });
  const trades = pool_acts.flatMap(({ swap, name }): readonly HeadlineCandidate[] => {
    if (swap === null) return [];
    const protocol = name === null ? null : parsed(name);
    return [{ type: "swap", actor: toHex(swap.trader), protocol, evidence: `${name ?? "a pool"}: swap` }];
  });
  const own = called?.is_protocol === true && called.name !== null ? OWN_CONTRACTS[called.name] : undefined;
  const contract = called?.name ?? "";
  const of_network: readonly HeadlineCandidate[] =
    own === undefined ? [] : [{ type: own, actor: toHex(sender), protocol: null, evidence: contract }];
  return [...of_network, ...[...acts, ...trades].sort((a, b) => rank(a) - rank(b))];
};

const isTip = ({ token, destination }: TransactionMovement): boolean => token === "" && TIP_ACCOUNTS.has(destination);

/** Net changes of the trade, and the tips paid to the block producer. */
interface TradedNets {
  readonly nets: ReadonlyMap<Hex, PartyNet>;
  readonly tips: readonly TransactionMovement[];
}

const dealtIn = (movements: readonly TransactionMovement[]): TradedNets => ({
  nets: netsOf(movements.filter((move) => !isTip(move))),
  tips: movements.filter(isTip),
});

const headlineBy = ({ type, actor, protocol, evidence }: HeadlineCandidate, { nets, tips }: TradedNets): Headline => {
  const { given, received } = netOf(nets, actor);
  const tipped = tips.reduce((sum, { source, amount }) => (source === actor ? sum + amount : sum), 0n);
  const fee = tipped === 0n ? [] : [{ token: "" as const, token_id: null, amount: tipped }];
  return {
    ...{ type, category: KINDS[type].category, actor, protocol, given, received },
    protocol_source: protocol === null ? null : "signature",
    ...{ venue: null, fee, debt: [], basis: "protocol", confidence: PROGRAM, evidence },
  };
};

/** Null when the actor's net changes match no act of a known program or of the network itself. */
export const actsHeadlineOf = (told: HeadlineFacts): Headline | null => {
  if (!told.transaction.succeeded) return null;
  const dealt = dealtIn(told.movements);
  const found = candidatesOf(told).find(({ type, actor }) => hasFlow(type, netOf(dealt.nets, actor)));
  return found === undefined ? null : headlineBy(found, dealt);
};

/**
 * When the signer gave one token and received another while pools traded, the trade is the signer's, not a swap between
 * pools on its way. Null otherwise, and where the logs of a known protocol show another act.
 */
export const tradeOfSender = (
  { transaction, movements, actions }: HeadlineFacts,
  other: Headline | null,
): Headline | null => {
  const actor = toHex(transaction.sender);
  const dealt = dealtIn(movements);
  const net = netOf(dealt.nets, actor);
  const is_plain = [...net.given, ...net.received].every(({ token_id }) => token_id === null);
  const is_outranked = other !== null && (other.actor === actor || other.basis === "protocol");
  if (!transaction.succeeded || is_outranked || !is_plain || !hasFlow("swap", net)) return null;
  if (!actions.some(({ type }) => type === "swap")) return null;
  const told = headlineBy(
    { type: "swap", actor, protocol: null, evidence: "given for got, with a trade in a pool" },
    dealt,
  );
  return { ...told, basis: "movements", confidence: TRADE };
};
