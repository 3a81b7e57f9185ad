import type { Hex } from "../../lib/bytes.ts";
import { usdOf } from "../../lib/money.ts";
import { hourOf } from "../../lib/time.ts";
import type { Row } from "../../store/facts.ts";
import type { SnapshotContext } from "../context.ts";
import { type Price, priceKey, pricesAtHours } from "../prices/price_now.ts";
import { metadataIn, metadataOf, type TokenMetadata } from "../tokens/metadata.ts";
import {
  faceReasons,
  isLookalike,
  movementReasons,
  REAL_PEER_USD,
  type Sighting,
  type SpamReason,
} from "../tokens/spam.ts";
import { readSightings } from "./sightings.ts";
import { type ProtocolEvents, type Side, type TxType, txTypeOf } from "./tx_type.ts";

export type LedgerRow = Row<"wallet_history/rows">;

export interface Subject extends SnapshotContext {
  readonly wallet: Hex;
  /** A contract signs nothing, so what leaves it unsigned is no sign of theft. */
  readonly is_wallet_contract: boolean;
}

/** One row of the list, judged. */
export interface Listed {
  readonly ledger: LedgerRow;
  /** Null for coins that appear without a transaction. */
  readonly deed: ProtocolEvents | null;
  /** A call that moved nothing of the wallet, told by its fee row. */
  readonly is_bare_call: boolean;
  readonly direction: "in" | "out" | "self";
  readonly peer: Hex;
  readonly amount: bigint;
  readonly face: TokenMetadata;
  /** Null when the token does not tell its decimals. */
  readonly decimals: number | null;
  readonly usd_value: number | null;
  readonly tx_type: TxType;
  /** Of the whole transaction; null when the wallet did not send it, or the native coin has no price. */
  readonly fee_usd: number | null;
  readonly is_sent_by_wallet: boolean;
  readonly spam_reasons: readonly SpamReason[];
}

/** A row whose token is spam by its face, where the caller does not want to see spam. */
export interface Hidden {
  readonly ledger: null;
  readonly usd_value: number | null;
  readonly spam_reasons: readonly SpamReason[];
}

/** Batches beyond this are freed of spam by its face before anything else is asked about their rows. */
const DIRECT_ROWS_MAX = 200;

const COLLECTIBLE: readonly string[] = ["erc721", "erc1155"];
const FUNGIBLE: readonly string[] = ["erc20", "spl", "trc20", "trc10"];

const placeKey = (row: { readonly block_number: number; readonly tx_index: number }) =>
  `${row.block_number}:${row.tx_index}`;

const placesOf = (rows: readonly LedgerRow[]) => {
  const places = [...new Map(rows.map((row) => [placeKey(row), row])).values()];
  return { blocks: places.map(({ block_number }) => block_number), indexes: places.map(({ tx_index }) => tx_index) };
};

type Moved = Pick<LedgerRow, "token" | "time">;

/** Faces and hourly prices of the tokens that moved, and of the native coin at the same times. */
interface Market {
  readonly faces: ReadonlyMap<Hex, TokenMetadata>;
  readonly priceOf: (token: Hex, time: number) => Price | null;
}

const readMarket = async (subject: Subject, moved: readonly Moved[]): Promise<Market> => {
  const { facts, snapshot, chain } = subject;
  const wanted = new Map(
    [...moved, ...moved.map(({ time }) => ({ token: "", time }))].map(({ token, time }) => {
      const hour = hourOf(time);
      return [priceKey(token, hour), { token, hour }] as const;
    }),
  );
  const [faces, prices] = await Promise.all([
    metadataOf(
      subject,
      moved.map(({ token }) => token),
    ),
    pricesAtHours({ facts, network: chain.network, snapshot }, [...wanted.values()]),
  ]);
  return { faces, priceOf: (token, time) => prices.get(priceKey(token, hourOf(time))) ?? null };
};

const momentKey = ({ token, time }: Moved): string => priceKey(token, hourOf(time));

/** True when the same tokens moved in the same hours. */
const areAmong = (some: readonly Moved[], all: readonly Moved[]): boolean => {
  const known = new Set(all.map(momentKey));
  return some.every((moved) => known.has(momentKey(moved)));
};

/** Everything about a batch of ledger rows that other tables know. */
const gather = async (subject: Subject, rows: readonly LedgerRow[]) => {
  const { facts, snapshot, wallet } = subject;
  const places = placesOf(rows);
  const times = rows.map(({ time }) => time);
  const received = rows.filter(({ direction, token, sender }) => direction === 1 && token !== "" && sender !== wallet);
  const newest = times.reduce((a, b) => Math.max(a, b), 0);
  const oldest = times.reduce((a, b) => Math.min(a, b), newest);
  const [deeds, sides, receivers, sightings, market] = await Promise.all([
    facts.ask(snapshot, "wallet_history/protocol_events", places),
    facts.ask(snapshot, "wallet_history/sides", { wallet, ...places }),
    received.length === 0
      ? []
      : facts.ask(snapshot, "wallet_history/receivers", {
          ...placesOf(received),
          tokens: [...new Set(received.map(({ token }) => token))].sort(),
        }),
    readSightings(subject, wallet, { from: oldest, until: newest + 1 }),
    readMarket(subject, rows),
  ]);
  return {
    deeds: new Map(deeds.map((deed) => [placeKey(deed), deed])),
    sides: new Map(sides.map((side) => [placeKey(side), side])),
    receivers: new Map(receivers.map((row) => [`${placeKey(row)}:${row.token}`, row.receivers])),
    sightings,
    ...market,
    sighted: areAmong(sightings, rows) ? market : await readMarket(subject, sightings),
  };
};

