import { useEffect, useState } from "preact/hooks";
import { Refusal, Section, Table } from "../account/parts.tsx";
import { formatNumber, numberOf, rowsOf, sendRequest, timeOf, words } from "../account/request.ts";
import type { JsonObject, ToolAnswer } from "../api/answer.ts";

const PAGE = 25;

/** A state of the trail: one line, cut where it is long. */
const stateOf = (state: unknown): string => {
  if (isEmpty(state)) return "—";
  const text = JSON.stringify(state);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
};

const isEmpty = (state: unknown): boolean => state === null || state === undefined;

/** New value, and the old one if there was one. */
const changeOf = ({ before, after }: JsonObject): string =>
  isEmpty(before) ? stateOf(after) : `${stateOf(before)} → ${isEmpty(after) ? "nothing" : stateOf(after)}`;

/** An id shortened in the middle, with the whole in its title. */
const Id = ({ text }: { readonly text: string }) => (
  <span title={text}>{text.replace(/_(\w{16,})$/, (_, id: string) => `_…${id.slice(-6)}`)}</span>
);

/** Audit trail, newest first. */
export const Audit = () => {
  const [entries, setEntries] = useState<readonly JsonObject[]>([]);
  const [newest, setNewest] = useState<ToolAnswer | null>(null);
  const [has_more, setMore] = useState(false);
  const read = async (before: number | null) => {
    const place = before === null ? "" : `&before_seq=${before}`;
    const answer = await sendRequest("GET", `/api/operator/audit?limit=${PAGE}${place}`);
    setNewest(answer);
    if (answer.status === "error") return;
    const page = rowsOf(answer.body, "entries");
    setEntries((earlier) => (before === null ? page : [...earlier, ...page]));
    setMore(page.length === PAGE);
  };
  useEffect(() => void read(null), []);
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
      <Refusal answer={newest} />
      <Table
        label="Entries of the trail"
        rows={entries}
        keyOf={(row) => String(numberOf(row, "seq"))}
        empty={newest === null ? "Loading…" : "Nothing was changed yet."}
        columns={[
          { head: "No.", cell: (row) => formatNumber(numberOf(row, "seq")), is_number: true },
          { head: "Time (UTC)", cell: (row) => timeOf(words(row, "at")) },
          { head: "Who", cell: (row) => <Id text={words(row, "actor")} /> },
          { head: "What", cell: (row) => words(row, "action") },
          { head: "Of", cell: (row) => <Id text={words(row, "subject")} /> },
          { head: "Change", cell: (row) => <code class="state">{changeOf(row)}</code> },
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
