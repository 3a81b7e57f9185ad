/**
 * A small random chain of one family as rows of facts, and its own books beside them: what each wallet holds, received, paid and did,
 * worked out event by event in exact numbers.
 */
import type { Chain, Network } from "../../src/chains/chain.ts";
import { type Hex, hex } from "../../src/lib/bytes.ts";
import { HOUR_S } from "../../src/lib/time.ts";
import type { TableRows } from "../../src/store/tables.gen.ts";
import { blockHash, type SeedRows } from "../facts_store.ts";
import { fixedChain } from "../fixed_chain.ts";
import { openDice } from "../fixtures/random_acts.ts";
import { bytesOf } from "../value_rows.ts";
import { BLOCK_S, type ChainDraw, type FamilyForm, openDraw, T0, timeOf } from "./random_draw.ts";
import { EVENTS } from "./random_events.ts";

const BLOCKS = 40;

export interface RandomChain extends ChainDraw {
  readonly chain: Chain;
  readonly seed: SeedRows;
  readonly prices: readonly TableRows["prices"][];
  readonly metadata: readonly TableRows["tokens"][];
  readonly head: number;
}

const stocked = (draw: ChainDraw): void => {
  const { coin, dollar, alpha, dull } = draw.tokens;
  for (const { token, grain, decimals } of [coin, dollar, alpha, dull]) {
    const whole = BigInt(10) ** BigInt(decimals);
    for (const holder of [...draw.wallets, ...draw.strangers])
      draw.books.open(holder, token, 1_000n * whole - ((1_000n * whole) % grain));
    draw.books.open(draw.pool, token, token === dollar.token || token === alpha.token ? 1_000_000n * whole : 0n);
  }
};

const pricesOf = ({ id, tokens }: ChainDraw): TableRows["prices"][] =>
  [tokens.wrapped, tokens.dollar, tokens.alpha].flatMap(({ token, decimals, grain, nanoAt }) =>
    Array.from({ length: Math.ceil((BLOCKS * BLOCK_S) / HOUR_S) + 1 }, (_, i): TableRows["prices"] => {
      const hour = T0 + i * HOUR_S;
      const nano = nanoAt(hour) ?? 0n;
      return {
        ...{
          network: id,
          token: bytesOf(token),
          hour,
          volume_usd: 0,
          depth_usd: 1_000_000,
          sell_reserve: -1,
          sell_payout_usd: -1,
          method: "vwap",
          confidence: "high",
          version: 1,
        },
        price_usd: Number((nano * 10n ** BigInt(decimals)) / grain) / 1e9,
      };
    }),
  );

const networkOf = ({ id, form, tokens }: ChainDraw): Partial<Network> => ({
  ...{ id, name: id, family: form.family, native: form.native, wrapped_native: tokens.wrapped.token },
  stablecoins: [{ symbol: "USDC", address: tokens.dollar.token, peg: "USD" }],
  ...(form.family === "tron" ? { token_kind: "trc20" as const } : {}),
  ...(form.family === "evm" ? {} : { has_nonces: false }),
});

const poolRow = ({ id, pool, tokens, form }: ChainDraw): TableRows["pools"] => ({
  ...{ network: id, pool: bytesOf(pool), family: "uniswap_v2", venue: "uniswap_v2", factory: "", creator: "" },
  ...{ token0: bytesOf(tokens.alpha.token), token1: bytesOf(tokens.dollar.token), fee_ppm: 3_000, tick_spacing: 0 },
  ...{
    block_number: 0,
    tx_index: 0,
    log_index: 0,
    time: timeOf(0),
    tx_hash: new Uint8Array(form.hash_bytes),
    hooks: "",
  },
});

const hexOf = (bytes: Uint8Array): Hex => hex(Buffer.from(bytes).toString("hex"));

/** Coins of the books in the words of a node. */
const chainOf = (draw: ChainDraw, head: number): Chain => {
  const { books, form, tokens } = draw;
  const holders = [...draw.wallets, ...draw.strangers, draw.producer, draw.pool];
  const others = Object.values(tokens).filter(({ token }) => token !== "");
  const chain = fixedChain({
    network: networkOf(draw),
    can: {
      archive: true,
      ...(form.family === "solana" ? { contract_calls: false, contract_logs: false, token_accounts: true } : {}),
    },
    blocks: [
      { number: head, hash: hexOf(blockHash(head)), parent_hash: hexOf(blockHash(head - 1)), time: timeOf(head) },
    ],
    accounts: {
      ...Object.fromEntries(holders.map((holder) => [holder, { balance: books.balance(holder, "") }])),
      [draw.pool]: { balance: 0n, code: new Uint8Array([1]) },
    },
    token_balances: Object.fromEntries(
      others.flatMap(({ token }) => holders.map((holder) => [`${token}:${holder}`, books.balance(holder, token)])),
    ),
    tokens: Object.fromEntries(
      others.map(({ token, name, symbol, decimals }) => [
        token,
        { standard: form.token_kind, name, symbol, decimals, total_supply: books.supply(token) },
      ]),
    ),
  });
  return form.text === null ? chain : { ...chain, ...form.text };
};

/** @param seed the same one draws the same chain */
export const drawChain = (id: string, form: FamilyForm, seed: number): RandomChain => {
  const draw = openDraw(id, form, openDice(seed));
  stocked(draw);
  for (let block = 1; block <= BLOCKS; block += 1) {
    const transactions = 1 + draw.dice.roll(4);
    for (let tx_index = 0; tx_index < transactions; tx_index += 1) draw.dice.pick(EVENTS)(draw, { block, tx_index });
  }
  const head = BLOCKS + 2;
  const blocks = Array.from({ length: head + 1 }, (_, number): TableRows["blocks"] => ({
    ...{
      network: id,
      block_number: number,
      hash: blockHash(number),
      parent_hash: blockHash(Math.max(0, number - 1)),
      time: timeOf(number),
    },
    ...{ producer: bytesOf(draw.producer), transaction_count: 1, has_traces: 1, verified: "full" },
  }));
  const openings = draw.books.openings.map(([holder, token, amount]) => ({
    ...{ network: id, holder: bytesOf(holder), token: bytesOf(token), amount, block_number: 0 },
  }));
  return {
    ...draw,
    head,
    chain: chainOf(draw, head),
    seed: {
      ...{ blocks, openings, transfers: draw.rows.transfers, transactions: draw.rows.transactions },
      ...{ swaps: draw.rows.swaps, pool_states: draw.rows.states, pools: [poolRow(draw)] },
    },
    prices: pricesOf(draw),
    metadata: Object.values(draw.tokens)
      .filter(({ token }) => token !== "")
      .map(({ token, symbol, name, decimals }) => ({
        ...{
          network: id,
          token: bytesOf(token),
          standard: symbol === "ART" ? "erc721" : form.token_kind,
          name,
          symbol,
          decimals,
        },
        ...{ total_supply: draw.books.supply(token), read_at_block: 0, has_hidden: 0 },
      })),
  };
};
