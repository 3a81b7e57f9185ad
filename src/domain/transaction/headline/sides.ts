import { type Hex, toHex } from "../../../lib/bytes.ts";
import type { TokenAmount } from "../actions/action.ts";
import type { TransactionMovement } from "../decoding/movements.ts";
import type { ExchangeSide } from "../decoding/receipts.ts";
import type { HeadlineReading } from "./case.ts";
import { netOf } from "./nets.ts";
import type { HeadlineType } from "./types.ts";
import { eventWords } from "./words/index.ts";

export const isMinted = ({ minted }: HeadlineReading, token: Hex): boolean => minted.has(token);

export const isBurnt = ({ burnt }: HeadlineReading, token: Hex): boolean => burnt.has(token);

const OF_POOLS: readonly HeadlineType[] = ["add_liquidity", "remove_liquidity"];

const isPool = ({ transaction }: HeadlineReading, address: Hex): boolean =>
  transaction.logs.some(
    ({ address: at, topics: [topic] }) =>
      topic !== undefined && toHex(at) === address && eventWords(topic).some(({ type }) => OF_POOLS.includes(type)),
  );

/** The shares that the actor got or gave hold other shares, which were made or destroyed too: of a vault or a gauge. */
export const isNested = (reading: HeadlineReading, actor: Hex, way: "made" | "destroyed"): boolean => {
  const { given, received } = netOf(reading.nets, actor);
  const [issued, end] =
    way === "made" ? ([reading.minted, "destination"] as const) : ([reading.burnt, "source"] as const);
  const shares = (way === "made" ? received : given).map(({ token }) => token).filter((token) => issued.has(token));
  const is_held = reading.movements.some(
    ({ token, [end]: holder }) => issued.has(token) && !shares.includes(token) && shares.includes(holder),
  );
  return is_held && !shares.some((share) => isPool(reading, share));
};

/** A side of an exchange. Few exchanges issue a token, so its other properties are computed on demand. */
class NetSide implements ExchangeSide {
  readonly token: Hex;
  readonly amount: bigint;
  readonly is_issued: boolean;
  readonly #reading: HeadlineReading;
  readonly #isOwn: (move: TransactionMovement) => boolean;
  readonly #other: "source" | "destination";

  constructor(reading: HeadlineReading, { token, amount }: TokenAmount, [actor, is_given]: readonly [Hex, boolean]) {
    this.token = token;
    this.amount = amount;
    this.is_issued = is_given ? isBurnt(reading, token) : isMinted(reading, token);
    this.#reading = reading;
    this.#isOwn = ({ source, destination }) => (is_given ? source : destination) === actor;
    this.#other = is_given ? "destination" : "source";
  }

  get decimals(): number | null {
    return this.#reading.decimals(this.token);
  }

  get usd(): number | null {
    return this.#reading.usd(this.token, this.amount);
  }

  get peers(): readonly Hex[] {
    return this.#reading.movements
      .filter((move) => move.token === this.token && this.#isOwn(move))
      .map((move) => move[this.#other]);
  }
}

export const sidesOf = (reading: HeadlineReading, actor: Hex, side: "given" | "received"): readonly ExchangeSide[] =>
  netOf(reading.nets, actor)[side].map((moved) => new NetSide(reading, moved, [actor, side === "given"]));
