/** Votes of validators: most transactions of a block, which leave only their fee behind (docs/design/families.md). */
import { type Hex, toHex } from "../../lib/bytes.ts";
import type { SummedVotes } from "../summed_votes.ts";
import { u32At } from "./integers.ts";
import { COMPUTE_BUDGET_PROGRAM, VOTE_PROGRAM_KEY } from "./programs.ts";
import type { ScannedList } from "./scan/scanned_list.ts";
import type { RawTransaction, SolanaInstruction } from "./transaction.ts";
import { dataOf } from "./wire.ts";

/**
 * The instructions that vote, by number and by name: vote, voteSwitch, updateVoteState, ...Switch,
 * compactUpdateVoteState, ...Switch, towerSync, ...Switch (solana-vote-interface, instruction.rs). The others change an
 * account.
 */
const VOTING: ReadonlySet<number | string | null> = new Set([
  ...[2, 6, 8, 9, 12, 13, 14, 15],
  ...["vote", "voteswitch", "updatevotestate", "updatevotestateswitch"],
  ...["compactupdatevotestate", "compactupdatevotestateswitch", "towersync", "towersyncswitch"],
]);

const isVoting = ({ call }: SolanaInstruction): boolean => {
  if ("type" in call) return VOTING.has(call.type);
  return VOTING.has(u32At(typeof call.data === "string" ? dataOf(call.data, "data") : call.data, 0));
};

/**
 * A transaction that succeeded, whose payer is its only signer and thus the voter, that votes and otherwise at most
 * sets its compute budget, and that changed only the payer's coins, by the fee.
 */
export const isPlainVote = (raw: RawTransaction): boolean => {
  const { accounts, instructions, tokens, fee } = raw;
  if (!raw.succeeded || raw.signers !== 1 || !raw.has_inner || fee <= 0n) return false;
  if (tokens.before.length > 0 || tokens.after.length > 0) return false;
  let votes = 0;
  for (const one of instructions) {
    if (one.depth !== 1) return false;
    if (accounts.is(one.program, VOTE_PROGRAM_KEY) && isVoting(one)) votes += 1;
    else if (accounts.hex(one.program) !== COMPUTE_BUDGET_PROGRAM) return false;
  }
  if (votes === 0) return false;
  const { before, after } = raw.lamports;
  for (let at = 0; at < after.length; at += 1)
    if (after[at] !== (before[at] ?? 0n) - (at === 0 ? fee : 0n)) return false;
  return true;
};

type VoteSum = { -readonly [K in keyof SummedVotes]: SummedVotes[K] };

/** Plain votes by voter, in the order of the first of each. */
export class VoteSums {
  readonly #all: VoteSum[] = [];
  /** By number of the voter's key. */
  readonly #numbered: VoteSum[] = [];
  /** All of them, from the first vote on that no scan found. */
  #named: Map<Hex, VoteSum> | null = null;

  /** The caller may reuse the bytes of `voter` afterwards. */
  add({ voter, fee }: Pick<SummedVotes, "voter" | "fee">, index: number): void {
    this.#named ??= new Map(this.#all.map((sum) => [toHex(sum.voter), sum]));
    const name = toHex(voter);
    const known = this.#named.get(name);
    if (known === undefined)
      this.#named.set(name, this.#first({ voter: Uint8Array.from(voter), index, count: 1, fee }));
    else {
      known.count += 1;
      known.fee += fee;
    }
  }

  /** Adds the vote at a position of the block's list, as read from its text. All of them belong to one list. */
  addScanned(list: ScannedList, index: number): void {
    const number = list.voterAt(index);
    const fee = BigInt(list.feeAt(index));
    const known = this.#numbered[number] ?? this.#named?.get(list.keys.hex(number));
    if (known === undefined) {
      const sum = this.#first({ voter: list.keys.bytes(number), index, count: 1, fee });
      this.#numbered[number] = sum;
      this.#named?.set(list.keys.hex(number), sum);
    } else {
      this.#numbered[number] = known;
      known.count += 1;
      known.fee += fee;
    }
  }

  #first(sum: VoteSum): VoteSum {
    this.#all.push(sum);
    return sum;
  }

  get all(): readonly SummedVotes[] {
    return this.#all;
  }
}
