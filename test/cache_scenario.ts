import { isDeepStrictEqual } from "node:util";
import { type Hex, hex } from "../src/lib/bytes.ts";
import type { Facts, Params, QueryName, Snapshot } from "../src/store/facts.ts";
import type { FactsStore } from "../src/store/open.ts";
import {
  address,
  type Facets,
  FIRST,
  facetsOf,
  hexOf,
  hourOf,
  NAMES,
  NETWORK,
  poolOf,
  timeOf,
} from "./cache_facets.ts";
import { blockRows, type SeedRows, type TestFacts } from "./facts_store.ts";
import { diceOf, type RandomBelow } from "./random.ts";

/**
 * A network `book` whose cached facts undergo every possible change: blocks with contracts, pools and freezes arrive, are
 * reorganised and become final; labels, prices, metadata and lists arrive late or are removed.
 */

type ScenarioStore = Pick<TestFacts, "writer" | "seed">;
type ScenarioReader = Pick<FactsStore, "served" | "facts">;

const QUESTIONS = 4;
/** Share of reads that repeat one of the last parameters. */
const LATELY = 12;

type ScenarioQuery = (facts: Facts, snapshot: Snapshot) => Promise<unknown>;

/**
 * Writes and reads in turn, and returns the answers of readers with a book that differ from those of the same reader without
 * one. A read during a write may see either state, and must not cache it.
 */
export const wrongAnswers = async (
  store: ScenarioStore,
  readers: readonly ScenarioReader[],
  { seed, writes }: { readonly seed: number; readonly writes: number },
): Promise<readonly unknown[]> => {
  const story = new CacheScenario(store, diceOf(seed));
  await story.begin();
  const wrong: unknown[] = [];
  for (let n = 0; n < writes; n += 1) {
    const asked = readers.map(async ({ served }) => {
      const snapshot = await story.snapshot(served, null);
      await story.question()(served, snapshot);
    });
    await Promise.all([story.write(), ...asked]);
    for (let nth = 0; nth < QUESTIONS; nth += 1) {
      const [question, as_of] = [story.question(), story.as_of()];
      for (const { served, facts } of readers) {
        const snapshot = await story.snapshot(served, as_of);
        const answers = [await question(served, snapshot), await question(served, snapshot)];
        const right = await question(facts, snapshot);
        if (!answers.every((answer) => isDeepStrictEqual(answer, right))) wrong.push({ n, as_of, answers, right });
      }
    }
  }
  return wrong;
};

/** Results of the column queries. */
const IN_COLUMNS = new Set<QueryName>(["acts/calls"]);

class CacheScenario {
  readonly #store: ScenarioStore;
  readonly #dice: RandomBelow;
  readonly #blocks = new Map<number, Facets>();
  #final = FIRST + 9;
  #head = this.#final;
  /** Later rows are newer. */
  #tick = 1;
  /** Queries, newest first. */
  readonly #asked: ScenarioQuery[] = [];

  constructor(store: ScenarioStore, dice: RandomBelow) {
    this.#store = store;
    this.#dice = dice;
  }

  async begin(): Promise<void> {
    this.#draw(FIRST, this.#final);
    await this.#seal(FIRST, this.#final);
  }

  /** Writes a random change. */
  async write(): Promise<void> {
    this.#tick += 1;
    const steps = [this.#grow, this.#grow, this.#reorganise, this.#finalise, this.#import, this.#import, this.#import];
    await steps[this.#dice(steps.length)]?.call(this);
  }

  #draw(from: number, to: number): void {
    for (let block = from; block <= to; block += 1) this.#blocks.set(block, facetsOf(this.#dice, block));
  }

  #rows<K extends keyof Facets>(kind: K, from: number, to: number): Facets[K][number][] {
    return Array.from({ length: to - from + 1 }, (_, n) => this.#blocks.get(from + n)?.[kind] ?? []).flat();
  }

  /** Segment `from` to `to` in the final tables. */
  async #seal(from: number, to: number): Promise<void> {
    const rows: SeedRows = {
      contracts: this.#rows("contracts", from, to),
      pools: this.#rows("pools", from, to),
      freeze_events: this.#rows("freezes", from, to),
      transactions: this.#rows("transactions", from, to),
      mass_transfers: this.#rows("mass", from, to),
      transfers: this.#rows("transfers", from, to),
      position_events: this.#rows("positions", from, to),
    };
    await this.#store.seed({ network: NETWORK, from, to, first: FIRST, time: timeOf(from) }, rows);
  }

