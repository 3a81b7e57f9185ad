/** Counterparties of a wallet on a network that is read on demand: how far they are read, and wishes for the nearest (docs/design/on_demand.md). */
import type { Settings } from "../config/settings.ts";
import type { Hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import type { FactsStore } from "../store/open.ts";
import type { Counterparty } from "../store/subjects/admitted.ts";
import { isWhole } from "../store/subjects/coverage.ts";
import { readSubjects, readWishes, type SubjectRecord, writeWishes } from "../store/subjects/records.ts";

/** So many times the wanted number of counterparties are considered: some are too large. */
const CONSIDERED = 3;

interface CounterpartyCallsOptions {
  readonly facts: Pick<FactsStore, "engine" | "writer">;
  readonly settings: Pick<Settings, "on_demand">;
  /** The use of an account. @throws AssayError SUBJECT_LIMIT */
  readonly mayAsk: (account: string) => Promise<{ readonly subjects: number }>;
}

interface CounterpartiesAsked {
  readonly network: string;
  /** The most important first. */
  readonly addresses: readonly Hex[];
  readonly is_wished: boolean;
  readonly account: string;
}

const stateOf = (record: SubjectRecord): Counterparty["state"] => {
  if (record.state === "too_large") return "too_large";
  if (record.state !== "read") return "reading";
  return isWhole(record) ? "read" : "partial";
};

/** The first of the addresses, as many as may be read; one that is too large takes no other one's place. */
const nearest = (addresses: readonly Hex[], known: ReadonlyMap<Hex, Counterparty>, most: number): readonly Hex[] =>
  addresses
    .slice(0, CONSIDERED * most)
    .filter((address) => known.get(address)?.state !== "too_large")
    .slice(0, most);

/** How many addresses more an account may have followed as counterparties. */
const roomOf = async ({ settings, mayAsk }: CounterpartyCallsOptions, account: string): Promise<number> => {
  try {
    const { subjects } = await mayAsk(account);
    return Math.max(0, Math.floor(settings.on_demand.addresses_per_account / 2) - subjects);
  } catch (error) {
    if (error instanceof AssayError && error.code === "SUBJECT_LIMIT") return 0;
    throw error;
  }
};

export const findCounterparties = async (
  parts: CounterpartyCallsOptions,
  { network, addresses, is_wished, account }: CounterpartiesAsked,
): Promise<ReadonlyMap<Hex, Counterparty>> => {
  if (addresses.length === 0) return new Map();
  const { facts, settings } = parts;
  const { counterparties, counterparty_blocks } = settings.on_demand;
  const [records, wishes] = await Promise.all([
    readSubjects(facts.engine, network, addresses),
    readWishes(facts.engine, network),
  ]);
  const waiting = new Set(wishes.flatMap(({ subject, wish }) => (wish === "track" ? [subject] : [])));
  const found = new Map<Hex, Counterparty>(
    addresses.map((address) => [address, { state: waiting.has(address) ? "reading" : "unread", record: null }]),
  );
  for (const record of records)
    if (record.state !== "left") found.set(record.subject, { state: stateOf(record), record });
  if (!is_wished) return found;
  const strangers = nearest(addresses, found, counterparties).filter(
    (address) => found.get(address)?.state === "unread",
  );
  const room = strangers.length === 0 ? 0 : await roomOf(parts, account);
  const subjects = strangers.slice(0, room);
  if (subjects.length > 0)
    await writeWishes(facts.writer, network, {
      ...{ subjects, wish: "track", asked_by: account, blocks_max: counterparty_blocks },
    });
  for (const [i, address] of strangers.entries())
    found.set(address, { state: i < room ? "reading" : "refused", record: null });
  return found;
};
