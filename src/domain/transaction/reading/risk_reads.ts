import { type Hex, toHex } from "../../../lib/bytes.ts";
import { isWord } from "../../../lib/wide.ts";
import type { QueryRow, Snapshot } from "../../../store/facts.ts";
import { contractsAmong } from "../../address/identity/parties.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { transactionHashes } from "../../transaction_hashes.ts";
import type { TokenApproval } from "../decoding/approvals.ts";
import { netChanges, type TransactionMovement } from "../decoding/movements.ts";
import type { TransactionMatch } from "./find.ts";
import { isIndexed, type TransactionKnowledge } from "./read.ts";
import {
  DRAIN,
  FRESH_S,
  type SpenderDetail,
  type TransactionEvidence,
  type TransactionRiskFacts,
} from "./risk_flags.ts";

/** Findings of a check, and the parts that it could not check. */
export interface RiskReadResult<T> {
  readonly found: T;
  readonly warnings: readonly Warning[];
}

/** The transaction to check for risks. */
export interface TransactionRiskSubject {
  readonly scope: SnapshotContext;
  readonly found: TransactionMatch;
  readonly known: TransactionKnowledge;
  /** Unix seconds of its block; of the snapshot's block while it is pending. */
  readonly time: number;
}

const unchecked = <T>(found: T, code: string, message: string): RiskReadResult<T> => ({
  found,
  warnings: [{ code, message }],
});
const whole = <T>(found: T): RiskReadResult<T> => ({ found, warnings: [] });

const isGrant = ({ scope, amount, spender }: TokenApproval): boolean =>
  spender !== "" && (scope === "piece" || amount > 0n);

/** Spenders with new rights, whether anything is known about them, and their age. */
export const readSpenders = async (
  subject: TransactionRiskSubject,
): Promise<RiskReadResult<ReadonlyMap<Hex, SpenderDetail>>> => {
  const { scope, known, time } = subject;
  const { facts, snapshot } = scope;
  const addresses = [...new Set(known.reading.approvals.filter(isGrant).map(({ spender }) => spender))].sort();
  if (addresses.length === 0) return whole(new Map());
  const rows = await facts.ask(snapshot, "creations_among", { addresses });
  const created = new Map(rows.map((row) => [row.address, row.time]));
  const spenders = new Map(
    addresses.map((address): readonly [Hex, SpenderDetail] => [
      address,
      { is_verified: known.party(address).label !== null, created_at: created.get(address) ?? null },
    ]),
  );
  const unknown = addresses.filter((address) => !created.has(address));
  if (unknown.length === 0 || snapshot.from_block <= 1) return whole(spenders);
  const [first] = await facts.ask(snapshot, "block_by_number", { number: snapshot.from_block });
  if (first !== undefined && time - first.time >= FRESH_S) return whole(spenders);
  return unchecked(
    spenders,
    "AGE_NOT_CHECKED",
    "The index begins too late to tell how old every approved contract was.",
  );
};

/** Zero transfers that another account wrote into a wallet's history. */
export const readPoisoned = async ({
  scope,
  found,
  known,
}: TransactionRiskSubject): Promise<TransactionRiskFacts["poisoned"]> => {
  const sender = toHex(found.seen.sender);
  const empty = known.reading.movements.filter(
    ({ kind, amount, source, destination }) =>
      (kind === "erc20" || kind === "trc20") &&
      amount === 0n &&
      source !== sender &&
      source !== "" &&
      destination !== "",
  );
  if (empty.length === 0) return [];
  const contracts = await contractsAmong(
    scope,
    empty.map(({ source }) => source),
  );
  return empty
    .filter(({ source }) => contracts.get(source) === false)
    .map(({ source, destination }) => ({ holder: source, recipient: destination }));
};

/** The digits that people compare. */
const faceOf = (address: Hex): string => `${address.slice(0, 4)}${address.slice(-4)}`;

const isPaid =
  (sender: Hex) =>
  ({ source, destination, amount }: TransactionMovement): boolean =>
    source === sender && destination !== "" && destination !== sender && amount > 0n;

const LOOKALIKES_UNCHECKED = "The block is not indexed, so recipients were not compared with earlier ones.";

const NOT_HEX = "Recipients are compared with earlier ones only where addresses are written in hex.";

/** Only then do similar texts have similar bytes. */
const isWrittenInHex = (text: string, address: Hex): boolean => text.toLowerCase() === `0x${address}`;

const positionOf = ({ first_block, first_index }: QueryRow<"reading/alike_peers">) => ({
  block_number: first_block,
  tx_index: first_index,
});

