import type { Chain } from "../../../chains/chain.ts";
import { type Hex, intToHex, sliceHex, toHex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import type { Balance } from "../../token/holders/balances.ts";

/**
 * Pairs of tokens that look like one balance under two addresses and are in no table of aliases: a wallet has equal
 * balances of both at several blocks, both have one supply, and a contract that keeps their state is common to them.
 */

/** Pairs that are examined for one wallet. */
const PAIRS_MAX = 4;
/** Storage slots that may name the contract with the balances. */
const SLOTS = 16;
/** Blocks before the answer's, which nodes without old states still have. */
const RECENT: readonly number[] = [0, 20, 60];
/** Addresses below are precompiles or small numbers. */
const ADDRESS_FROM = 1n << 64n;
const ADDRESS_BYTES = 20;
const WORD_BYTES = 32;

type AliasPair = readonly [Balance, Balance];

const pairsOf = (held: readonly Balance[]): readonly AliasPair[] => {
  const pairs: AliasPair[] = [];
  for (const [i, one] of held.entries()) {
    for (const other of held.slice(i + 1)) {
      if (one.amount === other.amount && pairs.length < PAIRS_MAX) pairs.push([one, other]);
    }
  }
  return pairs;
};

/** The answer's block and earlier ones; with old states also the block before the balance last changed. */
const blocksOf = ({ chain, snapshot }: SnapshotContext, [one, other]: AliasPair): readonly number[] => {
  const { number } = snapshot.block;
  const changed = Math.min(one.last_block ?? number, other.last_block ?? number);
  const old = chain.can.archive ? [changed - 1, changed] : [];
  return [...new Set([...RECENT.map((back) => number - back), ...old])].filter((block) => block >= 0);
};

const isEqualAt = async (
  { chain, signal }: SnapshotContext,
  { pair, wallet }: { readonly pair: AliasPair; readonly wallet: Hex },
  block: number,
): Promise<boolean> => {
  const asked = pair.map(({ token }) => ({ token, holder: wallet }));
  const [one = null, other = null] = await chain.tokenBalances(asked, signal, block);
  return one !== null && one === other;
};

/** The contract itself, and every contract that its first storage slots name. */
const relatives = async (chain: Chain, token: Hex, signal: AbortSignal): Promise<ReadonlySet<Hex>> => {
  const words = await Promise.all(
    Array.from({ length: SLOTS }, (_, i) =>
      chain.storage({ address: token, slot: intToHex(BigInt(i), WORD_BYTES) }, signal),
    ),
  );
  const named = words.flatMap((word): readonly Hex[] => {
    const value = BigInt(`0x${toHex(word) || "0"}`) & ((1n << 160n) - 1n);
    return value < ADDRESS_FROM ? [] : [sliceHex(toHex(word), WORD_BYTES - ADDRESS_BYTES)];
  });
  return new Set([token, ...named]);
};

const shareContract = async ({ chain, signal }: SnapshotContext, [one, other]: AliasPair): Promise<boolean> => {
  const [first, second] = await Promise.all([
    relatives(chain, one.token, signal),
    relatives(chain, other.token, signal),
  ]);
  const common = [...first].filter((address) => second.has(address));
  const accounts = await Promise.all(common.map((address) => chain.account(address, signal)));
  return accounts.some(({ code }) => code.length > 0);
};

const isOneBalance = async (scope: SnapshotContext, pair: AliasPair, wallet: Hex): Promise<boolean> => {
  const tokens = pair.map(({ token }) => token);
  const [one, other] = await scope.chain.tokenMetadata(tokens, scope.signal);
  const supply = one?.total_supply ?? null;
  if (supply === null || supply !== other?.total_supply) return false;
  const equal = await Promise.all(blocksOf(scope, pair).map((block) => isEqualAt(scope, { pair, wallet }, block)));
  return equal.every(Boolean) && (await shareContract(scope, pair));
};

/** Warns of tokens that may be one holding. `held`: tokens whose value counts. Without a node it warns of none. */
export const warnOfAliases = async (
  scope: SnapshotContext,
  wallet: Hex,
  held: readonly Balance[],
): Promise<readonly Warning[]> => {
  const { chain } = scope;
  const tokens = held.filter(({ token, amount }) => token !== "" && amount > 0n);
  if (!chain.can.contract_calls) return [];
  try {
    const pairs = pairsOf(tokens);
    const found = await Promise.all(pairs.map((pair) => isOneBalance(scope, pair, wallet)));
    return pairs.flatMap((pair, i): readonly Warning[] => {
      if (found[i] !== true) return [];
      const names = pair.map(({ token }) => chain.formatAddress(token)).join(" and ");
      const message = `${names} on ${chain.network.id} report equal balances and supplies and share a contract: they may be one holding, which is counted twice here.`;
      return [{ code: "POSSIBLE_ALIAS", message }];
    });
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return [];
    throw error;
  }
};
