import type { Chain } from "../chains/chain.ts";
import { isMissingState, RpcError } from "../chains/node/refusal.ts";
import { EMPTY, fromHex, type Hex, toHex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import { endingWith, queryRows } from "../store/query.ts";
import type { EnrichOptions } from "./enrich.ts";
import { inParts, KnownKeys } from "./known_keys.ts";
import type { BlockRows } from "./rows.ts";

const PAIRS_REMEMBERED_MAX = 500_000;
const PAIRS_PER_READ = 1_000;

export interface OpeningKey {
  readonly holder: Hex;
  readonly token: Hex;
}

/** The block whose state has the openings, and whether it is the chain's first. */
interface OpeningBlock {
  readonly block_number: number;
  readonly is_genesis: boolean;
}

/** A chain that is indexed from its first block has no block before it. */
export const openingBlock = async (
  chain: Pick<Chain, "ref" | "oldest">,
  from_block: number,
  signal: AbortSignal,
): Promise<OpeningBlock> => {
  // A block that nodes dropped was there.
  const was_there = from_block > 0 && from_block <= (chain.oldest?.() ?? 0);
  const parent = from_block === 0 || was_there ? null : await chain.ref(from_block - 1, signal);
  return parent === null && !was_there
    ? { block_number: from_block, is_genesis: true }
    : { block_number: from_block - 1, is_genesis: false };
};

/**
 * Reads the balance before the first wanted block of every holder and token that then moved. That is the state at the
 * block before; for a chain that is indexed from its first block, the state at that block, which has no transactions,
 * so that only native coins can exist. Zeros are not stored. A balance of an ERC-1155 token needs an id, so these count
 * from zero.
 */
export class OpeningReader {
  readonly #parts: Pick<EnrichOptions, "chain" | "store" | "from_block" | "log">;
  readonly #seen = new KnownKeys(PAIRS_REMEMBERED_MAX);
  #before: OpeningBlock | null = null;
  #has_warned = false;

  constructor(parts: Pick<EnrichOptions, "chain" | "store" | "from_block" | "log">) {
    this.#parts = parts;
  }

  /** Reads openings of pairs that move in these rows for the first time. */
  async read(rows: BlockRows, signal: AbortSignal): Promise<void> {
    await this.#asFarAsKept(signal, async (before) => {
      const pairs = pairsOf(rows, before).filter((pair) => !this.#seen.has(keyOf(pair)));
      await inParts(pairs, PAIRS_PER_READ, (part) => this.#readPart(part, before, signal));
    });
  }

  /**
   * Reads openings of pairs that moved before openings were wanted, or before those of an older block were, in the
   * order of the store after `after` (null: from the first). Returns the last pair, or null if there are no more.
   */
  async readMoved(after: OpeningKey | null, signal: AbortSignal): Promise<OpeningKey | null> {
    const { chain, store } = this.#parts;
    const asked = { network: chain.network.id, holder: after?.holder ?? "", token: after?.token ?? "" };
    const engine = endingWith(store.engine, signal);
    const found = await queryRows(engine, "indexer/pairs_after", { ...asked, pairs: PAIRS_PER_READ });
    const pairs = found.map(({ holder_hex, token_hex }) => ({ holder: holder_hex, token: token_hex }));
    await this.#asFarAsKept(signal, (before) => {
      const read = pairs.filter(({ token }) => token === "" || !before.is_genesis);
      return this.#write(read, before, signal);
    });
    return found.length < PAIRS_PER_READ ? null : (pairs.at(-1) ?? null);
  }

  /** Runs `read` if a node has the state. */
  async #asFarAsKept(signal: AbortSignal, read: (before: OpeningBlock) => Promise<void>): Promise<void> {
    this.#before ??= await this.#findBefore(signal);
    const before = this.#before;
    if (!before.is_genesis && !this.#parts.chain.can.archive) return this.#warn();
    try {
      await read(before);
    } catch (error) {
      // Only a query shows whether a node still has the first block's state; that no node has it is an answer.
      if (before.is_genesis && hasNoState(error)) return this.#warn();
      throw error;
    }
  }

  /** The stored origin counts: a configured from_block that is higher may not have moved it (origin.ts). */
  async #findBefore(signal: AbortSignal): Promise<OpeningBlock> {
    const { chain, store, from_block } = this.#parts;
    const network = chain.network.id;
    const [stored] = await queryRows(endingWith(store.engine, signal), "indexer/origin", { network });
    return openingBlock(chain, stored?.from_block ?? from_block, signal);
  }

  async #readPart(pairs: readonly OpeningKey[], before: OpeningBlock, signal: AbortSignal): Promise<void> {
    const { chain, store } = this.#parts;
    const network = chain.network.id;
    const asked = { network, holders: pairs.map(({ holder }) => holder), tokens: pairs.map(({ token }) => token) };
    const known = new Set((await queryRows(endingWith(store.engine, signal), "indexer/pairs_known", asked)).map(keyOf));
    await this.#write(
      pairs.filter((pair) => !known.has(keyOf(pair))),
      before,
      signal,
    );
    for (const pair of pairs) this.#seen.add(keyOf(pair));
  }

  async #write(fresh: readonly OpeningKey[], { block_number }: OpeningBlock, signal: AbortSignal): Promise<void> {
    const { chain, store } = this.#parts;
    const network = chain.network.id;
    const amounts = await this.#amounts(fresh, block_number, signal);
    const rows = fresh.flatMap(({ holder, token }, at) => {
      const amount = amounts[at] ?? 0n;
      if (amount === 0n) return [];
      return [{ network, holder: fromHex(holder) ?? EMPTY, token: fromHex(token) ?? EMPTY, amount, block_number }];
    });
    await store.writer.insert("openings", rows, { signal });
  }

  /** In the order of `pairs`; null if a contract does not answer, so that its balance is unknowable. */
  async #amounts(pairs: readonly OpeningKey[], at: number, signal: AbortSignal): Promise<readonly (bigint | null)[]> {
    const { chain } = this.#parts;
    const native = pairs.filter(({ token }) => token === "");
    const tokens = pairs.filter(({ token }) => token !== "");
    const holders = native.map(({ holder }) => holder);
    const [coins, balances] = await Promise.all([
      holders.length === 0 ? [] : chain.nativeBalances(holders, signal, at),
      tokens.length === 0 ? [] : chain.tokenBalances(tokens, signal, at),
    ]);
    const found = new Map<string, bigint | null>();
    for (const [index, pair] of native.entries()) found.set(keyOf(pair), coins[index] ?? null);
    for (const [index, pair] of tokens.entries()) found.set(keyOf(pair), balances[index] ?? null);
    return pairs.map((pair) => found.get(keyOf(pair)) ?? null);
  }

  #warn(): void {
    if (this.#has_warned) return;
    this.#has_warned = true;
    this.#parts.log.warn(
      { network: this.#parts.chain.network.id, block: this.#before?.block_number },
      "no endpoint has the state of old blocks: balances count from the first indexed block on",
    );
  }
}

const keyOf = ({ holder, token }: OpeningKey): string => `${holder}:${token}`;

const hasNoState = (error: unknown): boolean =>
  error instanceof AssayError && error.cause instanceof RpcError && isMissingState(error.cause);

/** Holders and tokens that moved, each pair once. */
const pairsOf = (rows: BlockRows, { is_genesis }: OpeningBlock): readonly OpeningKey[] => {
  const pairs = new Map<string, OpeningKey>();
  for (const { kind, token, source, destination } of rows.transfers) {
    if (kind === "erc1155" || (is_genesis && token.length > 0)) continue;
    for (const side of [source, destination]) {
      if (side.length === 0) continue;
      const pair = { holder: toHex(side), token: toHex(token) };
      pairs.set(keyOf(pair), pair);
    }
  }
  return [...pairs.values()];
};
