/** Possible events on a random chain. */
import { type Hex, hex } from "../../src/lib/bytes.ts";
import { bytesOf } from "../value_rows.ts";
import { type ChainDraw, type Coin, type DrawnKind, NO_TRANSACTION, timeOf } from "./random_draw.ts";
import { DrawnTransaction, type DrawSpot } from "./random_transaction.ts";

type Event = (draw: ChainDraw, spot: DrawSpot) => void;

const AIRDROPPED = 101;

/** A part of a balance, in whole grains, minus possible fees. */
const some = ({ dice, books }: ChainDraw, holder: Hex, { token, grain }: Coin): bigint => {
  const all = (books.balance(holder, token) / grain) * BigInt(1 + dice.roll(500));
  return (all / 2_000n) * grain;
};

const wallet = ({ dice, wallets }: ChainDraw): Hex => dice.pick(wallets);
const stranger = ({ dice, strangers }: ChainDraw): Hex => dice.pick(strangers);
const anyAddress = ({ dice, wallets, strangers }: ChainDraw): Hex => dice.pick([...wallets, ...strangers]);

const kindOf = ({ form }: ChainDraw, { token }: Coin): DrawnKind => (token === "" ? "native" : form.token_kind);

const paid: Event = (draw, spot) => {
  const [from, to] = [anyAddress(draw), anyAddress(draw)];
  const { coin: native, dollar, alpha, dull } = draw.tokens;
  const coin = draw.dice.pick([native, dollar, alpha, dull]);
  const amount = some(draw, from, coin);
  new DrawnTransaction(draw, spot, from)
    .pay({ coin, from, to, amount, kind: kindOf(draw, coin) })
    .done(coin.token === "" ? to : coin.token, { selector: coin.token === "" ? "" : hex("a9059cbb") });
};

const paidMany: Event = (draw, spot) => {
  const from = wallet(draw);
  const transaction = new DrawnTransaction(draw, spot, from);
  for (const to of [...draw.wallets, ...draw.strangers.slice(0, 2)]) {
    transaction.pay({ coin: draw.tokens.dollar, from, to, amount: some(draw, from, draw.tokens.dollar) });
  }
  transaction.done(draw.tokens.dollar.token, { selector: hex("01020304") });
};

const swapped: Event = (draw, spot) => {
  const { id, pool, dice, books, rows } = draw;
  const { dollar, alpha } = draw.tokens;
  const from = wallet(draw);
  const [given, taken] = dice.roll(2) === 0 ? [dollar, alpha] : [alpha, dollar];
  const amount = some(draw, from, given);
  // About the hours' prices, in whole grains.
  const worth =
    ((amount / given.grain) * (given.nanoAt(timeOf(spot.block)) ?? 0n)) / (taken.nanoAt(timeOf(spot.block)) ?? 1n);
  const back = worth * taken.grain;
  const transaction = new DrawnTransaction(draw, spot, from);
  transaction.pay({ coin: given, from, to: pool, amount }).pay({ coin: taken, from: pool, to: from, amount: back });
  transaction.done(pool, { selector: hex("022c0d9f") });
  const scope = { network: id, pool: bytesOf(pool), block_number: spot.block, time: transaction.time };
  const trader = { caller: bytesOf(from), recipient: bytesOf(from), trader: bytesOf(from) };
  const [amount0, amount1] = given === alpha ? [amount, -back] : [-back, amount];
  rows.swaps.push({
    ...scope,
    ...trader,
    tx_index: spot.tx_index,
    log_index: spot.tx_index * 10,
    tx_hash: transaction.hash,
    amount0,
    amount1,
  });
  rows.states.push({
    ...{ ...scope, log_index: spot.tx_index * 10, sqrt_price_x96: 0n, liquidity: 0n, tick: 0 },
    ...{ reserve0: books.balance(pool, alpha.token), reserve1: books.balance(pool, dollar.token) },
  });
};

const minted: Event = (draw, spot) => {
  const { alpha } = draw.tokens;
  const [sender, to] = [anyAddress(draw), wallet(draw)];
  const amount = alpha.grain * BigInt(1 + draw.dice.roll(1_000_000_000));
  new DrawnTransaction(draw, spot, sender)
    .pay({ coin: alpha, from: "", to, amount, part: "voided" })
    .done(alpha.token, { selector: hex("40c10f19") });
};

const burned: Event = (draw, spot) => {
  const { alpha } = draw.tokens;
  const from = wallet(draw);
  new DrawnTransaction(draw, spot, from)
    .pay({ coin: alpha, from, to: "", amount: some(draw, from, alpha), part: "voided" })
    .done(alpha.token, { selector: hex("42966c68") });
};

/** Wrapped coins are held by the wrapper, or in a separate account. */
const keeperOf = ({ form, tokens, books }: ChainDraw, holder: Hex): Hex =>
  form.family === "solana" ? books.accountOf(holder) : tokens.wrapped.token;

