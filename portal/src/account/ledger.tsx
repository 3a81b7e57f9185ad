import { useEffect, useState } from "preact/hooks";
import { fieldsOf, type JsonObject, type ToolAnswer, textOf } from "../api/answer.ts";
import { Refusal, Section, Table } from "./parts.tsx";
import { numberColumn, numberOf, rowsOf, sendRequest, timeOf, words } from "./request.ts";

const KINDS: Readonly<Record<string, string>> = {
  adjustment: "plan's credits of the month",
  grant: "granted",
  charge: "call",
  refund: "refunded",
};

const callOf = (row: JsonObject): JsonObject => fieldsOf(row.call);

/** The account's credit ledger, newest first, each call with its request id. */
export const Ledger = () => {
  const [rows, setRows] = useState<readonly JsonObject[]>([]);
  const [newest, setNewest] = useState<ToolAnswer | null>(null);
  const read = async (before: string | null) => {
    const place = before === null ? "" : `&before=${encodeURIComponent(before)}`;
    const answer = await sendRequest("GET", `/api/account/ledger?limit=20${place}`);
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
          numberColumn("Credits", "credits"),
          numberColumn("Left", "balance_after"),
          {
            head: "Request",
            value: (row) => textOf(callOf(row).request_id),
            cell: (row) => <code>{words(callOf(row), "request_id") || "—"}</code>,
          },
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

const outcomeOf = (call: JsonObject): string => {
  const reason = textOf(call.reason);
  return `${words(call, "outcome") || "—"}${reason === null ? "" : ` (${reason.replaceAll("_", " ")})`}`;
};