type Gathered = Awaited<ReturnType<typeof gather>>;

const orderOf = (row: { block_number: number; tx_index: number; position: number }): Sighting["order"] => [
  row.block_number,
  row.tx_index,
  row.position,
];

const realSightings = (wallet: Hex, found: Gathered): readonly Sighting[] =>
  found.sightings.map((row) => {
    const { decimals } = metadataIn(found.sighted.faces, row.token);
    const price = found.sighted.priceOf(row.token, row.time)?.price_usd ?? null;
    const usd = decimals === null ? null : usdOf(row.amount, decimals, price);
    return {
      peer: row.peer,
      time: row.time,
      order: orderOf(row),
      is_real: row.sender === wallet || (usd !== null && usd >= REAL_PEER_USD),
    };
  });

const directionOf = (row: LedgerRow, wallet: Hex): Listed["direction"] => {
  if (row.kind !== "fee" && row.peer === wallet) return "self";
  return row.direction === 1 ? "in" : "out";
};

const typeOf = (row: LedgerRow, deed: ProtocolEvents | null, side: Side | undefined): TxType => {
  if (row.kind === "reward" || row.kind === "withdrawal") return row.kind;
  return deed === null ? "transfer" : txTypeOf(deed, side);
};

/** What a fee row stands for when the transaction moved nothing of the wallet: the call itself. */
const bareCall = (deed: ProtocolEvents) => ({
  peer: deed.created === "" ? deed.recipient : deed.created,
  amount: 0n,
});

const judge = (subject: Subject, found: Gathered, sightings: readonly Sighting[]) => {
  const { wallet, chain } = subject;
  return (row: LedgerRow): Listed => {
    const deed = found.deeds.get(placeKey(row)) ?? null;
    const is_bare_call = row.kind === "fee" && deed !== null;
    const moved = is_bare_call ? bareCall(deed) : { peer: row.peer, amount: row.amount };
    const face = metadataIn(found.faces, row.token);
    const decimals = COLLECTIBLE.includes(row.kind) ? 0 : face.decimals;
    const price = found.priceOf(row.token, row.time);
    const native = found.priceOf("", row.time)?.price_usd ?? null;
    const is_sent_by_wallet = deed !== null && deed.sender === wallet;
    const direction = directionOf(row, wallet);
    const reasons = movementReasons({
      direction,
      is_fungible_token: FUNGIBLE.includes(row.kind),
      is_token: row.token !== "",
      amount: moved.amount,
      is_priced: price !== null,
      is_sent_by_wallet,
      is_wallet_contract: subject.is_wallet_contract,
      receivers: found.receivers.get(`${placeKey(row)}:${row.token}`) ?? 0,
      is_lookalike: isLookalike({ peer: row.peer, time: row.time, order: orderOf(row) }, sightings),
    });
    return {
      ledger: row,
      deed,
      is_bare_call,
      direction,
      ...moved,
      face,
      decimals,
      usd_value: decimals === null ? null : usdOf(moved.amount, decimals, price?.price_usd ?? null),
      tx_type: typeOf(row, deed, found.sides.get(placeKey(row))),
      fee_usd: is_sent_by_wallet ? usdOf(deed.fee, chain.network.native.decimals, native) : null,
      is_sent_by_wallet,
      spam_reasons: [
        ...reasons,
        ...(row.token === "" ? [] : faceReasons(chain.network, face, price?.confidence ?? null)),
      ],
    };
  };
};

/** Rows of tokens that are spam by their face. */
const plainSpam = async (subject: Subject, rows: readonly LedgerRow[]): Promise<ReadonlyMap<LedgerRow, Hidden>> => {
  const found = new Map<LedgerRow, Hidden>();
  const tokens = rows.filter(({ token }) => token !== "");
  const { faces, priceOf } = await readMarket(subject, tokens);
  for (const row of tokens) {
    const face = metadataIn(faces, row.token);
    const price = priceOf(row.token, row.time);
    const spam_reasons = faceReasons(subject.chain.network, face, price?.confidence ?? null);
    const decimals = COLLECTIBLE.includes(row.kind) ? 0 : face.decimals;
    const usd_value = decimals === null ? null : usdOf(row.amount, decimals, price?.price_usd ?? null);
    if (spam_reasons.length > 0) found.set(row, { ledger: null, usd_value, spam_reasons });
  }
  return found;
};

/**
 * Ledger rows in their order, judged. A fee row stays only where it is all that the ledger knows of a transaction, so
 * that every transaction the wallet sent is listed: failed ones and calls that moved nothing too.
 */
export const classify = async (
  subject: Subject,
  rows: readonly LedgerRow[],
  include_spam: boolean,
): Promise<readonly (Listed | Hidden)[]> => {
  const hidden =
    include_spam || rows.length <= DIRECT_ROWS_MAX ? new Map<LedgerRow, Hidden>() : await plainSpam(subject, rows);
  const others = rows.filter((row) => !hidden.has(row));
  if (others.length === 0) return rows.flatMap((row) => hidden.get(row) ?? []);
  const found = await gather(subject, others);
  const judged = judge(subject, found, realSightings(subject.wallet, found));
  return rows.flatMap((row): readonly (Listed | Hidden)[] => {
    const spam = hidden.get(row);
    if (spam !== undefined) return [spam];
    const is_told = row.kind !== "fee" || (!found.sides.has(placeKey(row)) && found.deeds.has(placeKey(row)));
    return is_told ? [judged(row)] : [];
  });
};
