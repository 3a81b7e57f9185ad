import { useEffect, useState } from "preact/hooks";
import { type Answer, type Fields, fieldsOf, textOf } from "../api/answer.ts";
import { ask, numberOf, rowsOf, shown, timeOf, words } from "./ask.ts";
import { Refusal, Section, Table } from "./parts.tsx";

const KINDS: Readonly<Record<string, string>> = {
  adjustment: "plan's credits of the month",
  grant: "granted",
  charge: "call",
  refund: "refunded",
};

const callOf = (row: Fields): Fields => fieldsOf(row.call);

/** The account's credit ledger, newest first, each call with its request id. */
export const Ledger = () => {
  const [rows, setRows] = useState<readonly Fields[]>([]);
  const [newest, setNewest] = useState<Answer | null>(null);
  const read = async (before: string | null) => {
    const place = before === null ? "" : `&before=${encodeURIComponent(before)}`;
    const answer = await ask("GET", `/api/account/ledger?limit=20${place}`);
    setNewest(answer);
    if (answer.status === "error") return;
    const page = rowsOf(answer.body, "rows");
    setRows((earlier) => (before === null ? page : [...earlier, ...page]));
  };
  useEffect(() => void read(null), []);
  const next = newest === null ? null : textOf(newest.body.next);
  return (
    <Section
      title="Ledger"
      aside={
        <button type="button" onClick={() => void read(null)}>
          Read again
        </button>
      }
    >
      <Refusal answer={newest} />
      <Table
        label="Rows of the ledger"
        rows={rows}
        keyOf={(row) => `${words(row, "period")} ${numberOf(row, "seq")}`}
        empty={newest === null ? "Loading…" : "Nothing was charged yet."}
        columns={[
          { head: "Time (UTC)", cell: (row) => timeOf(words(row, "at")) },
          { head: "What", cell: (row) => KINDS[words(row, "kind")] ?? words(row, "kind") },
          { head: "Tool", cell: (row) => words(callOf(row), "tool") || "—" },
          { head: "Outcome", cell: (row) => outcomeOf(callOf(row)) },
          { head: "Credits", cell: (row) => shown(numberOf(row, "credits")), is_number: true },
          { head: "Left", cell: (row) => shown(numberOf(row, "balance_after")), is_number: true },
          { head: "Request", cell: (row) => <code>{words(callOf(row), "request_id") || "—"}</code> },
        ]}
      />
      {next === null ? null : (
        <p>
          <button type="button" onClick={() => void read(next)}>
            Older rows
          </button>
        </p>
      )}
    </Section>
  );
};

const outcomeOf = (call: Fields): string => {
  const reason = textOf(call.reason);
  return `${words(call, "outcome") || "—"}${reason === null ? "" : ` (${reason.replaceAll("_", " ")})`}`;
};
