import { type Hex, hex } from "../src/lib/bytes.ts";
import type { TableRows } from "../src/store/tables.gen.ts";
import { blockHash, testAddress } from "./facts_store.ts";
import type { RandomBelow } from "./random.ts";

/** Blocks of the network `book` (cache_scenario.ts): a handful of names, so that events hit the same ones. */
export const NETWORK = "book";
export const FIRST = 100;
const TIME = 1_700_000_000;
const BLOCK_S = 12;
export const NAMES = 8;

export const timeOf = (block: number): number => TIME + (block - FIRST) * BLOCK_S;
export const hourOf = (n: number): number => Math.floor(TIME / 3_600 + n) * 3_600;
export const address = (n: number): Uint8Array => (n === 0 ? new Uint8Array() : testAddress(n));
export const hexOf = (n: number): Hex => hex(Buffer.from(address(n)).toString("hex"));

/** Contents of one block. */
export interface Facets {
  readonly contracts: readonly TableRows["contracts"][];
  readonly pools: readonly TableRows["pools"][];
  readonly freezes: readonly TableRows["freeze_events"][];
  readonly transactions: readonly TableRows["transactions"][];
  readonly mass: readonly TableRows["mass_transfers"][];
  readonly transfers: readonly TableRows["transfers"][];
  readonly positions: readonly TableRows["position_events"][];
}

/** Random contents of a block. */
export const facetsOf = (dice: RandomBelow, block_number: number): Facets => {
  const spot = (n: number) => ({
    network: NETWORK,
    block_number,
    tx_index: n,
    time: timeOf(block_number),
    tx_hash: blockHash(block_number * 10 + n),
  });
  const some = <T>(of: (n: number) => T): T[] => Array.from({ length: dice(3) }, (_, n) => of(n));
  return {
    contracts: some((n) => ({
      ...spot(n),
      position: 0,
      address: address(dice(NAMES)),
      event: dice(4) === 0 ? "destroyed" : "created",
      method: "create",
      creator: address(dice(NAMES)),
      factory: "",
      init_hash: "",
      code_hash: address(dice(NAMES)),
    })),
    pools: some((n) => {
      const pool = dice(NAMES);
      // A pool is the same pool whenever it is announced.
      return { ...spot(n), log_index: n, ...poolOf(pool), creator: address(dice(NAMES)), hooks: "" };
    }),
    freezes: some((n) => ({
      ...spot(n),
      log_index: n,
      token: address(1 + dice(2)),
      account: address(dice(NAMES)),
      effect: dice(2) === 0 ? "freeze" : "unfreeze",
      amount: dice(3) === 0 ? null : BigInt(dice(1_000)),
      holding: "",
    })),
    transactions: some((n) => ({
      ...{ network: NETWORK, block_number, tx_index: n, time: timeOf(block_number) },
      // A different one each time the block is drawn.
      hash: blockHash(dice(1 << 30)),
      ...{ sender: address(dice(NAMES)), recipient: address(dice(NAMES)), value: 0n, fee: 0n, gas_used: 1, nonce: 0 },
      ...{ succeeded: dice(2), selector: "", created: dice(4) === 0 ? address(dice(NAMES)) : "" },
    })),
    positions: some((n) => ({
      ...{
        ...spot(n),
        log_index: n,
        subject: address(dice(NAMES)),
        contract: address(dice(NAMES)),
        pool: "",
        asset: "",
      },
      ...{ kind: dice(2) === 0 ? "lend" : "vault_deposit", amount0: BigInt(dice(99)), amount1: 0n, liquidity: 0n },
    })),
    mass: some((n) => ({
      ...{ network: NETWORK, token: address(n), block_number, tx_index: n, receivers: 101 + dice(99) },
    })),
    transfers: some((n) => ({
      ...{
        network: NETWORK,
        block_number,
        tx_index: n,
        position: n,
        time: timeOf(block_number),
        kind: "erc20" as const,
      },
      ...{ token: address(dice(NAMES)), token_id: 0n, amount: BigInt(dice(1_000)) },
      ...{ source: address(dice(NAMES)), destination: address(dice(NAMES)), sender: address(dice(NAMES)) },
    })),
  };
};

/** A pool is the same one whenever it is announced. */
export const poolOf = (pool: number) => ({
  pool: address(100 + pool),
  family: "uniswap_v2",
  venue: pool % 2 === 0 ? "" : "venue",
  factory: address(50),
  token0: address(pool % 4),
  token1: address(4 + (pool % 3)),
  fee_ppm: 3_000 + pool,
  tick_spacing: 0,
});
