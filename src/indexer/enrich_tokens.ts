import type { LiveTokenMetadata } from "../chains/chain.ts";
import { EMPTY, fromHex, type Hex, toHex } from "../lib/bytes.ts";
import { ACCOUNT_STANDARD } from "../protocols/token_kinds.ts";
import { endingWith, queryRows } from "../store/query.ts";
import type { PoolsReadRow } from "../store/tables.gen.ts";
import type { EnrichOptions } from "./enrich.ts";
import { inParts } from "./known_keys.ts";
import type { BlockRows } from "./rows.ts";

const TOKENS_REMEMBERED_MAX = 1_000_000;
const TOKENS_PER_READ = 500;

/** Reads metadata of contracts that moved as tokens, once each, and remembers their standards. */
export class TokenReader {
  readonly #parts: Pick<EnrichOptions, "chain" | "store">;
  /** '' is a contract that behaves like no token. */
  readonly #known = new Map<Hex, string>();

  constructor(parts: Pick<EnrichOptions, "chain" | "store">) {
    this.#parts = parts;
  }

  /** Tokens of transfers, of pools, and the network's own list. */
  async read(rows: BlockRows, pools: readonly PoolsReadRow[], signal: AbortSignal): Promise<void> {
    const wanted = new Set<Hex>(listedTokens(this.#parts));
    for (const { token } of rows.transfers) if (token.length > 0) wanted.add(toHex(token));
    for (const { token0, token1 } of rows.pools) wanted.add(toHex(token0)).add(toHex(token1));
    for (const { token0, token1 } of pools) wanted.add(hexOf(token0)).add(hexOf(token1));
    await this.standards([...wanted], signal);
  }

  /** The standard of each token as it is stored; tokens without a stored one are read first. */
  async standards(tokens: readonly Hex[], signal: AbortSignal): Promise<ReadonlyMap<Hex, string>> {
    const found = new Map<Hex, string>();
    const unknown = tokens.filter((token) => {
      const standard = this.#known.get(token);
      if (standard !== undefined) found.set(token, standard);
      return standard === undefined;
    });
    await inParts(unknown, TOKENS_PER_READ, async (part) => {
      for (const { token, standard } of await this.#readPart(part, signal)) found.set(token, standard);
    });
    // Another look-up is always right, so that all of it may be forgotten.
    if (this.#known.size + unknown.length > TOKENS_REMEMBERED_MAX) this.#known.clear();
    for (const token of unknown) this.#known.set(token, found.get(token) ?? "");
    return found;
  }

  async #readPart(tokens: readonly Hex[], signal: AbortSignal): Promise<readonly TokenStandard[]> {
    const { chain, store } = this.#parts;
    const network = chain.network.id;
    const stored = await queryRows(endingWith(store.engine, signal), "tokens_among", { network, tokens });
    const known = stored.filter(({ has_hidden }) => has_hidden !== null);
    const has = new Set(known.map(({ token }) => token));
    const unknown = tokens.filter((token) => !has.has(token));
    if (unknown.length === 0) return known;
    const { number } = await chain.head(signal);
    const metadata = await chain.tokenMetadata(unknown, signal);
    await store.writer.insert(
      "tokens",
      metadata.map((token) => tokenRow(network, token, number)),
      { signal },
    );
    return [...known, ...metadata.map((read) => ({ token: read.token, standard: storedStandard(read) }))];
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