const wrapped: Event = (draw, spot) => {
  const { coin, wrapped } = draw.tokens;
  const from = wallet(draw);
  const amount = some(draw, from, coin);
  new DrawnTransaction(draw, spot, from)
    .pay({ coin, from, to: keeperOf(draw, from), amount, kind: "native", part: "wraps" })
    .pay({ coin: wrapped, from: "", to: from, amount, kind: "wrap", part: "wraps" })
    .done(wrapped.token, { selector: hex("d0e30db0") });
};

const unwrapped: Event = (draw, spot) => {
  const { coin, wrapped } = draw.tokens;
  const from = wallet(draw);
  const amount = some(draw, from, wrapped);
  if (amount === 0n) return;
  new DrawnTransaction(draw, spot, from)
    .pay({ coin: wrapped, from, to: "", amount, kind: "wrap", part: "wraps" })
    .pay({ coin, from: keeperOf(draw, from), to: from, amount, kind: "internal", part: "wraps" })
    .done(wrapped.token, { selector: hex("2e1a7d4d") });
};

const paidItself: Event = (draw, spot) => {
  const from = wallet(draw);
  const coin = draw.dice.pick([draw.tokens.coin, draw.tokens.dollar]);
  new DrawnTransaction(draw, spot, from)
    .pay({ coin, from, to: from, amount: some(draw, from, coin), kind: kindOf(draw, coin) })
    .done(coin.token === "" ? from : coin.token);
};

const called: Event = (draw, spot) =>
  new DrawnTransaction(draw, spot, wallet(draw)).done(draw.pool, {
    selector: hex("01020304"),
    succeeded: draw.dice.roll(2),
  });

const issued: Event = (draw, { block }) => {
  const { coin } = draw.tokens;
  const amount = coin.grain * BigInt(1 + draw.dice.roll(1_000_000_000));
  new DrawnTransaction(draw, { block, tx_index: NO_TRANSACTION }, "").pay({
    ...{ coin, from: "", to: draw.dice.pick([...draw.wallets, draw.producer]), amount },
    ...{ kind: draw.form.issue_kind, part: "rewards" },
  });
};

const airdropped: Event = (draw, spot) => {
  const { gift } = draw.tokens;
  const from = stranger(draw);
  const transaction = new DrawnTransaction(draw, spot, from);
  const others = draw.dice.roll(3) === 0 ? Array.from({ length: AIRDROPPED }, () => draw.fresh()) : [];
  for (const to of [wallet(draw), ...others])
    transaction.pay({ coin: gift, from: "", to, amount: gift.grain, is_spam: true });
  transaction.done(gift.token);
};

/** Nothing moved, so that a search of the list finds the wrong address. */
const poisoned: Event = (draw, spot) => {
  const { dollar } = draw.tokens;
  new DrawnTransaction(draw, spot, stranger(draw))
    .pay({ coin: dollar, from: wallet(draw), to: draw.fresh(), amount: 0n, is_spam: true })
    .done(dollar.token);
};

const pulled: Event = (draw, spot) => {
  const [from, to] = [wallet(draw), stranger(draw)];
  const { dollar, dull } = draw.tokens;
  const amounts = [some(draw, from, dollar), some(draw, from, dull)] as const;
  const transaction = new DrawnTransaction(draw, spot, to);
  // An unsolicited token without a price is spam, unless the wallet sent something for it.
  const way = draw.dice.roll(3);
  if (way === 0) transaction.pay({ coin: dollar, from, to, amount: amounts[0] });
  else if (way === 1) transaction.pay({ coin: dull, from, to, amount: amounts[1], is_spam: amounts[1] > 0n });
  else
    transaction
      .pay({ coin: dull, from, to, amount: amounts[1] })
      .pay({ coin: dollar, from: to, to: from, amount: dollar.grain });
  transaction.done(dollar.token, { selector: hex("23b872dd") });
};

const collected: Event = (draw, spot) => {
  const { art } = draw.tokens;
  if (!draw.form.has_collectibles) return paid(draw, spot);
  const to = wallet(draw);
  new DrawnTransaction(draw, spot, to)
    .pay({ coin: art, from: "", to, amount: 1n, kind: "erc721" })
    .done(art.token, { selector: hex("1249c58b") });
};

/** A token account costs its rent, and refunds it when it is closed. */
const rented: Event = (draw, spot) => {
  if (!draw.form.has_rent) return paid(draw, spot);
  const { coin } = draw.tokens;
  const [owner, amount] = [wallet(draw), 2_039_280n];
  const account = draw.books.accountOf(owner);
  const is_back = draw.books.balance(account, "") >= amount && draw.dice.roll(2) === 0;
  const [from, to] = is_back ? [account, owner] : [owner, account];
  new DrawnTransaction(draw, spot, owner).pay({ coin, from, to, amount, kind: "rent" }).done(account);
};

/** Each as often as it is listed. */
export const EVENTS: readonly Event[] = [
  ...[paid, paid, paid, paidMany, swapped, swapped, minted, burned, wrapped, unwrapped, paidItself, called],
  ...[issued, airdropped, poisoned, pulled, collected, rented],
];
