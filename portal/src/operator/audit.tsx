import { useEffect, useState } from "preact/hooks";
import { Refusal, Section, Table } from "../account/parts.tsx";
import {
  formatNumber,
  numberColumn,
  numberOf,
  rowsOf,
  sendRequest,
  timeOf,
  useAccountQuery,
  words,
} from "../account/request.ts";
import type { JsonObject, ToolAnswer } from "../api/answer.ts";
import { Strange } from "../ui/strange.tsx";
import { AUDIT_KINDS, type AuditNames, actorText, auditText } from "./audit_text.ts";

const PAGE = 50;

/** Both states of an entry, whole. */
const Details = ({ row }: { readonly row: JsonObject }) => (
  <details>
    <summary>
      Details <span class="unseen">of entry {formatNumber(numberOf(row, "seq"))}</span>
    </summary>
    <code class="state">
      {JSON.stringify({
        action: row.action,
        subject: row.subject,
        actor: row.actor,
        before: row.before,
        after: row.after,
      })}
    </code>
  </details>
);

interface TrailFilter {
  readonly kind: string;
  readonly actor: string;
}

/** The path of a page of the trail. */
const pathOf = ({ kind, actor }: TrailFilter, before: number | null): string => {
  const query = new URLSearchParams({ limit: String(PAGE) });
  if (kind !== "") query.set("action", kind);
  if (actor !== "") query.set("actor", actor);
  if (before !== null) query.set("before_seq", String(before));
  return `/api/operator/audit?${query}`;
};

/** Entries of the trail, newest first, page by page. */
const useTrail = (filter: TrailFilter) => {
  const [entries, setEntries] = useState<readonly JsonObject[]>([]);
  const [newest, setNewest] = useState<ToolAnswer | null>(null);
  const [has_more, setMore] = useState(false);
  const read = async (before: number | null) => {
    const answer = await sendRequest("GET", pathOf(filter, before));
    setNewest(answer);
    if (answer.status === "error") return;
    const page = rowsOf(answer.body, "entries");
    setEntries((earlier) => (before === null ? page : [...earlier, ...page]));
    setMore(page.length === PAGE);
  };
  useEffect(() => void read(null), [filter.kind, filter.actor]);
  return { entries, newest, has_more, read };
};

/** Names of accounts and users by their ids. */
const useNames = (): AuditNames => {
  const accounts = useAccountQuery("/api/operator/accounts").answer;
  const users = useAccountQuery("/api/operator/users").answer;
  const rows = [
    ...(accounts === null ? [] : rowsOf(accounts.body, "accounts")),
    ...(users === null ? [] : rowsOf(users.body, "users")),
  ];
  return new Map(rows.map((row) => [words(row, "id"), words(row, "name")]));
};

interface TrailFilterProps {
  readonly filter: TrailFilter;
  /** Actors of the entries that were read. */
  readonly actors: readonly string[];
  readonly names: AuditNames;
  readonly onFilter: (filter: TrailFilter) => void;
}

const FilterChoice = ({ filter, actors, names, onFilter }: TrailFilterProps) => (
  <div class="choices">
    <label>
      Kind{" "}
      <select value={filter.kind} onChange={({ currentTarget: { value } }) => onFilter({ ...filter, kind: value })}>
        <option value="">all</option>
        {AUDIT_KINDS.map(([kind, name]) => (
          <option key={kind} value={kind}>
            {name}
          </option>
        ))}
      </select>
    </label>
    <label>
      Actor{" "}
      <select value={filter.actor} onChange={({ currentTarget: { value } }) => onFilter({ ...filter, actor: value })}>
        <option value="">all</option>
        {actors.map((actor) => (
          <option key={actor} value={actor}>
            {actorText(actor, names)}
          </option>
        ))}
      </select>
    </label>
  </div>
);

/** Audit trail, newest first, as sentences. */
export const Audit = () => {
  const [filter, setFilter] = useState<TrailFilter>({ kind: "", actor: "" });
  const [actors, setActors] = useState<readonly string[]>([]);
  const { entries, newest, has_more, read } = useTrail(filter);
  const names = useNames();
  useEffect(() => {
    // A filter hides actors that can still be chosen.
    setActors((known) => [...new Set([...known, ...entries.map((row) => words(row, "actor"))])].sort());
  }, [entries]);
  const last = entries.at(-1);
  return (
    <Section
      title="Audit trail"
      aside={
        <button type="button" onClick={() => void read(null)}>
          Read again
        </button>
      }
    >
      <FilterChoice filter={filter} actors={actors} names={names} onFilter={setFilter} />
      <Refusal answer={newest} />
      <Table
        label="Entries of the trail"
        rows={entries}
        keyOf={(row) => String(numberOf(row, "seq"))}
        empty={newest === null ? "Loading…" : "No such change was made yet."}
        columns={[
          numberColumn("No.", "seq"),
          { head: "Time (UTC)", cell: (row) => timeOf(words(row, "at")) },
          {
            head: "Change",
            value: (row) => auditText(row, names),
            cell: (row) => (
              <span class="prose">
                <Strange text={auditText(row, names)} width={400} is_marked={false} />
              </span>
            ),
          },
          { head: "Details", cell: (row) => <Details row={row} /> },
        ]}
      />
      {has_more && last !== undefined ? (
        <p>
          <button type="button" onClick={() => void read(numberOf(last, "seq"))}>
            Older entries
          </button>
        </p>
      ) : null}
    </Section>
  );
};
