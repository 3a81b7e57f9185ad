import type { Override } from "../../../chains/chain.ts";
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import {
  concatHex,
  fromHex,
  type Hex,
  intToHex,
  keccak256,
  padHex,
  sliceHex,
  toBigInt,
  toHex,
} from "../../../lib/bytes.ts";
import { integerAt, selectorOf, wordOf } from "../../abi.ts";
import type { SimulationState } from "./market.ts";

/** Coins for a simulation: finds the slots where a token stores balances by the slots that `balanceOf` reads. */

const SLOTS = 21;
/** Distinct from each other and from any real balance. */
const PROBE_BALANCE = 1_000_000_000_000_000n;

const utf8 = new TextEncoder();

const hashOf = (hex: Hex): Hex => toHex(keccak256(fromHex(hex) ?? new Uint8Array(0)));

/** ERC-7201: keccak-256(keccak-256(name) - 1) with the last byte cleared. */
const namespaceOf = (name: string): Hex => {
  const inner = toBigInt(keccak256(utf8.encode(name))) - 1n;
  return concatHex(sliceHex(hashOf(wordOf(inner)), 0, 31), padHex("", 1));
};

/** Slot of a holder's balance. */
type BalanceLayout = (holder: Hex) => Hex;

const LAYOUTS: readonly BalanceLayout[] = [
  // Solidity: mapping at slot n. Vyper hashes in the opposite order.
  ...Array.from(
    { length: SLOTS },
    (_, n): BalanceLayout =>
      (holder) =>
        hashOf(concatHex(wordOf(holder), wordOf(BigInt(n)))),
  ),
  ...Array.from(
    { length: SLOTS },
    (_, n): BalanceLayout =>
      (holder) =>
        hashOf(concatHex(wordOf(BigInt(n)), wordOf(holder))),
  ),
  // OpenZeppelin Contracts Upgradeable 5, ERC20Upgradeable.sol.
  (holder) => hashOf(concatHex(wordOf(holder), namespaceOf("openzeppelin.storage.ERC20"))),
  // Solady ERC20.sol, _BALANCE_SLOT_SEED.
  (holder) => hashOf(concatHex(holder, intToHex(0x87a211a2n, 12))),
];

/** Returns null when the balance is in none of the known slots. */
export const findBalanceLayout = async (
  { chain, block, signal }: SimulationState,
  token: Hex,
  holder: Hex,
): Promise<BalanceLayout | null> => {
  const storage = Object.fromEntries(LAYOUTS.map((layout, i) => [layout(holder), wordOf(PROBE_BALANCE + BigInt(i))]));
  const call = { to: token, data: concatHex(selectorOf(INTERFACES.erc20.balanceOf), wordOf(holder)) };
  const asked = { calls: [call], overrides: [{ address: token, storage }] };
  const [read] = await chain.callOverridden(asked, signal, block.number);
  const balance = read?.ok === true ? integerAt(read.data, 0) : null;
  return balance === null ? null : (LAYOUTS[Number(balance - PROBE_BALANCE)] ?? null);
};

/** Gives a holder coins; null means the wrapped coin, which is deposited from native ones. */
export type CoinFunding = (holder: Hex, amount: bigint) => Override | null;

/** The funding of each quote; a quote with unknown balance slots is absent. */
export const fundingFor = async (
  ground: SimulationState,
  quotes: readonly Hex[],
  holder: Hex,
): Promise<ReadonlyMap<Hex, CoinFunding>> => {
  const purses = new Map<Hex, CoinFunding>();
  await Promise.all(
    [...new Set(quotes)].map(async (quote) => {
      if (quote === ground.chain.network.wrapped_native) {
        purses.set(quote, () => null);
        return;
      }
      const layout = await findBalanceLayout(ground, quote, holder);
      if (layout === null) return;
      purses.set(quote, (owner, amount) => ({ address: quote, storage: { [layout(owner)]: wordOf(amount) } }));
    }),
  );
  return purses;
};
