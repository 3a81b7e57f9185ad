import { useState } from "preact/hooks";
import { Refusal, Section, Table } from "../account/parts.tsx";
import { numberColumn, numberOf, rowsOf, useAccountQuery, words } from "../account/request.ts";
import { fieldsOf, type JsonObject } from "../api/answer.ts";
import { amountText } from "../ui/format.ts";

/** Failures by kind, in words. */
const KINDS: Readonly<Record<string, string>> = {
  rate: "too many requests",
  size: "request too large",
  timeout: "no answer in time",
  connection: "no connection",
  http: "error status",
  bad_answer: "not what the protocol says",
  rpc: "error of one call",
};

const errorsOf = (row: JsonObject): string =>
  Object.entries(fieldsOf(row.errors))
    .map(([kind, count]) => `${KINDS[kind] ?? kind}: ${String(count)}`)
    .join(", ") || "none";

/** Three digits: the exact value is in the title. */
const rounded = (value: number): string => amountText(Number(value.toPrecision(3)));

const measured = (head: string, name: string, unit: string) => ({
  head,
  is_number: true,
  value: (row: JsonObject) => numberOf(row, name),
  cell: (row: JsonObject) => {
    const value = numberOf(row, name);
    return value === null ? "—" : <span title={`${value} ${unit}`}>{`${rounded(value)} ${unit}`}</span>;
  },
});

/** Requests to the nodes of every network, and how they ended. */
export const Endpoints = () => {
  const [minutes, setMinutes] = useState(60);
  const { answer, again } = useAccountQuery(`/api/operator/endpoints?minutes=${minutes}`);
  return (
    <Section
      title="Nodes"
      aside={
        <div class="choices">
          <select
            aria-label="Time of the requests"
            value={minutes}
            onChange={({ currentTarget: { value } }) => setMinutes(Number(value))}
          >
            <option value={10}>last 10 minutes</option>
            <option value={60}>last hour</option>
            <option value={1_440}>last day</option>
          </select>
          <button type="button" onClick={again}>
            Read again
          </button>
        </div>
      }
    >
      <p class="hint">Since the start of this process, if that is later. `/metrics` has the same counters.</p>
      <Refusal answer={answer} />
      <Table
        label="Requests to nodes"
        rows={answer === null ? [] : rowsOf(answer.body, "endpoints")}
        keyOf={(row) => `${words(row, "network")} ${words(row, "endpoint")}`}
        empty={answer === null ? "Loading…" : "This process has no connection to a node."}
        columns={[
          { head: "Network", cell: (row) => words(row, "network") },
          { head: "Node", cell: (row) => words(row, "endpoint") },
          numberColumn("Requests", "requests"),
          numberColumn("Calls", "calls"),
          numberColumn("Failed", "failed"),
          { head: "How they failed", cell: errorsOf },
          measured("Mean answer", "mean_seconds", "s"),
          numberColumn("Waited for the rate", "rate_waits"),
          measured("Waited together", "rate_wait_seconds", "s"),
          {
            ...measured("Rate", "rate_limit", "/s"),
            cell: (row) => {
              const rate = numberOf(row, "rate_limit");
              return rate === null ? (
                "no limit"
              ) : (
                <span title={`${rate} ${words(row, "rate_counts")} per second, configured or learned`}>
                  {`${rounded(rate)} ${words(row, "rate_counts")}/s`}
                </span>
              );
            },
          },
          numberColumn("At one time", "concurrency"),
        ]}
      />
    </Section>
  );
};
