import { type Hex, toHex } from "../../../lib/bytes.ts";
import { isWord } from "../../../lib/wide.ts";
import type { QueryRow } from "../../../store/facts.ts";
import { contractsAmong } from "../../address/identity/parties.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { comparedOn, facesOf, type Imitation, likenessOf, POISON_WINDOW_S, poisonConfidence } from "../../poisoning.ts";
import { creationBlock } from "../../token/contracts/creation.ts";
import { transactionHashes } from "../../transaction_hashes.ts";
import { hasRowsOf } from "../../whole_rows.ts";
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

const AGE_UNCHECKED = "The index begins too late to tell how old every approved contract was.";

/**
 * Times of creation of the contracts among these that are fresh, by the node's old states; null where no node keeps them. On a network that
 * is read on demand, creations are not indexed.
 */
const freshlyCreated = async (
  { scope, found, time }: TransactionRiskSubject,
  addresses: readonly Hex[],
): Promise<ReadonlyMap<Hex, number> | null> => {
  const { facts, chain, snapshot, signal } = scope;
  const high = found.seen.mined?.block.number ?? snapshot.block.number;
  if (!chain.can.archive) return null;
  const [before] = await facts.ask(snapshot, "block_at_time", { time: Math.max(0, time - FRESH_S) });
  const low = before?.block_number ?? snapshot.from_block;
  const created = await Promise.all(
    addresses.map(async (contract): Promise<readonly [Hex, number][]> => {
      const number = await creationBlock({ chain, contract, signal }, [low, high]);
      const block = number === null ? null : await chain.ref(number, signal);
      return block === null ? [] : [[contract, block.time]];
    }),
  );
  return new Map(created.flat());
};

/** Spenders with new rights, whether anything is known about them, and their age. */
export const readSpenders = async (
  subject: TransactionRiskSubject,
): Promise<RiskReadResult<ReadonlyMap<Hex, SpenderDetail>>> => {
  const { scope, known, time } = subject;
  const { facts, snapshot } = scope;
  const addresses = [...new Set(known.reading.approvals.filter(isGrant).map(({ spender }) => spender))].sort();
  if (addresses.length === 0) return whole(new Map());
  const is_indexed = snapshot.followed === undefined;
  const rows = await facts.ask(snapshot, "creations_among", { addresses });
  const created = is_indexed
    ? new Map(rows.map((row) => [row.address, row.time]))
    : await freshlyCreated(subject, addresses);
  const spenders = new Map(
    addresses.map((address): readonly [Hex, SpenderDetail] => [
      address,
      { is_verified: known.party(address).label !== null, created_at: created?.get(address) ?? null },
    ]),
  );
  if (created === null) return unchecked(spenders, "AGE_NOT_CHECKED", AGE_UNCHECKED);
  if (!is_indexed) return whole(spenders);
  const unknown = addresses.filter((address) => !created.has(address));
  if (unknown.length === 0 || snapshot.from_block <= 1) return whole(spenders);
  const [first] = await facts.ask(snapshot, "block_by_number", { number: snapshot.from_block });
  if (first !== undefined && time - first.time >= FRESH_S) return whole(spenders);
  return unchecked(spenders, "AGE_NOT_CHECKED", AGE_UNCHECKED);
};

/** Holders of zero transfers whose earlier payments are read. One transaction may write into hundreds of histories. */
const HOLDERS_MAX = 10;

/** An address that the payer had paid before and that looks like this one. */
interface EarlierPeer extends Pick<Imitation, "imitates"> {
  readonly likeness: number;
  readonly row: QueryRow<"reading/alike_peers">;
}

/** The earlier counterparties of a payer that recipients of this transaction imitate, by recipient. */
const imitatedBy = async (
  { scope, found, time }: TransactionRiskSubject,
  payer: Hex,
  recipients: readonly Hex[],
): Promise<ReadonlyMap<Hex, EarlierPeer>> => {
  const block = found.seen.mined?.block.number ?? 0;
  const { is_hex, textOf } = comparedOn(scope.chain, payer);
  const texts = new Map(recipients.map((recipient) => [recipient, textOf(recipient)]));
  const rows = await scope.facts.ask(scope.snapshot, "reading/alike_peers", {
    ...{ wallet: payer, block, since: is_hex ? 0 : Math.max(0, time - POISON_WINDOW_S) },
    faces: is_hex ? [...new Set([...texts.values()].flatMap(facesOf))].sort() : [],
  });
  const first = new Map(rows.map((row) => [row.peer, row.first_block]));
  const imitated = recipients.flatMap((recipient): (readonly [Hex, EarlierPeer])[] => {
    const own = first.get(recipient) ?? block;
    const text = texts.get(recipient) ?? "";
    const earlier = rows
      .filter(({ first_block, last_time }) => first_block < own && last_time >= time - POISON_WINDOW_S)
      .map((row) => ({ imitates: row.peer, likeness: likenessOf(text, textOf(row.peer)), row }))
      .filter(({ likeness }) => likeness > 0)
      .sort((one, other) => other.likeness - one.likeness)[0];
    return earlier === undefined ? [] : [[recipient, earlier]];
  });
  return new Map(imitated);
};

