import type { Hex } from "../../../lib/bytes.ts";
import type { Facts, QueryRow, Snapshot } from "../../../store/facts.ts";
import type { Source } from "../../context.ts";
import type { Operator } from "../../operator.ts";

const HOUR_MS = 3_600_000;
/** Addresses per query. */
const ADDRESSES_MAX = 5_000;

/** An entry of a list about an address. Days are `YYYY-MM-DD`; null = not in the list. */
export interface SanctionsMatch {
  readonly list: string;
  /** Of the list that was checked. */
  readonly version: string;
  readonly entity: string | null;
  readonly program: string | null;
  readonly listed_on: string | null;
  readonly delisted_on: string | null;
}

export interface SanctionsList {
  readonly id: string;
  readonly version: string;
  /** Since the operator last imported or confirmed it, by the wall clock: a live field. */
  readonly age_hours: number;
}

export interface SanctionsCheck {
  /** `missing`: no list was imported. `stale`: one is older than the operator allows. Fail closed on both. */
  readonly status: "ok" | "missing" | "stale";
  /** Reason of an incomplete check, for callers; null for a complete one. */
  readonly problem: string | null;
  readonly lists: readonly SanctionsList[];
  /** Entries in force, by address; an unlisted address is absent. */
  readonly matches: ReadonlyMap<Hex, readonly SanctionsMatch[]>;
  /** Entries removed from a list. They are history, not matches. */
  readonly delisted: ReadonlyMap<Hex, readonly SanctionsMatch[]>;
  /** For `metadata.sources`. */
  readonly sources: readonly Source[];
}

interface SanctionsContext {
  readonly facts: Facts;
  readonly snapshot: Snapshot;
  /** Address family of the network: a listed EVM address is listed on every EVM network. */
  readonly family: string;
  readonly operator: Pick<Operator, "sanctions">;
}

const textOr = (text: string): string | null => (text === "" ? null : text);

const matchOf = (row: QueryRow<"sanctions_among">, versions: ReadonlyMap<string, string>): SanctionsMatch => ({
  list: row.list,
  version: versions.get(row.list) ?? row.version,
  entity: textOr(row.entity),
  program: textOr(row.program),
  listed_on: textOr(row.listed_on),
  delisted_on: textOr(row.delisted_on),
});

/** Entries by address; entries of one list that differ only in the asset code are merged. */
const grouped = (
  rows: readonly QueryRow<"sanctions_among">[],
  versions: ReadonlyMap<string, string>,
): ReadonlyMap<Hex, readonly SanctionsMatch[]> => {
  const found = new Map<Hex, Map<string, SanctionsMatch>>();
  for (const row of rows) {
    const match = matchOf(row, versions);
    const own = found.get(row.address) ?? new Map<string, SanctionsMatch>();
    own.set(JSON.stringify(match), match);
    found.set(row.address, own);
  }
  return new Map([...found].map(([address, own]) => [address, [...own.values()]]));
};

const problemOf = (
  lists: readonly SanctionsList[],
  max_age_hours: number,
): Pick<SanctionsCheck, "status" | "problem"> => {
  if (lists.length === 0) {
    return { status: "missing", problem: "No sanctions list has been imported on this instance." };
  }
  const old = lists.filter(({ age_hours }) => age_hours > max_age_hours);
  if (old.length === 0) return { status: "ok", problem: null };
  return {
    status: "stale",
    problem: `Sanctions lists older than ${max_age_hours} hours: ${old.map(({ id }) => id).join(", ")}.`,
  };
};

/**
 * Checks addresses against the current version of every sanctions list that the operator imported, for any block. A caller
 * whose answer depends on it fails with CHECK_INCOMPLETE unless `status` is `ok`; matches are valid even then.
 */
export const checkSanctions = async (
  { facts, snapshot, family, operator }: SanctionsContext,
  addresses: readonly Hex[],
): Promise<SanctionsCheck> => {
  const wanted = [...new Set(addresses)].filter((address) => address !== "").sort();
  const parts = Array.from({ length: Math.ceil(wanted.length / ADDRESSES_MAX) }, (_, part) =>
    wanted.slice(part * ADDRESSES_MAX, (part + 1) * ADDRESSES_MAX),
  );
  const heads = (await facts.ask(snapshot, "current_lists", {})).filter(({ kind }) => kind === "sanctions");
  const rows = await Promise.all(
    parts.map((part) => facts.ask(snapshot, "sanctions_among", { family, addresses: part })),
  );
  const { max_age_hours, now_ms } = operator.sanctions;
  const now = now_ms();
  const lists = heads.map(({ list, version, imported_at_ms }) => ({
    id: list,
    version,
    age_hours: Math.max(0, Math.round(((now - imported_at_ms) / HOUR_MS) * 100) / 100),
  }));
  const versions = new Map(heads.map(({ list, version }) => [list, version]));
  const known = rows.flat().filter(({ list }) => versions.has(list));
  return {
    ...problemOf(lists, max_age_hours),
    lists,
    matches: grouped(
      known.filter(({ delisted_on }) => delisted_on === ""),
      versions,
    ),
    delisted: grouped(
      known.filter(({ delisted_on }) => delisted_on !== ""),
      versions,
    ),
    sources: heads.map(({ list, version, published_on }) => ({
      id: `sanctions/${list}`,
      version,
      updated_at: published_on === "" ? null : `${published_on}T00:00:00Z`,
    })),
  };
};
