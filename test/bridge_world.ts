/**
 * Three networks with the contracts of real bridges, whose events state ids. Ether costs 2,500 dollars; blocks are ten minutes
 * apart.
 */
import type { EventLog } from "../src/chains/chain.ts";
import type { TransactionDetails } from "../src/chains/transaction_details.ts";
import { INTERFACES } from "../src/knowledge/names.gen.ts";
import { type Hex, hex, toHex } from "../src/lib/bytes.ts";
import type { TableRows } from "../src/store/tables.gen.ts";
import { logOf, word } from "./bridge_logs.ts";
import { blockHash, type TestFacts } from "./facts_store.ts";
import { addressOf, bytesOf, priceRow, tokenRow, transfersOf } from "./value_rows.ts";

const HEAD = 160;
const START = Date.UTC(2026, 0, 1) / 1000;
const timeOf = (block: number): number => START + (block - 100) * 600;
export const CHAIN_IDS = { ethereum: 1, optimism: 10, base: 8453 } as const;
export type BridgedNetwork = keyof typeof CHAIN_IDS;
export const BRIDGED = ["ethereum", "optimism", "base"] as const;

/** Pools of Across. */
export const POOLS = {
  ethereum: hex("5c7bcd6e7de5423a257d81b442095a1a6ced35c5"),
  optimism: hex("6f26bf09b1c792e3228e5467807a900a503c0281"),
  base: hex("09aea4b2242abc8bb4bb78d537a67a245a7bec64"),
} as const;
export const [WETH, USDC] = [addressOf(0x51), addressOf(0x52)];
export const [THIEF, MIXER, EXCHANGE, RELAYER] = [1, 2, 3, 4].map((n) => addressOf(0x100 + n)) as [Hex, Hex, Hex, Hex]; // four numbers are four addresses

interface CalledContract {
  /** The called contract; the receiver where omitted. */
  readonly to?: Hex;
  readonly logs?: readonly EventLog[];
}

const label = (network: string, address: Hex, category: string): TableRows["labels"] => ({
  ...{ network, address: bytesOf(address), source: "operator", label: `A ${category}`, category, entity: "" },
  ...{ confidence: 0.95, evidence: "", written_at: 1, valid_from: 0, licence: "", published_on: "" },
});

/** Transactions in the index, and as nodes know them. */
export class BridgeWorld {
  readonly #transfers: TableRows["transfers"][] = [];
  readonly #transactions: TableRows["transactions"][] = [];
  readonly #seen = new Map<BridgedNetwork, Record<string, TransactionDetails>>(BRIDGED.map((one) => [one, {}]));

  /** One transaction of one transfer: ether, or dollars where `coins` is a whole number of base units. Returns its hash. */
  pay(
    network: BridgedNetwork,
    block: number,
    [source, destination, coins]: readonly [Hex, Hex, number | bigint],
    { to = destination, logs = [] }: CalledContract = {},
  ): Hex {
    const spot = this.#transactions.length + 1;
    const is_coin = typeof coins === "number";
    const amount = is_coin ? BigInt(Math.round(coins * 1e6)) * 10n ** 12n : coins;
    const [kind, token] = is_coin ? (["native", hex("")] as const) : (["erc20", USDC] as const);
    const hash = blockHash(block * 1_000 + spot);
    const at = { network, block_number: block, tx_index: spot, time: timeOf(block) };
    const rows = transfersOf({ block, tx_index: spot }, source, [{ kind, token, source, destination, amount }]);
    this.#transfers.push(...rows.map((row) => ({ ...row, ...at })));
    this.#transactions.push({
      ...{ ...at, hash, sender: bytesOf(source), recipient: bytesOf(to), value: 0n, fee: 0n, gas_used: 0n, nonce: 0 },
      ...{ succeeded: 1, selector: "", created: "" },
    });
    const mined = { block: { number: block }, transaction: { logs } };
    this.seenOn(network)[toHex(hash)] = { mined } as unknown as TransactionDetails; // only block and logs are read
    return toHex(hash);
  }

  /** By hash, as a node reports them. */
  seenOn(network: BridgedNetwork): Record<string, TransactionDetails> {
    return this.#seen.get(network) ?? {};
  }

  async seed(store: TestFacts): Promise<void> {
    const hours = Array.from({ length: 12 }, (_, i) => START + i * 3_600);
    for (const network of BRIDGED)
      await store.seed(
        { network, from: 0, to: HEAD, time: timeOf(0), block_s: 600 },
        {
          transfers: this.#transfers.filter((row) => row.network === network),
          transactions: this.#transactions.filter((row) => row.network === network),
          tokens: [tokenRow(WETH, "WETH", 18), tokenRow(USDC, "USDC", 6)].map((row) => ({ ...row, network })),
          prices: hours
            .flatMap((hour) => [priceRow(WETH, hour, 2_500), priceRow(USDC, hour, 1)])
            .map((row) => ({ ...row, network })),
          labels: [
            label(network, THIEF, "theft"),
            label(network, MIXER, "mixer"),
            label(network, EXCHANGE, "exchange"),
          ],
        },
      );
  }
}

const ETHER = 10n ** 18n;

/** A deposit at Across: 100 ether on Ethereum for 99 on Base where omitted, to the payer. */
export interface AcrossTransfer {
  readonly id: number;
  readonly payer: Hex;
  readonly receiver?: Hex;
  readonly to?: BridgedNetwork;
  readonly given?: bigint;
  readonly got?: bigint;
}

const whole = ({ payer, receiver = payer, to = "base", ...more }: AcrossTransfer) => ({
  ...{ given: 100n * ETHER, got: 99n * ETHER, payer, receiver, to },
  ...more,
});

export const deposited = (moved: AcrossTransfer): EventLog => {
  const { id, payer, receiver, to, given, got } = whole(moved);
  return logOf(POOLS.ethereum, INTERFACES.across.FundsDeposited, [
    [word(CHAIN_IDS[to]), word(id), word(payer)],
    [WETH, 0, given, got, 1, 2, 0, receiver, 0, 320, 0].map(word),
  ]);
};

export const filled = (moved: AcrossTransfer, emitter?: Hex): EventLog => {
  const { id, payer, receiver, to, given, got } = whole(moved);
  return logOf(emitter ?? POOLS[to], INTERFACES.across.FilledRelay, [
    [word(CHAIN_IDS.ethereum), word(id), word(RELAYER)],
    [WETH, WETH, given, got, 1, 2, 0, 0, payer, receiver, 0, receiver, 0, got, 0].map(word),
  ]);
};
