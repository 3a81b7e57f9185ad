import type { Hex } from "../../../lib/bytes.ts";
import type { TokenAmount } from "../actions/action.ts";
import type { TransactionMovement } from "../decoding/movements.ts";
import type { ExchangeSide } from "../decoding/receipts.ts";
import type { HeadlineReading } from "./case.ts";
import { netOf } from "./nets.ts";

export const isMinted = ({ minted }: HeadlineReading, token: Hex): boolean => minted.has(token);

export const isBurnt = ({ burnt }: HeadlineReading, token: Hex): boolean => burnt.has(token);

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
