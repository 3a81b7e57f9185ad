import type { LiveTokenMetadata } from "../chains/chain.ts";
import { isSameReading, type MetadataReading, settledDecimals } from "../domain/token/metadata/history.ts";
import { takeRereads } from "../domain/token/metadata/rereads.ts";
import { EMPTY, fromHex, type Hex, toHex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import { DAY_S } from "../lib/time.ts";
import type { QueryRow } from "../store/facts.ts";
import { endingWith, queryRows } from "../store/query.ts";
import type { EnrichOptions } from "./enrich.ts";
import { partsOf } from "./known_keys.ts";
import type { BlockRows, OwnershipEventsRow } from "./rows.ts";

/** Tokens that are read again with one range, so that a block waits for a bounded number of calls. */
const REREADS_MAX = 50;
const REMEMBERED_MAX = 200_000;
/** Kinds of ownership events after which other code answers for a contract. */
const UPGRADES: readonly string[] = ["implementation", "beacon"];

type StoredToken = QueryRow<"tokens_among">;
type ReadingCause = "first" | "upgrade" | "schedule" | "mismatch";

interface TokenReading extends MetadataReading {
  readonly cause: ReadingCause;
}

/**
 * Follows the metadata of known tokens: reads it again when a contract is upgraded, once a day while a token moves, and
 * when an answer finds that the contract reports something else. A change becomes two readings, before and after it.
 */
export class TokenRereader {
  readonly #parts: Pick<EnrichOptions, "chain" | "store" | "log">;
  /** Time of the next reading of a token that moves, unix seconds. */
  readonly #due = new Map<Hex, number>();
  readonly #waiting = new Map<Hex, ReadingCause>();

  constructor(parts: Pick<EnrichOptions, "chain" | "store" | "log">) {
    this.#parts = parts;
  }

  async read(rows: BlockRows, signal: AbortSignal): Promise<void> {
    const { chain, log } = this.#parts;
    if (!chain.can.contract_calls) return;
    this.#note(rows);
    try {
      await this.#readUpgrades(rows.ownership_events, signal);
      await this.#readWaiting(signal);
    } catch (error) {
      // Names are no reason to hold back blocks: the tokens wait for the next range.
      if (!(error instanceof AssayError) || error.code !== "UPSTREAM_UNAVAILABLE") throw error;
      log.warn(
        { network: chain.network.id, tokens: this.#waiting.size },
        "No node answers for the metadata of tokens that are to be read again; they wait for the next blocks.",
      );
    }
  }

  /** The tokens that are due, and those that answers noted. */
  #note(rows: BlockRows): void {
    for (const token of takeRereads(this.#parts.chain.network.id)) this.#waiting.set(token, "mismatch");
    if (this.#due.size > REMEMBERED_MAX) this.#due.clear();
    for (const { token, time } of rows.transfers) {
      if (token.length === 0) continue;
      const key = toHex(token);
      const due = this.#due.get(key);
      // The first reading comes within a day, spread by the address; the others a day apart.
      if (due === undefined) this.#due.set(key, time + Math.floor(((token[0] ?? 0) / 256) * DAY_S));
      else if (time >= due) {
        this.#due.set(key, time + DAY_S);
        if (!this.#waiting.has(key)) this.#waiting.set(key, "schedule");
      }
    }
  }

  async #stored(tokens: readonly Hex[], signal: AbortSignal): Promise<readonly StoredToken[]> {
    const { chain, store } = this.#parts;
    const network = chain.network.id;
    const rows = await queryRows(endingWith(store.engine, signal), "tokens_among", { network, tokens });
    return rows.filter(({ standard }) => standard !== "");
  }

  /** Reads upgraded tokens before and after the upgrade where old states are available, otherwise now. */
  async #readUpgrades(events: readonly OwnershipEventsRow[], signal: AbortSignal): Promise<void> {
    const upgrades = events.filter(({ kind }) => UPGRADES.includes(kind));
    if (upgrades.length === 0) return;
    const contracts = [...new Set(upgrades.map(({ contract }) => toHex(contract)))];
    const stored = new Map((await this.#stored(contracts, signal)).map((token) => [token.token, token]));
    const known = upgrades.filter(({ contract }) => stored.has(toHex(contract)));
    const { chain } = this.#parts;
    const heard = new Map<Hex, TokenReading[][]>();
    for (const block of new Set(known.map(({ block_number }) => Number(block_number)))) {
      const here = known.filter(({ block_number }) => Number(block_number) === block);
      const tokens = [...new Set(here.map(({ contract }) => toHex(contract)))];
      if (!chain.can.archive) {
        for (const token of tokens)
          if (block > (stored.get(token)?.read_at_block ?? block)) this.#waiting.set(token, "upgrade");
        continue;
      }
      const [before, after] = await Promise.all([
        block === 0 ? [] : chain.tokenMetadata(tokens, signal, block - 1),
        chain.tokenMetadata(tokens, signal, block),
      ]);
      for (const [i, token] of tokens.entries()) {
        const readings = [
          ...readingOf(before[i], { read_at_block: block - 1, cause: "upgrade" }),
          ...readingOf(after[i], { read_at_block: block, cause: "upgrade" }),
        ];
        heard.set(token, [...(heard.get(token) ?? []), readings]);
      }
    }
    await this.#keep(
      [...stored.values()].map((token) => ({ token, heard: heard.get(token.token) ?? [] })),
      signal,
    );
  }

  async #readWaiting(signal: AbortSignal): Promise<void> {
    const [part] = partsOf([...this.#waiting], REREADS_MAX);
    if (part === undefined) return;
    const { chain } = this.#parts;
    const stored = await this.#stored(
      part.map(([token]) => token),
      signal,
    );
    const { number } = await chain.head(signal);
    const told = await chain.tokenMetadata(
      stored.map(({ token }) => token),
      signal,
      number,
    );
    const heard = stored.map((token, i): HeardToken => {
      const cause = this.#waiting.get(token.token) ?? "schedule";
      return { token, heard: [readingOf(told[i], { read_at_block: number, cause })] };
    });
    await this.#keep(heard, signal);
    for (const [token] of part) this.#waiting.delete(token);
  }

  /** Stores readings that show a change, with the stored one, and the newest as the token's current metadata. */
  async #keep(all: readonly HeardToken[], signal: AbortSignal): Promise<void> {
    const { chain, store } = this.#parts;
    const network = chain.network.id;
    const read = all.filter(({ heard }) => heard.some((readings) => readings.length > 0));
    if (read.length === 0) return;
    const tokens = read.map(({ token }) => token.token);
    const known = await queryRows(endingWith(store.engine, signal), "token_readings_among", { network, tokens });
    const changes = read
      .map((one) =>
        changeOf(
          one,
          known.filter(({ token }) => token === one.token.token),
        ),
      )
      .filter((change) => change.added.length > 0);
    if (changes.length === 0) return;
    const readings = changes.flatMap(({ token, added }) =>
      added.map(({ read_at_block, name, symbol, decimals, has_hidden, cause }) => ({
        ...{ network, token, read_at_block, name, symbol, decimals, has_hidden, cause },
      })),
    );
    await store.writer.insert("token_readings", readings, { signal });
    const current = changes.flatMap(({ token, current }) => (current === null ? [] : [{ network, token, ...current }]));
    await store.writer.insert("tokens", current, { signal });
  }
}

/** The readings of a stored token, those of one event or visit together, oldest first. */
interface HeardToken {
  readonly token: StoredToken;
  readonly heard: readonly (readonly TokenReading[])[];
}

/** The rows that new readings of a stored token add and replace. `readings`: stored before. */
const changeOf = ({ token: stored, heard: all }: HeardToken, readings: readonly MetadataReading[]) => {
  const own = { ...stored, has_hidden: stored.has_hidden ?? 0 };
  const known: MetadataReading[] = readings.length === 0 ? [own] : [...readings];
  const added: TokenReading[] = [];
  for (const said of all) {
    const heard = said.map((reading) => withoutGaps(reading, own));
    if (heard.length === 0 || tellsNothing(heard, known)) continue;
    if (readings.length === 0 && added.length === 0) added.push({ ...readingFrom(own), cause: "first" });
    added.push(...heard);
    known.push(...heard);
    known.sort((a, b) => a.read_at_block - b.read_at_block);
  }
  const token = fromHex(stored.token) ?? EMPTY;
  const newest = added.at(-1);
  if (newest === undefined || newest.read_at_block < stored.read_at_block) return { token, added, current: null };
  const { name, symbol, has_hidden, read_at_block } = newest;
  const decimals = settledDecimals(known.map((reading) => reading.decimals));
  const { standard, total_supply } = stored;
  return { token, added, current: { standard, name, symbol, decimals, total_supply, read_at_block, has_hidden } };
};

const readingFrom = ({ read_at_block, name, symbol, decimals, has_hidden }: MetadataReading): MetadataReading => ({
  ...{ read_at_block, name, symbol, decimals, has_hidden },
});

/** True when each reading follows one that shows the same token. */
const tellsNothing = (heard: readonly MetadataReading[], known: readonly MetadataReading[]): boolean =>
  heard.every((one) => {
    const last = known.filter(({ read_at_block }) => read_at_block <= one.read_at_block).at(-1) ?? known[0];
    return last !== undefined && isSameReading(one, last);
  });

/** None where the contract reported nothing: it did not exist, or its new code answers no such call. */
const readingOf = (
  told: LiveTokenMetadata | undefined,
  at: Pick<TokenReading, "read_at_block" | "cause">,
): readonly TokenReading[] => {
  if (told === undefined || (told.name === null && told.symbol === null && told.decimals === null)) return [];
  const { name, symbol, decimals, has_hidden = false } = told;
  return [{ ...at, name, symbol, decimals, has_hidden: has_hidden ? 1 : 0 }];
};

/** A part that the contract no longer reports stays as it was known. */
const withoutGaps = (reading: TokenReading, known: Omit<MetadataReading, "read_at_block">): TokenReading => ({
  ...reading,
  name: reading.name ?? known.name,
  symbol: reading.symbol ?? known.symbol,
  decimals: reading.decimals ?? known.decimals,
});