  async #writeHead(from: number, to: number): Promise<void> {
    const { writer } = this.#store;
    await writer.insert("contracts", this.#rows("contracts", from, to), { is_tail: true });
    await writer.insert("pools", this.#rows("pools", from, to), { is_tail: true });
    await writer.insert("freeze_events", this.#rows("freezes", from, to), { is_tail: true });
    await writer.insert("transactions", this.#rows("transactions", from, to), { is_tail: true });
    await writer.insert("mass_transfers", this.#rows("mass", from, to), { is_tail: true });
    await writer.insert("transfers", this.#rows("transfers", from, to), { is_tail: true });
    await writer.insert("position_events", this.#rows("positions", from, to), { is_tail: true });
    await writer.insert("blocks", blockRows({ network: NETWORK, from, to, time: timeOf(from) }), { is_tail: true });
  }

  async #grow(): Promise<void> {
    const to = this.#head + 1 + this.#dice(12);
    this.#draw(this.#head + 1, to);
    await this.#writeHead(this.#head + 1, to);
    this.#head = to;
  }

  /** Replaces the newest blocks with others, or drops them. */
  async #reorganise(): Promise<void> {
    if (this.#head === this.#final) return;
    const from = this.#final + 1 + this.#dice(this.#head - this.#final);
    const gone = await this.#store.writer.dropHead(NETWORK, from);
    const to = Math.max(this.#final, from - 1 + this.#dice(4));
    this.#draw(from, to);
    const first = Math.max(gone, this.#final + 1);
    if (to >= first) await this.#writeHead(first, to);
    this.#head = to;
  }

  async #finalise(): Promise<void> {
    if (this.#head - this.#final < 2) return;
    const to = this.#final + 1 + this.#dice(this.#head - this.#final - 1);
    await this.#seal(this.#final + 1, to);
    this.#final = to;
    if (this.#dice(2) === 0) await this.#store.writer.dropPromoted(NETWORK, to);
  }

  async #import(): Promise<void> {
    const { writer } = this.#store;
    const dice = this.#dice;
    const [written_at, network, family] = [this.#tick, NETWORK, "evm"];
    const [token, account] = [address(dice(NAMES)), address(dice(NAMES))];
    const is_removed = dice(3) === 0 ? 1 : 0;
    const said = { licence: "", published_on: "", entity: "", evidence: "" };
    const words = { ...said, label: `l${dice(3)}`, source: `s${dice(2)}` };
    const confidence = dice(3) / 2;
    const valid_from = dice(2) === 0 ? 0 : timeOf(FIRST + dice(60));
    const category = ["", "exchange", "mixer"][dice(3)] ?? "";
    const label = { network, address: account, category, confidence, written_at, valid_from, ...words };
    const hour = hourOf(dice(4));
    const price = {
      price_usd: this.#tick,
      volume_usd: 1,
      depth_usd: 2,
      method: "market",
      cost_to_move_usd: -1,
      sell_reserve: -1,
      sell_payout_usd: -1,
      confidence: "low",
    } as const;
    const metadata = { standard: "erc20", name: `n${dice(9)}`, symbol: "S", decimals: dice(20), total_supply: 1n };
    const reading = { name: "n", symbol: "S", decimals: dice(20), has_hidden: 0, cause: "schedule" };
    const listed = { list: `t${dice(2)}`, symbol: "S", name: "N", decimals: 1, logo_uri: `u${this.#tick}` };
    const entry = { asset_code: "", entity: "E", program: "", listed_on: "", delisted_on: "", version: "1" };
    const head = { version: `${this.#tick}`, format: "f", origin: "o", licence: "l", published_on: "", rows: 1 };
    const list = {
      ...{ network, cohort: "c", rules: "r", day: dice(4), block_number: this.#tick },
      ...{ tokens: 0, closed_trades: 0 },
    };
    const figures = { win_rate_percent: 0, realized_usd: 0, cost_coverage_percent: 0 };
    const writes = [
      () => writer.insert("labels", [label, { ...label, address: token, label: "other" }]),
      () => writer.insert("prices", [{ network, token, hour, ...price, version: this.#tick }]),
      () => writer.insert("tokens", [{ network, token, ...metadata, read_at_block: this.#tick, has_hidden: 0 }]),
      () => writer.insert("token_readings", [{ network, token, ...reading, read_at_block: this.#tick }]),
      () => writer.insert("listed_tokens", [{ network, token, ...listed, is_removed, written_at }]),
      () => writer.insert("sanctions", [{ family, address: account, list: "x", ...entry, is_removed, written_at }]),
      () => writer.insert("suppressed", [{ family, address: account, reason: "", is_removed, written_at }]),
      () => writer.insert("freeze_watches", [{ network, token, families: "[]", blind_to: dice(9), written_at }]),
      () => writer.insert("cohorts_daily", [{ ...list, ...figures, address: address(0), rank: dice(9) }]),
      () => writer.insert("lists", [{ list: "x", kind: "labels", ...head, is_removed, imported_at: written_at }]),
      () => writer.insert("openings", [{ network, holder: account, token, amount: 7n, block_number: FIRST - 1 }]),
      () => writer.insert("pools_read", [{ network, ...poolOf(dice(NAMES)) }]),
    ];
    await writes[dice(writes.length)]?.();
  }

  /** A block to read at; null: the newest. */
  as_of(): number | null {
    return this.#dice(3) === 0 ? FIRST + this.#dice(this.#head - FIRST + 1) : null;
  }

  /** A recent parameter, or a new one: a parameter that is read only once never hits the cache. */
  question(): ScenarioQuery {
    const again = this.#dice(2) === 0 ? this.#asked[this.#dice(LATELY)] : undefined;
    const question = again ?? this.#newQuestion();
    if (again === undefined) this.#asked.unshift(question);
    return question;
  }

  /** A query with parameters of some names: known to the book, or possibly changed by a new block. */
  #newQuestion(): ScenarioQuery {
    // Names and parameters of one query.
    const asked = Object.entries(this.#dice(2) === 0 ? this.#standing() : this.#moving()) as [QueryName, never][];
    const [query, params] = asked[this.#dice(asked.length)] ?? ["current_lists", {} as never];
    const form = IN_COLUMNS.has(query) ? "columns" : "ask";
    return async (facts, snapshot) => ({ query, params, rows: await facts[form](snapshot, query, params) });
  }

  #standing(): { readonly [N in QueryName]?: Params<N> } {
    const dice = this.#dice;
    const names = (base = 0): readonly Hex[] =>
      Array.from({ length: dice(NAMES) }, () => dice(NAMES)).map((n) => hexOf(base === 0 ? n : base + n));
    const tokens = names();
    const deployed = { wallet: hexOf(dice(NAMES)), until: timeOf(FIRST + dice(70)) };
    const places = { blocks: tokens.map(() => FIRST + dice(70)), indexes: tokens.map(() => dice(3)) };
    return {
      block_at_time: { time: timeOf(FIRST + dice(70)) - dice(2) },
      block_times: { blocks: names().map(() => FIRST + dice(70)) },
      "contracts/life": { contract: hexOf(dice(NAMES)) },
      contracts_among: { addresses: names() },
      creations_among: { addresses: names() },
      "counterparties/contracts_deployed": { ...deployed, limit: 1 + dice(9) },
      "stats/deployed": { ...deployed, since: timeOf(FIRST + dice(30)) },
      "cohorts/day": { cohort: "c", rules: "r", day: dice(4) },
      current_lists: {},
      "developer/highest_prices": { tokens, until: hourOf(dice(5)) },
      freeze_events_among: { tokens: [hexOf(1), hexOf(2)], accounts: names() },
      freeze_watches: {},
      freeze_witnesses: { tokens: [hexOf(1), hexOf(2)] },
      "identity/label_categories": {},
      "identity/labelled": { categories: ["exchange", "mixer"], limit: 1 + dice(4) },
      labels_among: { addresses: names() },
      listed_tokens_among: { tokens },
      "metadata/listed_names": {},
      "market/highest": { token: hexOf(dice(NAMES)), until: hourOf(dice(5)) },
      pools_among: { pools: names(100) },
      pools_of_tokens: { tokens },
      has_openings: {},
      opened_tokens: { tokens: [...tokens] },
      pair_openings: { tokens: [...tokens], holders: tokens.map(() => hexOf(dice(NAMES))) },
      wallet_openings: { wallet: hexOf(dice(NAMES)) },
      position_events_among: { subjects: names() },
      prices_at_hours: { tokens, hours: tokens.map(() => hourOf(dice(4))) },
      "prices/last_traded": { tokens, before: hourOf(dice(5)) },
      "prices/mark": { anchor: hexOf(dice(NAMES)), known_to: hourOf(dice(4)) },
      "prices/range": { anchor: hexOf(dice(NAMES)) },
      "public_records/listed_as": { address: hexOf(dice(NAMES)) },
      sanctions_among: { family: "evm", addresses: names() },
      suppressed_among: { family: "evm", addresses: names() },
      token_readings_among: { tokens },
      tokens_among: { tokens },
      tokens_by_former_symbol: { symbol: "s", limit: 5 },
      tokens_by_symbol: { symbol: "s", limit: 5 },
      "history/mass_transfers_among": { tokens: places.indexes.map(hexOf), ...places },
      transaction_details: places,
    };
  }

  /** Queries whose tables each block fills, most of them through a view. */
  #moving(): { readonly [N in QueryName]?: Params<N> } {
    const dice = this.#dice;
    const wallet = hexOf(dice(NAMES));
    const hashes = [...this.#blocks.values()].flatMap(({ transactions }) => transactions.map(({ hash }) => hash));
    const hash = hex(Buffer.from(hashes[dice(hashes.length)] ?? "").toString("hex"));
    return {
      contract_peers: { wallet },
      token_holders: { tokens: [hexOf(dice(NAMES))], shards: 1, shard: 0 },
      "reading/place": { hash },
      wallet_balances: { wallet },
      "acts/calls": { wallet, since: timeOf(FIRST + dice(30)) },
    };
  }

  snapshot(facts: Facts, as_of: number | null): Promise<Snapshot> {
    return facts.snapshot(NETWORK, as_of);
  }
}
