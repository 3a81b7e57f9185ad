/** Several wallets as one subject: their books are those of one wallet, so that transfers inside the group dispose of nothing. */
import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { inTurns, type Pieces } from "../../../lib/turns.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { endOf, type LedgerInputs, type PnlComputation, type PnlOptions, readInputs } from "./compute.ts";
import type { PnlCall } from "./first_reading.ts";
import { groupTransactions } from "./group_transactions.ts";
import type { PnlLedger, PnlSources } from "./ledger.ts";
import { LedgerCache } from "./ledger_cache.ts";
import { ledgerWarnings } from "./ledger_warnings.ts";
import { beginLedger, continueLedger, hasRow } from "./pnl.ts";
import { ROWS_MAX, transactionsOf } from "./read_history.ts";
import { readOutcomes } from "./read_outcomes.ts";
import type { PnlPrices } from "./read_prices.ts";
import { readSpam } from "./read_spam.ts";
import { byTotal, judgedRowOf, type PnlRow } from "./rows.ts";

/** Transactions that are booked in one piece. */
const SLICE = 200;

interface Member {
  readonly wallet: Hex;
  readonly made: LedgerInputs;
}

const tooLarge = (): AssayError => {
  const message = `The wallets have more than ${ROWS_MAX.toLocaleString("en-US")} movements together. Ask about fewer wallets.`;
  return new AssayError({ code: "TOO_LARGE", message, public: message });
};

const readMembers = async (
  scope: SnapshotContext,
  wallets: readonly Hex[],
  { window, basis }: PnlOptions,
): Promise<readonly Member[]> => {
  const members: Member[] = [];
  let rows_max = ROWS_MAX;
  // One after the other: each of them runs several queries at once.
  for (const wallet of wallets) {
    const key = { wallet, basis, from: window.from };
    const books = scope.facts.own(LedgerCache);
    const call: PnlCall = { scope, key, end: endOf(window, scope), books, rows_max };
    const made = await readInputs(call, null);
    if (made === null) throw new AssayError({ code: "BUG", message: "new books depend on a cached base" });
    const { read } = made.read.history;
    // A member whose earlier movements are not read does not show what the others got from it.
    if (read.whole_from_block !== null) throw tooLarge();
    rows_max = Math.max(1, rows_max - read.end);
    members.push({ wallet, made });
  }
  return members;
};

const firstKnown = <T>(members: readonly Member[], of: (made: LedgerInputs) => T | null): T | null => {
  for (const { made } of members) {
    const found = of(made);
    if (found !== null) return found;
  }
  return null;
};

/** Facts of one member about a token or an address hold for all. */
const joinSources = (members: readonly Member[], { window, basis, onDisposal }: PnlOptions): PnlSources => {
  const sources = members.map(({ made }) => made.sources);
  return {
    from: window.from,
    decimals: (bucket) => firstKnown(members, (made) => made.sources.decimals(bucket)),
    quote: (bucket, time) => firstKnown(members, (made) => made.sources.quote(bucket, time)),
    peer: (address) => sources.map(({ peer }) => peer(address)).find((kind) => kind !== "other") ?? "other",
    is_share: (bucket) => sources.some(({ is_share }) => is_share(bucket)),
    is_debt: (bucket) => sources.some(({ is_debt }) => is_debt(bucket)),
    basis,
    onDisposal,
  };
};

const joinPrices = (members: readonly Member[]): PnlPrices => ({
  quote: (bucket, time) => firstKnown(members, ({ prices }) => prices.quote(bucket, time)),
  priceAt: (bucket, time) => firstKnown(members, ({ prices }) => prices.priceAt(bucket, time)),
});

/** A balance that changes by itself is known per wallet, not of the group. */
const NO_REBASES = { before: new Map(), closing: [], warnings: [] };

const rebaseWarnings = (members: readonly Member[]): readonly Warning[] =>
  members.every(({ made: { rebases } }) => rebases.before.size === 0 && rebases.closing.length === 0)
    ? []
    : [
        {
          code: "REBASES_LEFT_OUT",
          message:
            "Some tokens change balances without transfers. The books of several wallets count their transfers alone.",
        },
      ];

