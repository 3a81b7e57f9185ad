/** A transaction of a random chain: its rows of facts, and their effect on the books. */
import type { Hex } from "../../src/lib/bytes.ts";
import { bytesOf } from "../value_rows.ts";
import { type ChainDraw, type Coin, type DrawnKind, NO_TRANSACTION, timeOf } from "./random_draw.ts";
import type { WalletEntry } from "./random_ledgers.ts";

export interface DrawSpot {
  readonly block: number;
  readonly tx_index: number;
}

interface DrawnPayment {
  readonly coin: Coin;
  readonly from: Hex;
  readonly to: Hex;
  readonly amount: bigint;
  readonly kind?: DrawnKind;
  readonly part?: WalletEntry["part"];
  readonly is_spam?: boolean;
}

const LOGS_FROM = 1_048_576;
const TIP_POSITION = 4_294_967_294;
const FEE_POSITION = 4_294_967_295;
const COSTS: readonly DrawnKind[] = ["fee", "tip", "rent"];

/** One transaction of a wallet. */
export class DrawnTransaction {
  readonly draw: ChainDraw;
  readonly spot: DrawSpot;
  readonly sender: Hex;
  #rows = 0;

  constructor(draw: ChainDraw, spot: DrawSpot, sender: Hex) {
    this.draw = draw;
    this.spot = spot;
    this.sender = sender;
  }

  get time(): number {
    return timeOf(this.spot.block);
  }

  get name(): string {
    return `${this.spot.block}:${this.spot.tx_index}`;
  }

  get hash(): Uint8Array {
    const hash = new Uint8Array(this.draw.form.hash_bytes);
    new DataView(hash.buffer).setUint32(0, 1 + this.spot.block * 100 + this.spot.tx_index);
    return hash;
  }

  pay(payment: DrawnPayment): this {
    const { coin, from, to, amount, kind = this.draw.form.token_kind } = payment;
    const position = kind === "native" ? this.#rows : LOGS_FROM + this.#rows;
    this.#rows += 1;
    this.#row(position, { ...payment, kind });
    this.draw.books.move(from, to, coin.token, amount);
    for (const [wallet, side] of [
      [from, "out"],
      [to, "in"],
    ] as const) {
      if (wallet === "" || (from === to && side === "in")) continue;
      if (payment.is_spam === true) this.draw.books.of(wallet).spam += 1;
      else this.#enter(wallet, side, { ...payment, kind });
    }
    return this;
  }

  /** Its fee, and the row of the fee. */
  done(
    recipient: Hex,
    { selector = "", succeeded = 1 }: { readonly selector?: Hex; readonly succeeded?: number } = {},
  ): void {
    const { dice, books, form, tokens, producer } = this.draw;
    const unit = tokens.coin.grain;
    const fee = form.family === "tron" && dice.roll(2) === 0 ? 0n : unit * BigInt(1 + dice.roll(1_000));
    const tip = fee === 0n || form.family === "tron" ? 0n : unit * BigInt(dice.roll(500));
    const paid = { coin: tokens.coin, from: this.sender };
    if (tip > 0n) this.#cost(TIP_POSITION, { ...paid, to: producer, amount: tip, kind: "tip" });
    if (fee > 0n) this.#cost(FEE_POSITION, { ...paid, to: "", amount: fee, kind: "fee" });
    books.of(this.sender).fees += fee + tip;
    this.draw.rows.transactions.push({
      ...{
        network: this.draw.id,
        block_number: this.spot.block,
        tx_index: this.spot.tx_index,
        hash: this.hash,
        time: this.time,
      },
      ...{ sender: bytesOf(this.sender), recipient: bytesOf(recipient), value: 0n, fee: fee + tip, gas_used: 21_000 },
      ...{ nonce: this.spot.block, succeeded, selector: bytesOf(selector), created: "" },
    });
  }

  #cost(position: number, payment: DrawnPayment & { readonly kind: DrawnKind }): void {
    const { books } = this.draw;
    this.#row(position, payment);
    books.move(payment.from, payment.to, "", payment.amount);
    books.see(this.sender, this.time, this.name);
    books.of(this.sender).sent.add(this.name);
    if (payment.to !== "") books.see(payment.to, this.time, null);
  }

  #enter(
    wallet: Hex,
    side: WalletEntry["side"],
    { coin, from, to, amount, kind, part }: DrawnPayment & { readonly kind: DrawnKind },
  ): void {
    const { books } = this.draw;
    const nano = coin.nanoAt(this.time);
    if (from !== to && !COSTS.includes(kind)) {
      const named = part === undefined ? {} : { part };
      books.enter({ wallet, side, nano: nano === null ? null : (amount / coin.grain) * nano, ...named });
    }
    books.see(wallet, this.time, this.spot.tx_index === NO_TRANSACTION ? null : this.name);
    if (wallet === this.sender) books.of(wallet).sent.add(this.name);
  }

  #row(position: number, { coin, from, to, amount, kind }: DrawnPayment & { readonly kind: DrawnKind }): void {
    this.draw.rows.transfers.push({
      ...{
        network: this.draw.id,
        block_number: this.spot.block,
        tx_index: this.spot.tx_index,
        position,
        time: this.time,
      },
      ...{ kind, token: bytesOf(coin.token) },
      ...{ token_id: kind === "erc721" ? BigInt(this.spot.block * 100 + this.spot.tx_index) : 0n },
      ...{ source: bytesOf(from), destination: bytesOf(to), amount, sender: bytesOf(this.sender) },
    });
  }
}
