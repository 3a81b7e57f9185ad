import type { EventLog, Transaction } from "../../../chains/chain.ts";
import type { AccountApproval as ToldApproval } from "../../../chains/token_accounts.ts";
import type { TracedCall } from "../../../chains/transaction_details.ts";
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { EMPTY, type Hex, toHex } from "../../../lib/bytes.ts";
import { addressAt, uintAt, WORD_BYTES } from "../../../lib/words.ts";
import { decodeLog } from "../../../protocols/index.ts";
import { topicOf } from "../../../protocols/protocol.ts";
import { topicAddress } from "../../../protocols/topics.ts";
import { selectorOf } from "../../abi.ts";

/** A right over an owner's tokens that a transaction granted or revoked. */
export interface TokenApproval {
  readonly token: Hex;
  readonly owner: Hex;
  /** '' = the right to one NFT was revoked from its previous holder. */
  readonly spender: Hex;
  /** Allowance in base units; token id of one NFT; for all NFTs 1 granted, 0 revoked. */
  readonly amount: bigint;
  readonly scope: "amount" | "piece" | "all_pieces";
  readonly is_unlimited: boolean;
  readonly kind: "erc20" | "erc721" | "permit" | "permit2" | "spl";
  /** Null for approvals without a log. */
  readonly log_index: number | null;
}

/**
 * From half of the number range upwards: no supply is that large. Some tokens count allowances in 96 bits (UNI, COMP).
 */
const UNLIMITED_FROM = 2n ** 255n;
const MAX_UINT64 = 2n ** 64n - 1n;
const MAX_UINT96 = 2n ** 96n - 1n;
const MAX_UINT160 = 2n ** 160n - 1n;

const PERMITS: readonly Hex[] = [
  selectorOf(INTERFACES.erc2612.permit),
  selectorOf(INTERFACES.dai.permit),
  selectorOf(INTERFACES.token_holders.permit_bytes),
];
const GRANTS: readonly Hex[] = [
  ...PERMITS,
  ...[
    INTERFACES.erc20.approve,
    INTERFACES.erc20_supply.increaseAllowance,
    INTERFACES.erc20_supply.decreaseAllowance,
    INTERFACES.erc721.setApprovalForAll,
  ].map(selectorOf),
];

/** Selectors of the granting calls by token. Null: not every call is known. */
type GrantRequests = ReadonlyMap<Hex, ReadonlySet<Hex>> | null;

const selectorIn = (input: Uint8Array): Hex => toHex(input.subarray(0, 4));

const grantRequestsIn = (calls: readonly TracedCall[] | null): GrantRequests => {
  if (calls === null || calls.some(({ input }) => input === null)) return null;
  const by_token = new Map<Hex, Set<Hex>>();
  for (const { recipient, input, is_undone } of calls) {
    const selector = selectorIn(input ?? EMPTY);
    if (is_undone || recipient === null || !GRANTS.includes(selector)) continue;
    const token = toHex(recipient);
    by_token.set(token, (by_token.get(token) ?? new Set()).add(selector));
  }
  return by_token;
};

const isUnlimited = (amount: bigint): boolean => amount >= UNLIMITED_FROM || amount === MAX_UINT96;

/** Approval of Permit2's AllowanceTransfer; Permit adds a nonce, Lockdown revokes the right. */
const PERMIT2 = {
  approval: toHex(topicOf("Approval(address,address,address,uint160,uint48)")),
  permit: toHex(topicOf("Permit(address,address,address,uint160,uint48,uint48)")),
  lockdown: toHex(topicOf("Lockdown(address,address,address)")),
};

const ofPermit2 = ({ topics, data, index }: EventLog): TokenApproval | null => {
  const [topic, owner, token, spender] = topics;
  if (topic === undefined || owner === undefined) return null;
  const name = toHex(topic);
  const base = { scope: "amount", kind: "permit2", log_index: index, owner: toHex(topicAddress(owner)) } as const;
  if (name === PERMIT2.lockdown && topics.length === 2 && data.length === 2 * WORD_BYTES) {
    const [told, taken] = [toHex(addressAt(data, 0)), toHex(addressAt(data, 1))];
    return { ...base, token: told, spender: taken, amount: 0n, is_unlimited: false };
  }
  const words = name === PERMIT2.permit ? 3 : 2;
  if (name !== PERMIT2.permit && name !== PERMIT2.approval) return null;
  if (topics.length !== 4 || token === undefined || spender === undefined || data.length !== words * WORD_BYTES)
    return null;
  const amount = uintAt(data, 0);
  const sides = { token: toHex(topicAddress(token)), spender: toHex(topicAddress(spender)) };
  return { ...base, ...sides, amount, is_unlimited: amount >= MAX_UINT160 };
};

const ofLog = (log: EventLog, grants: GrantRequests): readonly TokenApproval[] => {
  const permit2 = ofPermit2(log);
  if (permit2 !== null) return [permit2];
  const token = toHex(log.address);
  return decodeLog(log).flatMap((fact): readonly TokenApproval[] => {
    if (fact.fact !== "approval") return [];
    const how = grants?.get(token);
    // Many tokens log the remaining allowance after each use: that grants nothing.
    if (grants !== null && how === undefined) return [];
    const { kind, amount } = fact;
    const is_permit = how !== undefined && PERMITS.some((selector) => how.has(selector));
    return [
      {
        ...{ token, owner: toHex(fact.owner), spender: toHex(fact.spender), amount, log_index: log.index },
        scope: kind === "erc20" ? "amount" : kind === "erc721" ? "piece" : "all_pieces",
        is_unlimited: kind === "erc20" ? isUnlimited(amount) : kind === "for_all" && amount > 0n,
        kind: kind !== "erc20" ? "erc721" : is_permit ? "permit" : "erc20",
      },
    ];
  });
};

/** Rights granted and revoked, in the order of the logs. `trace` is null when calls are unknown. */
export const approvalsOf = (
  transaction: Transaction,
  trace: readonly TracedCall[] | null,
): readonly TokenApproval[] => {
  const grants = grantRequestsIn(trace);
  // A sold NFT loses its approval by itself; only requested changes are reported.
  return [...transaction.logs.flatMap((log) => ofLog(log, grants)), ...(transaction.approvals ?? []).map(ofReported)];
};

/** A delegate of a token account: token amounts have at most 64 bits. */
const ofReported = ({ token, owner, spender, amount }: ToldApproval): TokenApproval => ({
  ...{ token: toHex(token), owner: toHex(owner), spender: toHex(spender), amount },
  ...{ scope: "amount", is_unlimited: amount === MAX_UINT64, kind: "spl", log_index: null },
});
