import type { LiveTokenMetadata } from "../chains/chain.ts";
import { EMPTY, fromHex, type Hex, toHex } from "../lib/bytes.ts";
import { ACCOUNT_STANDARD } from "../protocols/token_kinds.ts";
import { endingWith, queryRows } from "../store/query.ts";
import type { PoolsReadRow } from "../store/tables.gen.ts";
import type { EnrichOptions } from "./enrich.ts";
import { inParts } from "./known_keys.ts";
import type { BlockRows } from "./rows.ts";

const TOKENS_REMEMBERED_MAX = 1_000_000;
/** Most stored tokens that are loaded at first, some 20 MB. On networks with more, the store is queried for each. */
const TOKENS_LOADED_MAX = 200_000;
const TOKENS_PER_READ = 500;

type TokenRow = ReturnType<typeof tokenRow>;

/** Reads metadata of contracts that moved as tokens, once each, and remembers their standards. */
export class TokenReader {
  readonly #parts: Pick<EnrichOptions, "chain" | "store">;
  readonly #loaded_max: number;
  /** '' is a contract that behaves like no token. */
  readonly #known = new Map<Hex, string>();
  /** Read and not stored. They are stored with the next range: a statement takes as long for one as for many. */
  readonly #unstored = new Map<Hex, TokenRow>();
  /** The memory has all stored tokens. Null until it is known. */
  #has_all: Promise<boolean> | null = null;

  constructor(parts: Pick<EnrichOptions, "chain" | "store">, loaded_max = TOKENS_LOADED_MAX) {
    this.#parts = parts;
    this.#loaded_max = loaded_max;
  }

  /** Tokens of transfers, of pools, and the network's own list. Stores what was read of them and of earlier ones. */
  async read(rows: BlockRows, pools: readonly PoolsReadRow[], signal: AbortSignal): Promise<void> {
    const wanted = new Set<Hex>(listedTokens(this.#parts));
    for (const { token } of rows.transfers) if (token.length > 0) wanted.add(toHex(token));
    for (const { token0, token1 } of rows.pools) wanted.add(toHex(token0)).add(toHex(token1));
    for (const { token0, token1 } of pools) wanted.add(hexOf(token0)).add(hexOf(token1));
    await this.standards([...wanted], signal);
    await this.#store(signal);
  }

  /** The standard of each token as it is stored; tokens without a stored one are read first, and stored by `read`. */
  async standards(tokens: readonly Hex[], signal: AbortSignal): Promise<ReadonlyMap<Hex, string>> {
    const has_all = await this.#load(signal);
    const found = new Map<Hex, string>();
    const unknown = tokens.filter((token) => {
      const standard = this.#known.get(token);
      if (standard !== undefined) found.set(token, standard);
      return standard === undefined;
    });
    await inParts(unknown, TOKENS_PER_READ, async (part) => {
      const stored = has_all ? [] : await this.#stored(part, signal);
      for (const { token, standard } of [...stored, ...(await this.#readUnstored(part, stored, signal))])
        found.set(token, standard);
    });
    if (this.#known.size + unknown.length > TOKENS_REMEMBERED_MAX) this.#forget();
    for (const token of unknown) this.#known.set(token, found.get(token) ?? "");
    return found;
  }

  /** Another look-up is always right, so that all of it may be forgotten. */
  #forget(): void {
    this.#known.clear();
    this.#has_all = Promise.resolve(false);
  }

  /** Loads the stored tokens, if they are not too many. Returns whether these are all. */
  #load(signal: AbortSignal): Promise<boolean> {
    this.#has_all ??= this.#loadAll(signal).catch((error: unknown) => {
      this.#has_all = null;
      throw error;
    });
    return this.#has_all;
  }

  async #loadAll(signal: AbortSignal): Promise<boolean> {
    const { chain, store } = this.#parts;
    const how = { network: chain.network.id, limit: this.#loaded_max + 1 };
    const stored = await queryRows(endingWith(store.engine, signal), "token_standards", how);
    if (stored.length > this.#loaded_max) return false;
    for (const { token, standard } of stored) this.#known.set(token, standard);
    return true;
  }

  async #stored(tokens: readonly Hex[], signal: AbortSignal): Promise<readonly TokenStandard[]> {
    const { chain, store } = this.#parts;
    const network = chain.network.id;
    const stored = await queryRows(endingWith(store.engine, signal), "tokens_among", { network, tokens });
    return stored.filter(({ has_hidden }) => has_hidden !== null);
  }

  async #readUnstored(
    tokens: readonly Hex[],
    stored: readonly TokenStandard[],
    signal: AbortSignal,
  ): Promise<readonly TokenStandard[]> {
    const { chain } = this.#parts;
    const has = new Set(stored.map(({ token }) => token));
    const unstored = tokens.filter((token) => !has.has(token));
    if (unstored.length === 0) return [];
    const { number } = await chain.head(signal);
    const metadata = await chain.tokenMetadata(unstored, signal);
    for (const read of metadata) this.#unstored.set(read.token, tokenRow(chain.network.id, read, number));
    return metadata.map((read) => ({ token: read.token, standard: storedStandard(read) }));
  }

  /** Stores the tokens that were read, except those that another process has stored meanwhile. */
  async #store(signal: AbortSignal): Promise<void> {
    const read = [...this.#unstored];
    if (read.length === 0) return;
    const known = new Set<string>();
    const tokens = read.map(([token]) => token);
    await inParts(tokens, TOKENS_PER_READ, async (part) => {
      for (const { token } of await this.#stored(part, signal)) known.add(token);
    });
    const rows = read.flatMap(([token, row]) => (known.has(token) ? [] : [row]));
    await this.#parts.store.writer.insert("tokens", rows, { signal });
    for (const [token, row] of read) if (this.#unstored.get(token) === row) this.#unstored.delete(token);
  }
}

interface TokenStandard {
  readonly token: Hex;
  readonly standard: string;
}

const storedStandard = ({ standard, is_account }: Pick<LiveTokenMetadata, "standard" | "is_account">): string =>
  is_account === true ? ACCOUNT_STANDARD : (standard ?? "");

const listedTokens = ({ chain: { network } }: Pick<EnrichOptions, "chain">): readonly Hex[] => [
  ...network.stablecoins.map(({ address }) => address),
  ...(network.wrapped_native === null ? [] : [network.wrapped_native]),
];

const hexOf = (text: Uint8Array | string): Hex => toHex(typeof text === "string" ? Buffer.from(text) : text);

/** A contract that is no token gets a row too, so that it is not queried again. */
const tokenRow = (network: string, { token, ...said }: LiveTokenMetadata, read_at_block: number) => ({
  network,
  token: fromHex(token) ?? EMPTY,
  standard: storedStandard(said),
  name: said.name,
  symbol: said.symbol,
  decimals: said.decimals,
  total_supply: said.total_supply,
  read_at_block,
  has_hidden: said.has_hidden === true ? 1 : 0,
});