const writeBook = async (
  { snapshot, signal }: SnapshotContext,
  members: readonly Member[],
  sources: PnlSources,
): Promise<PnlLedger> => {
  const openings = members.flatMap(({ made }) => made.read.history.openings);
  const book = beginLedger(sources, openings);
  const lists = members.map(({ made }) =>
    transactionsOf(made.read.history, { ...made, rebases: NO_REBASES }, { from: 0, to: snapshot.block.number }),
  );
  function* written(): Pieces<void> {
    let count = 0;
    for (const transaction of groupTransactions(lists, new Set(members.map(({ wallet }) => wallet)))) {
      continueLedger(book, sources, [transaction]);
      count += 1;
      if (count % SLICE === 0) yield;
    }
  }
  await inTurns(written(), signal);
  return book;
};

/** Rows of tokens. The first member that touched a token decides whether it can be sold. */
const readRows = async (
  scope: SnapshotContext,
  members: readonly Member[],
  { book, prices, end }: { readonly book: PnlLedger; readonly prices: PnlPrices; readonly end: number },
): Promise<readonly PnlRow[]> => {
  const entries = [...book.entries.values()].filter(hasRow);
  const ownerOf = (bucket: Hex): Member | undefined =>
    members.find(({ made }) => made.read.history.touched.buckets.has(bucket)) ?? members[0];
  const rows: PnlRow[] = [];
  for (const member of members) {
    const own = entries.filter(({ bucket }) => ownerOf(bucket) === member);
    const { outcomes, lastOf } = await readOutcomes(scope, { wallet: member.wallet, entries: own, end });
    for (const entry of own) {
      const { bucket } = entry;
      const outcome = outcomes.get(bucket) ?? null;
      rows.push(judgedRowOf(entry, { market: prices.quote(bucket, end), outcome, last: lastOf(bucket) }));
    }
  }
  return rows.sort(byTotal);
};

/** A token is spam if it is for every member that touched it. */
const readGroupSpam = async (
  scope: SnapshotContext,
  members: readonly Member[],
  { rows, end }: { readonly rows: readonly PnlRow[]; readonly end: number },
): Promise<ReadonlyMap<Hex, readonly string[]>> => {
  const found = new Map<Hex, readonly string[]>();
  const real = new Set<Hex>();
  for (const { wallet, made } of members) {
    const { touched, read } = made.read.history;
    const spam = await readSpam({ scope, wallet, touched, faces: made.faces, read, end }, rows);
    for (const bucket of touched.buckets) {
      const reasons = spam.get(bucket);
      if (reasons === undefined) real.add(bucket);
      else found.set(bucket, [...new Set([...(found.get(bucket) ?? []), ...reasons])]);
    }
  }
  return new Map([...found].filter(([bucket]) => !real.has(bucket)));
};

const distinct = (warnings: readonly Warning[]): readonly Warning[] => [
  ...new Map(warnings.map((warning) => [`${warning.code} ${warning.message}`, warning])).values(),
];

/** Books and rows of several wallets as one. Movements inside the group do not count, so that the cost stays with the units. */
export const computeGroup = async (
  scope: SnapshotContext,
  wallets: readonly Hex[],
  options: PnlOptions,
): Promise<PnlComputation> => {
  const members = await readMembers(scope, wallets, options);
  const book = await writeBook(scope, members, joinSources(members, options));
  const prices = joinPrices(members);
  const end = endOf(options.window, scope);
  const rows = await readRows(scope, members, { book, prices, end });
  return {
    ...{ book, rows, prices },
    faces: new Map(members.flatMap(({ made }) => [...made.faces])),
    readSpam: () => readGroupSpam(scope, members, { rows, end }),
    warnings: distinct([
      ...members.flatMap(({ made }) => made.warnings),
      ...rebaseWarnings(members),
      ...ledgerWarnings(book),
    ]),
  };
};