/** Recipients that start and end like an address that the payer had paid before. */
export const readLookalikes = async (
  subject: TransactionRiskSubject,
): Promise<RiskReadResult<TransactionRiskFacts["lookalikes"]>> => {
  const { scope, found, known } = subject;
  const sender = toHex(found.seen.sender);
  const recipients = [...new Set(known.reading.movements.filter(isPaid(sender)).map(({ destination }) => destination))];
  if (recipients.length === 0) return whole([]);
  if (!recipients.every((recipient) => isWrittenInHex(scope.chain.formatAddress(recipient), recipient)))
    return unchecked([], "LOOKALIKES_NOT_CHECKED", NOT_HEX);
  const block = found.seen.mined?.block.number ?? 0;
  if (!isIndexed(found)) return unchecked([], "LOOKALIKES_NOT_CHECKED", LOOKALIKES_UNCHECKED);
  const peers = await scope.facts.ask(scope.snapshot, "reading/alike_peers", {
    wallet: sender,
    block,
    alike: [...recipients].sort(),
  });
  const first = new Map(peers.map((row) => [row.peer, row.first_block]));
  const hashOf = await transactionHashes(scope, peers.map(positionOf));
  return whole(
    recipients.flatMap((recipient) => {
      const own = first.get(recipient) ?? block;
      const earlier = peers.find(
        ({ peer, first_block }) => peer !== recipient && faceOf(peer) === faceOf(recipient) && first_block < own,
      );
      if (earlier === undefined) return [];
      const ref = scope.chain.formatHash(hashOf(positionOf(earlier)));
      const first_paid: TransactionEvidence = { kind: "tx", ref, observed_at: earlier.time };
      return [{ recipient, resembles: earlier.peer, first_paid }];
    }),
  );
};

interface TokenLoss {
  readonly token: Hex;
  readonly amount: bigint;
}

/** Addresses that lost several tokens and gained nothing. */
const losers = (movements: readonly TransactionMovement[]): ReadonlyMap<Hex, readonly TokenLoss[]> => {
  const gainers = new Set<Hex>();
  const losses = new Map<Hex, TokenLoss[]>();
  for (const { address, token, token_id, amount } of netChanges(movements.filter(({ kind }) => kind !== "rent"))) {
    if (amount > 0n) gainers.add(address);
    if (amount > 0n || token_id !== null) continue;
    losses.set(address, [...(losses.get(address) ?? []), { token, amount: -amount }]);
  }
  return new Map([...losses].filter(([address, list]) => !gainers.has(address) && list.length >= DRAIN.tokens_min));
};

const DRAIN_UNCHECKED =
  "The earlier holdings of the losing addresses are not known exactly, so a drain cannot be ruled out.";

/** Snapshot before the block; null when the holdings there are not known exactly. */
const before = async ({ scope, found }: TransactionRiskSubject): Promise<Snapshot | null> => {
  const number = found.seen.mined?.block.number ?? 0;
  if (!isIndexed(found) || number - 1 < scope.snapshot.from_block) return null;
  const snapshot = await scope.facts.snapshot(scope.chain.network.id, number - 1);
  return snapshot.coverage.complete ? snapshot : null;
};

/** Addresses that lost nearly all of several tokens. Contracts forward their receipts, so they are no victims. */
export const readDrained = async (
  subject: TransactionRiskSubject,
): Promise<RiskReadResult<TransactionRiskFacts["drained"]>> => {
  const { scope, known } = subject;
  const suspects = losers(known.reading.movements);
  const contracts = await contractsAmong(scope, [...suspects.keys()]);
  const people = [...suspects].filter(
    ([address]) => contracts.get(address) !== true && scope.chain.mayHaveKey(address),
  );
  if (people.length === 0) return whole([]);
  const snapshot = await before(subject);
  if (snapshot === null) return unchecked([], "DRAIN_NOT_CHECKED", DRAIN_UNCHECKED);
  const pairs = people.flatMap(([holder, list]) => list.map(({ token, amount }) => ({ holder, token, amount })));
  const held = await scope.facts.balanceOf(snapshot, pairs);
  const gone = new Map<Hex, number>();
  for (const [i, { holder, amount }] of pairs.entries()) {
    const had = held[i] ?? 0n;
    if (had <= 0n || !isWord(had) || amount * 100n < had * DRAIN.share_percent) continue;
    gone.set(holder, (gone.get(holder) ?? 0) + 1);
  }
  return whole(
    [...gone].filter(([, tokens]) => tokens >= DRAIN.tokens_min).map(([victim, tokens]) => ({ victim, tokens })),
  );
};