/** Zero transfers that another account wrote into a wallet's history, with the counterparty that the recipient imitates. */
export const readPoisoned = async (subject: TransactionRiskSubject): Promise<TransactionRiskFacts["poisoned"]> => {
  const { scope, found, known } = subject;
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
  const written = empty.filter(({ source }) => contracts.get(source) === false);
  const known_holders = isIndexed(found) ? written.filter(({ source }) => hasRowsOf(scope.snapshot, source)) : [];
  const holders = [...new Set(known_holders.map(({ source }) => source))].slice(0, HOLDERS_MAX);
  const imitated = new Map(
    await Promise.all(
      holders.map(async (holder) => {
        const recipients = written.filter(({ source }) => source === holder).map(({ destination }) => destination);
        return [holder, await imitatedBy(subject, holder, [...new Set(recipients)])] as const;
      }),
    ),
  );
  return written.map(({ source, destination }) => {
    const earlier = imitated.get(source)?.get(destination);
    const imitation =
      earlier === undefined
        ? null
        : { imitates: earlier.imitates, confidence: poisonConfidence("zero_value", earlier.likeness) };
    return { holder: source, recipient: destination, imitation };
  });
};

const isPaid =
  (sender: Hex) =>
  ({ source, destination, amount }: TransactionMovement): boolean =>
    source === sender && destination !== "" && destination !== sender && amount > 0n;

const PAYMENTS_UNREAD =
  "The network is read on demand, and the sender's earlier payments are not read, so recipients were not compared with earlier ones.";
const LOOKALIKES_UNCHECKED = "The block is not indexed, so recipients were not compared with earlier ones.";

const positionOf = ({ first_block, first_index }: QueryRow<"reading/alike_peers">) => ({
  block_number: first_block,
  tx_index: first_index,
});

/** Recipients that look like an address that the payer had paid within the days before. */
export const readLookalikes = async (
  subject: TransactionRiskSubject,
): Promise<RiskReadResult<TransactionRiskFacts["lookalikes"]>> => {
  const { scope, found, known } = subject;
  const sender = toHex(found.seen.sender);
  const recipients = [...new Set(known.reading.movements.filter(isPaid(sender)).map(({ destination }) => destination))];
  if (recipients.length === 0) return whole([]);
  if (!hasRowsOf(scope.snapshot, sender)) return unchecked([], "LOOKALIKES_NOT_CHECKED", PAYMENTS_UNREAD);
  if (!isIndexed(found)) return unchecked([], "LOOKALIKES_NOT_CHECKED", LOOKALIKES_UNCHECKED);
  const imitated = await imitatedBy(subject, sender, recipients);
  const hashOf = await transactionHashes(
    scope,
    [...imitated.values()].map(({ row }) => positionOf(row)),
  );
  return whole(
    [...imitated].map(([recipient, { imitates, row }]) => {
      const ref = scope.chain.formatHash(hashOf(positionOf(row)));
      const first_paid: TransactionEvidence = { kind: "tx", ref, observed_at: row.time };
      return { recipient, resembles: imitates, first_paid };
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

type Holding = { readonly holder: Hex; readonly token: Hex };

/** By the node, which does not tell the balance of every contract. */
const heldByNode = async (
  { chain, signal }: SnapshotContext,
  pairs: readonly Holding[],
  at: number,
): Promise<readonly bigint[] | null> => {
  if (!chain.can.archive) return null;
  const owners = pairs.flatMap(({ holder, token }) => (token === "" ? [holder] : []));
  const others = pairs.filter(({ token }) => token !== "");
  const [coins, tokens] = await Promise.all([
    owners.length === 0 ? [] : chain.nativeBalances(owners, signal, at),
    others.length === 0 ? [] : chain.tokenBalances(others, signal, at),
  ]);
  const held = pairs.map((pair) =>
    pair.token === "" ? coins[owners.indexOf(pair.holder)] : tokens[others.indexOf(pair)],
  );
  const known = held.filter((amount) => typeof amount === "bigint");
  return known.length === pairs.length ? known : null;
};

/** Holdings before the block; null when they are not known exactly. */
const heldBefore = async (
  { scope, found }: TransactionRiskSubject,
  pairs: readonly Holding[],
): Promise<readonly bigint[] | null> => {
  const { facts, chain, snapshot } = scope;
  const at = (found.seen.mined?.block.number ?? 0) - 1;
  if (snapshot.followed !== undefined) return at < 0 ? null : heldByNode(scope, pairs, at);
  if (!isIndexed(found) || at < snapshot.from_block) return null;
  const before = await facts.snapshot(chain.network.id, at);
  return before.coverage.complete ? facts.balanceOf(before, pairs) : null;
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
  const pairs = people.flatMap(([holder, list]) => list.map(({ token, amount }) => ({ holder, token, amount })));
  const held = await heldBefore(subject, pairs);
  if (held === null) return unchecked([], "DRAIN_NOT_CHECKED", DRAIN_UNCHECKED);
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
