/** The rules by which the blocks of a network follow from their hashes. */
import type { Dialect, Network, Verified } from "../../chain.ts";

/** Fields of a header's hash besides those that all headers have; the numbers of assembly/header.ts. */
const FORMS: Readonly<Partial<Record<Dialect, number>>> = { avalanche: 1, berachain: 2 };

/** Bits of assembly/transaction_kinds.ts. */
const OPTIMISM = 1;
const ARBITRUM = 2;
const CELO = 4;
const POLYGON = 8;
const ANVIL = 16;
const FAMILIES: Readonly<Record<Dialect, number>> = {
  ethereum: 0,
  avalanche: 0,
  berachain: 0,
  optimism: OPTIMISM,
  arbitrum: ARBITRUM,
  celo: OPTIMISM | CELO,
  polygon: POLYGON,
  anvil: ANVIL,
};

/** Dialects in which the price of gas follows from the caps of a transaction and the base fee (EIP-1559). */
const PRICED_BY_CAPS: readonly Dialect[] = ["ethereum", "avalanche", "optimism", "polygon", "anvil"];
/** Dialects whose receipts state a fee for layer 1. */
const WITH_LAYER1_FEE: readonly Dialect[] = ["optimism", "celo"];

/**
 * Price of a unit of gas. `caps`: it follows from a transaction's caps and the base fee; `base`: the base fee;
 * `either`: one of the two; `told`: unknown, the receipt is trusted.
 */
export type PriceRule = "caps" | "base" | "either" | "told";

export interface Rules {
  readonly form: number;
  readonly families: number;
  /** An empty list of withdrawals fits any root (OP Stack since Isthmus: the root is that of a contract's storage). */
  readonly withdrawals_root_is_free: boolean;
  /** @param mix_hash of the header: Arbitrum writes the version of ArbOS into it */
  price(mix_hash: unknown): PriceRule;
  /** Receipts state fees beside gas (data on layer 1, operator), and these are trusted; other networks have none. */
  readonly has_layer1_fee: boolean;
  /** Required verification of a block; null if unknown, and any level is accepted. */
  required(number: number): Verified | null;
}

/**
 * ArbOS 9 lets tips pass, and later versions may again; the versions between drop them (OffchainLabs/nitro,
 * tx_processor.go).
 */
const DROPS_TIPS = { from: 10n, below: 50n };
/** Digits of the version in a mix hash: bytes 16 to 23. */
const VERSION_DIGITS = [34, 50] as const;

const priceRuleOf = (dialect: Dialect | undefined, mix_hash: unknown): PriceRule => {
  if (dialect === "arbitrum") {
    const text = typeof mix_hash === "string" && /^0x[0-9a-fA-F]{64}$/.test(mix_hash) ? mix_hash : null;
    const version = text === null ? 0n : BigInt(`0x${text.slice(...VERSION_DIGITS)}`);
    return version >= DROPS_TIPS.from && version < DROPS_TIPS.below ? "base" : "either";
  }
  return dialect !== undefined && PRICED_BY_CAPS.includes(dialect) ? "caps" : "told";
};

export const rulesOf = ({ dialect, verifies }: Network): Rules => ({
  form: dialect === undefined ? 0 : (FORMS[dialect] ?? 0),
  families: dialect === undefined ? OPTIMISM | ARBITRUM | CELO : FAMILIES[dialect],
  withdrawals_root_is_free: dialect === undefined || WITH_LAYER1_FEE.includes(dialect),
  price: (mix_hash) => priceRuleOf(dialect, mix_hash),
  has_layer1_fee: dialect === undefined || WITH_LAYER1_FEE.includes(dialect),
  required: (number) => verifies?.findLast(({ from_block }) => from_block <= number)?.level ?? null,
});
