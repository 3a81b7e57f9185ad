import { ADDRESSES } from "../../knowledge/names.gen.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import type { Network } from "../chain.ts";

/** Facts as a network's file writes them: addresses are plain text. */
type WrittenNetwork<T> = T extends Hex
  ? string
  : T extends object
    ? { readonly [K in keyof T]: WrittenNetwork<T[K]> }
    : T;

/** Common facts of all networks of Tron. */
export const TRON_FACTS = {
  token_kind: "trc20",
  has_nonces: false,
  burn_addresses: [
    // T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb, which has no key, and the burn address `0x…dead` that EVM networks use.
    "0".repeat(40),
    `${"0".repeat(36)}dead`,
    // TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy, the first block's account "Blackhole" (java-tron, config.conf).
    "77944d19c052b73ee2286823aa83f8138cb7032f",
  ].map(hex),
  pnl_note:
    "Profits and losses are not available on Tron. Holdings, transactions and counterparties of the wallet are, with their own tools.",
  multicall: null,
  ens: null,
} as const satisfies Partial<Network>;

type FamilyDefaults = "family" | "caip2" | "multicall" | "ens";

/**
 * Defines an EVM network from its particular facts; assumes Multicall3 and no ENS.
 *
 * `block_seconds`: npm viem 2.57.0, chains/definitions (`blockTime`), and ethereum-optimism/superchain-registry
 * (`block_time`); a round estimate where neither has one (cronos, hyperevm, katana, blast, mantle, arc, tempo). It only
 * sets how many blocks endpoints may be apart.
 * `finality_blocks` is only used if a node has no `finalized` tag, and then errs on the late side: Ethereum and Gnosis
 * three epochs and more, roll-ups 20 minutes (finality of the chain below, some 13 minutes, and the way there), chains
 * whose validators vote on every block 16 or 64 blocks, Polygon 256 (its deepest known reorganisation had 157).
 */
export const defineEvm = (
  facts: WrittenNetwork<Omit<Network, FamilyDefaults> & Partial<Pick<Network, "multicall" | "ens">>>,
): Network =>
  defineNetwork({
    multicall: ADDRESSES.multicall3,
    ens: null,
    ...facts,
    family: "evm",
    caip2: `eip155:${facts.chain_id}`,
  });

/** Parses the addresses of a network's facts. @throws RangeError if one is not lower-case hex */
export const defineNetwork = (facts: WrittenNetwork<Network>): Network => {
  const { wrapped_native, stablecoins, freezes, aliases, burn_addresses, multicall, ens, fee_recipients, ...plain } =
    facts;
  return {
    ...plain,
    wrapped_native: orNull(wrapped_native),
    stablecoins: stablecoins.map((coin) => ({ ...coin, address: hex(coin.address) })),
    ...(freezes === undefined ? {} : { freezes: freezes.map((coin) => ({ ...coin, address: hex(coin.address) })) }),
    ...(aliases === undefined
      ? {}
      : { aliases: aliases.map(({ token, same_as }) => ({ token: hex(token), same_as: hex(same_as) })) }),
    ...(burn_addresses === undefined ? {} : { burn_addresses: burn_addresses.map(hex) }),
    multicall: orNull(multicall),
    ens: ens === null ? null : { registry: hex(ens.registry), universal_resolver: orNull(ens.universal_resolver) },
    ...(fee_recipients === undefined
      ? {}
      : { fee_recipients: fee_recipients.map((part) => ({ ...part, recipient: hex(part.recipient) })) }),
  };
};

const orNull = (written: string | null): Hex | null => (written === null ? null : hex(written));
