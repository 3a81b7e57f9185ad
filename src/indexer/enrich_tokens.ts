import type { LiveTokenMetadata } from "../chains/chain.ts";
import { EMPTY, fromHex, type Hex, toHex } from "../lib/bytes.ts";
import { endingWith, queryRows } from "../store/query.ts";
import type { PoolsReadRow } from "../store/tables.gen.ts";
import type { EnrichOptions } from "./enrich.ts";
import { inParts, KnownKeys } from "./known_keys.ts";
import type { BlockRows } from "./rows.ts";

const TOKENS_REMEMBERED_MAX = 1_000_000;
const TOKENS_PER_READ = 500;

/** Reads metadata of contracts that moved as tokens, once each. */
export class TokenReader {
  readonly #parts: Pick<EnrichOptions, "chain" | "store">;
  readonly #seen = new KnownKeys(TOKENS_REMEMBERED_MAX);

  constructor(parts: Pick<EnrichOptions, "chain" | "store">) {
    this.#parts = parts;
  }

  /** Tokens of transfers, of pools, and the network's own list. */
  async read(rows: BlockRows, pools: readonly PoolsReadRow[], signal: AbortSignal): Promise<void> {
    const wanted = new Set<Hex>(listedTokens(this.#parts));
    for (const { token } of rows.transfers) if (token.length > 0) wanted.add(toHex(token));
    for (const { token0, token1 } of rows.pools) wanted.add(toHex(token0)).add(toHex(token1));
    for (const { token0, token1 } of pools) wanted.add(hexOf(token0)).add(hexOf(token1));
    const unseen = [...wanted].filter((token) => !this.#seen.has(token));
    await inParts(unseen, TOKENS_PER_READ, (part) => this.#readPart(part, signal));
  }

  async #readPart(tokens: readonly Hex[], signal: AbortSignal): Promise<void> {
    const { chain, store } = this.#parts;
    const network = chain.network.id;
    const known = await queryRows(endingWith(store.engine, signal), "tokens_among", { network, tokens });
    const unknown = tokens.filter((token) => !known.some((row) => row.token === token && row.has_hidden !== null));
    if (unknown.length > 0) {
      const { number } = await chain.head(signal);
      const metadata = await chain.tokenMetadata(unknown, signal);
      const rows = metadata.map((token) => tokenRow(network, token, number));
      await store.writer.insert("tokens", rows, { signal });
    }
    for (const token of tokens) this.#seen.add(token);
  }
}

const listedTokens = ({ chain: { network } }: Pick<EnrichOptions, "chain">): readonly Hex[] => [
  ...network.stablecoins.map(({ address }) => address),
  ...(network.wrapped_native === null ? [] : [network.wrapped_native]),
];

const hexOf = (text: Uint8Array | string): Hex => toHex(typeof text === "string" ? Buffer.from(text) : text);

/** A contract that is no token gets a row too, so that it is not queried again. */
const tokenRow = (network: string, { token, standard, ...said }: LiveTokenMetadata, read_at_block: number) => ({
  network,
  token: fromHex(token) ?? EMPTY,
  standard: standard ?? "",
  name: said.name,
  symbol: said.symbol,
  decimals: said.decimals,
  total_supply: said.total_supply,
  read_at_block,
  has_hidden: said.has_hidden === true ? 1 : 0,
});
