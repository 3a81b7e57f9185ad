import { DAY_S, HOUR_S } from "../src/lib/time.ts";
import type { TransactionsRow, TransfersRow } from "../src/store/tables.gen.ts";
import { blockHash, testAddress } from "./facts_store.ts";
import { diceOf } from "./random.ts";

/** A midnight. */
export const WORLD_START = 1_785_542_400;
export const WORLD_DAYS = 36;
const EXCHANGES = ["Bourse", "Kontor"] as const;
/** Of each exchange. */
const COUNTS = { deposits: 40, scattered: 6, listed_deposits: 8 } as const;
/** Hot wallets take turns: each takes all sweeps for this many days. */
const TURN_DAYS = 12;

/** An address of the world, and whose it really is. */
export interface WorldAddress {
  readonly address: Uint8Array;
  readonly category: string;
  readonly entity: string;
  /** A list names it. */
  readonly is_listed: boolean;
}

export interface ExchangeWorld {
  readonly addresses: readonly WorldAddress[];
  readonly transfers: readonly TransfersRow[];
  readonly transactions: readonly TransactionsRow[];
}

/** Writes payments one after the other. */
class PaymentWriter {
  readonly transfers: TransfersRow[] = [];
  readonly transactions: TransactionsRow[] = [];
  readonly #network: string;
  readonly #indexes = new Map<number, number>();

  constructor(network: string) {
    this.#network = network;
  }

  /** Blocks are hours. */
  pay(
    hour: number,
    [source, destination, amount]: readonly [Uint8Array, Uint8Array, number],
    token = new Uint8Array(0),
  ) {
    const tx_index = this.#indexes.get(hour) ?? 0;
    this.#indexes.set(hour, tx_index + 1);
    const place = { network: this.#network, block_number: hour, tx_index, time: WORLD_START + hour * HOUR_S };
    const moved = { source, destination, amount: BigInt(amount), sender: source, token, token_id: 0n };
    this.transfers.push({ ...place, ...moved, position: 0, kind: token.length === 0 ? "native" : "erc20" });
    this.transactions.push({
      ...place,
      ...{ hash: blockHash(1_000_000 + hour * 1_000 + tx_index), sender: source, recipient: destination },
      ...{ value: 0n, fee: 0n, gas_used: 0n, nonce: 0, succeeded: 1, selector: "", created: "" },
    });
  }
}

/**
 * Two exchanges whose customers pay into deposit addresses, which are emptied into the hot wallet whose turn it is; a cold wallet
 * of each; addresses that are emptied by another pattern; and people, shops and a fund who deal with them. One hot wallet of
 * each is listed, and some of its deposit addresses are, as wallets of the exchange.
 */
export const exchangeWorld = (network: string, seed: number): ExchangeWorld => {
  const dice = diceOf(seed);
  const ledger = new PaymentWriter(network);
  const addresses: WorldAddress[] = [];
  let last = 0x1000;
  const make = (category: string, entity = "", is_listed = false): Uint8Array => {
    last += 1;
    addresses.push({ address: testAddress(last), category, entity, is_listed });
    return testAddress(last);
  };
  const [shop, fund, bank] = ["payment", "fund", "person"].map((category) => make(category)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const people = Array.from({ length: 60 }, () => make("person"));
  const someone = (): Uint8Array => people[dice(people.length)] ?? bank;
  for (const entity of EXCHANGES) {
    const hot = Array.from({ length: WORLD_DAYS / TURN_DAYS }, (_, n) => make("exchange", entity, n === 0));
    const cold = make("exchange", entity);
    const own = (count: number, is_listed: boolean) =>
      Array.from({ length: count }, () => make(is_listed ? "exchange" : "exchange_deposit", entity, is_listed));
    const [deposits, scattered, listed] = [
      own(COUNTS.deposits, false),
      own(COUNTS.scattered, false),
      own(COUNTS.listed_deposits, true),
    ];
    // Half of the deposit addresses are there from the start, the others come one by one.
    const startOf = new Map(deposits.map((one, n) => [one, n < COUNTS.deposits / 2 ? 0 : dice(WORLD_DAYS - 6)]));
    for (let day = 0; day < WORLD_DAYS; day += 1) {
      const now = hot[Math.floor(day / TURN_DAYS)] ?? bank;
      const at = (hour: number): number => (day * DAY_S) / HOUR_S + hour;
      for (const one of [...deposits, ...listed].filter((each) => (startOf.get(each) ?? 0) <= day && dice(3) > 0)) {
        const amount = 100 + dice(900);
        ledger.pay(at(dice(8)), [someone(), one, amount]);
        ledger.pay(at(12 + dice(8)), [one, now, amount]);
      }
      // Emptied a week later, and half of it goes to another account of the exchange's: no rule knows these.
      for (const [n, one] of scattered.entries()) {
        if (day % 7 !== n % 7) continue;
        ledger.pay(at(1), [someone(), one, 800]);
        if (day > 7) ledger.pay(at(20), [one, n % 2 === 0 ? now : cold, 700]);
      }
      if (day % 3 === 0) ledger.pay(at(21), [hot[0] ?? bank, cold, 5_000]);
      if (day % 3 === 1) ledger.pay(at(22), [cold, hot[0] ?? bank, 4_000]);
      // Withdrawals, and people who pay the hot wallet themselves and live their lives besides.
      for (let n = 0; n < 12; n += 1) ledger.pay(at(dice(24)), [now, someone(), 50 + dice(50)]);
      for (const one of people.slice(0, 12)) {
        if (dice(3) === 0) ledger.pay(at(dice(24)), [one, now, 20]);
        ledger.pay(at(dice(24)), [one, dice(2) === 0 ? shop : someone(), 30]);
      }
      ledger.pay(at(23), [now, fund, 1_000]);
      ledger.pay(at(23), [fund, day % 2 === 0 ? now : shop, 900]);
      for (const one of people) ledger.pay(at(0), [bank, one, 10_000]);
    }
  }
  const inOrder = <T extends { readonly block_number: number | bigint; readonly tx_index: number }>(
    rows: readonly T[],
  ) => rows.toSorted((a, b) => Number(a.block_number) - Number(b.block_number) || a.tx_index - b.tx_index);
  return { addresses, transfers: inOrder(ledger.transfers), transactions: inOrder(ledger.transactions) };
};
