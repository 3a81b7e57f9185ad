import { FAMILY_TRAITS } from "../chains/family_traits.ts";
import { mayDelegate } from "../domain/address/code/code_scan.ts";
import { CLONED_CATEGORIES, type CodeClaim, claimsOf, dayOf, type LabelledCode } from "../labels/clones.ts";
import { DERIVED, DERIVED_CONFIDENCE } from "../labels/derived_labels.ts";
import { type Bytes, type Hex, keccak256, toHex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import type { QueryRow } from "../store/facts.ts";
import { type DayPassOptions, DayReader, daysOf } from "./day_pass.ts";
import { type CoveredDays, type DaySpan, type DerivedLabel, hasGrown, writeDerived } from "./derived_days.ts";

/** Contracts with a known code in one window of days. */
const CREATED_MAX = 200_000;
/** Most codes that one update reads from the node. */
const CODES_READ_MAX = 500;

export interface CloneLabelsOptions extends DayPassOptions {
  /** The code of a contract at the node's newest block. */
  readonly codeOf: (address: Hex, signal: AbortSignal) => Promise<Bytes>;
}

interface CloneBasis {
  readonly days: CoveredDays;
  readonly mark: string;
}

type CodeRow = QueryRow<"indexer/labelled_codes">;

/** A labelled contract's code by the node; null if it has none, or another than at its creation. */
interface CloneCode {
  readonly hash: Hex;
  /** It runs other code as its own: thousands of contracts with other purposes have the same proxy code. */
  readonly is_proxy: boolean;
}

/**
 * Labels contracts whose code is that of a labelled one, day by day of final blocks: by the hash of their runtime code
 * if a contract created them, else by the hash of their init code. Only the kind follows from a code, not the owner.
 */
export class CloneLabels {
  readonly #parts: CloneLabelsOptions;
  readonly #read = new Map<Hex, CloneCode | null>();
  #ground: CloneBasis | null = null;
  /** Hashes for which all days have been searched. */
  #known: ReadonlySet<Hex> = new Set();
  /** First second of the next day to process, unix seconds. */
  #next_day = 0;

  constructor(parts: CloneLabelsOptions) {
    this.#parts = parts;
  }

  async update(signal: AbortSignal): Promise<void> {
    const { store, network, now_ms } = this.#parts;
    // Nodes of other families do not return hashes of code (docs/design/labels.md).
    const days = FAMILY_TRAITS[network.family].has_code_hashes ? await daysOf(this.#parts, signal) : null;
    if (days === null) return;
    const asker = new DayReader(this.#parts, signal);
    const mark = await asker.listedMark();
    const held = this.#ground;
    const is_anew = held === null || held.mark !== mark || hasGrown(held.days, days);
    const span = { since: is_anew ? days.since : this.#next_day, until: days.until };
    if (span.since >= span.until) return;
    const claims = await this.#claims(asker, span, signal);
    if (claims === null) return; // The node does not answer: the next update covers the same days.
    const fresh = new Map([...claims].filter(([hash]) => !is_anew && !this.#known.has(hash)));
    const found = [
      ...(await clonesIn(span, claims, asker)),
      ...(fresh.size === 0 ? [] : await clonesIn({ since: days.since, until: span.since }, fresh, asker)),
    ];
    const source = DERIVED.clones;
    const place = { store, network: network.id, source, confidence: DERIVED_CONFIDENCE[source], now_ms: now_ms() };
    await writeDerived(place, found, { is_whole: is_anew, signal });
    this.#known = new Set(claims.keys());
    this.#ground = is_anew ? { days, mark } : held;
    this.#next_day = span.until;
  }

  /** Claims by code; null if the node does not answer. */
  async #claims(asker: DayReader, span: DaySpan, signal: AbortSignal): Promise<ReadonlyMap<Hex, CodeClaim> | null> {
    const rows = await asker.ask("indexer/labelled_codes", { categories: CLONED_CATEGORIES });
    const inside = rows.filter(({ time }) => time < span.until);
    try {
      await this.#readCodes(inside, signal);
    } catch (error) {
      if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return null;
      throw error;
    }
    return claimsOf(inside.flatMap((row) => this.#codesOf(row)));
  }

  async #readCodes(rows: readonly CodeRow[], signal: AbortSignal): Promise<void> {
    const open = [...new Set(rows.map(({ address }) => address))].filter((address) => !this.#read.has(address));
    for (const address of open.slice(0, CODES_READ_MAX)) {
      const code = await this.#parts.codeOf(address, signal);
      this.#read.set(address, code.length === 0 ? null : { hash: toHex(keccak256(code)), is_proxy: mayDelegate(code) });
    }
  }

  #codesOf({ code_hash, init_hash, ...row }: CodeRow): readonly LabelledCode[] {
    const read = this.#read.get(row.address) ?? null;
    const is_same = read !== null && !read.is_proxy && (code_hash === "" || code_hash === read.hash);
    const hashes = [...(is_same ? [read.hash] : []), ...(init_hash === "" ? [] : [init_hash])];
    return hashes.map((hash) => ({ ...row, hash }));
  }
}

const clonesIn = async (
  span: DaySpan,
  claims: ReadonlyMap<Hex, CodeClaim>,
  asker: DayReader,
): Promise<readonly DerivedLabel[]> => {
  if (claims.size === 0) return [];
  const found = new Map<Hex, DerivedLabel>();
  for (const { since, last } of await asker.windows(span)) {
    const asked = { hashes: [...claims.keys()], since, last, limit: CREATED_MAX };
    for (const { address, code_hash, init_hash, time } of await asker.ask("indexer/created_with_code", asked)) {
      const claim = claims.get(code_hash) ?? claims.get(init_hash);
      if (claim === undefined || claim.like.address === address || found.has(address)) continue;
      const { like, day } = claim;
      found.set(address, {
        ...{ address, label: `Same code as ${like.label}`, category: like.category, entity: "" },
        ...{ day: Math.max(day, dayOf(time)), evidence: `code 0x${like.hash} of 0x${like.address}` },
      });
    }
  }
  const free = new Set(await asker.free([...found.keys()], []));
  return [...found.values()].filter(({ address }) => free.has(address));
};
