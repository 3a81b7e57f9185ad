import { useState } from "preact/hooks";
import { Bar, Refusal, Section, Table } from "../account/parts.tsx";
import { numberColumn, numberOf, rowsOf, useAccountQuery, words } from "../account/request.ts";
import type { JsonObject } from "../api/answer.ts";

const DAY_MS = 86_400_000;
const dayOf = (at_ms: number): string => new Date(at_ms).toISOString().slice(0, 10);

const creditsOf = (row: JsonObject): number => numberOf(row, "credits") ?? 0;

interface TopProps {
  readonly from: string;
  readonly to: string;
  readonly names: ReadonlyMap<string, string>;
}

interface TopTableProps extends TopProps {
  readonly title: string;
  readonly by: "account_id" | "tool";
  readonly head: string;
}

/** Accounts, tools or keys by the credits that they used. */
const Top = ({ title, by, head, from, to, names }: TopTableProps) => {
  const { answer } = useAccountQuery(`/api/operator/usage?from=${from}&to=${to}&by=${by}`);
  const rows = answer === null ? [] : rowsOf(answer.body, "rows").toSorted((a, b) => creditsOf(b) - creditsOf(a));
  const whole = rows.reduce((sum, row) => sum + creditsOf(row), 0);
  return (
    <Section title={title}>
      <Refusal answer={answer} />
      <Table
        label={`Table of ${title.toLowerCase()}`}
        rows={rows}
        keyOf={(row) => words(row, by)}
        empty={answer === null ? "Loading…" : "Nothing was called in this time."}
        columns={[
          { head, cell: (row) => names.get(words(row, by)) ?? words(row, by) },
          numberColumn("Calls", "calls"),
          numberColumn("Credits", "credits"),
          numberColumn("Refunded", "credits_refunded"),
          { head: "Part", cell: (row) => <Bar part={creditsOf(row)} whole={whole} /> },
        ]}
      />
    </Section>
  );
};

const callsOf = (row: JsonObject): number => numberOf(row, "calls") ?? 0;

/** Calls that were refunded, by tool and reason. */
const Failures = ({ from, to }: TopProps) => {
  const { answer } = useAccountQuery(`/api/operator/usage?from=${from}&to=${to}&by=tool,outcome,reason`);
  const rows = answer === null ? [] : rowsOf(answer.body, "rows").filter(({ outcome }) => outcome === "refunded");
  return (
    <Section title="Failed calls">
      <p class="hint">
        Calls that Assay refunded. It counts refused calls, which cost nothing, in <code>assay_calls_total</code> of{" "}
        <code>/metrics</code>.
      </p>
      <Refusal answer={answer} />
      <Table
        label="Table of failed calls"
        rows={rows.toSorted((a, b) => callsOf(b) - callsOf(a))}
        keyOf={(row) => `${words(row, "tool")} ${words(row, "reason")}`}
        empty={answer === null ? "Loading…" : "No call failed in this time."}
        columns={[
          { head: "Tool", cell: (row) => words(row, "tool") },
          { head: "Reason", cell: (row) => words(row, "reason").replaceAll("_", " ").toLowerCase() || "unknown" },
          numberColumn("Calls", "calls"),
          numberColumn("Credits returned", "credits_refunded"),
        ]}
      />
    </Section>
  );
};

/** Which accounts and tools use the credits, and which calls fail. */
export const Spending = () => {
  const [days, setDays] = useState(7);
  const accounts = useAccountQuery("/api/operator/accounts").answer;
  const [to, from] = [dayOf(Date.now()), dayOf(Date.now() - (days - 1) * DAY_MS)];
  const names = new Map(
    (accounts === null ? [] : rowsOf(accounts.body, "accounts")).map((row) => [words(row, "id"), words(row, "name")]),
  );
  const of = { from, to, names };
  return (
    <>
      <label class="choices">
        Time
        <select value={days} onChange={({ currentTarget: { value } }) => setDays(Number(value))}>
          <option value={1}>today (UTC)</option>
          <option value={7}>last 7 days</option>
          <option value={30}>last 30 days</option>
          <option value={365}>last 365 days</option>
        </select>
      </label>
      <Top {...of} title="Credits by account" by="account_id" head="Account" />
      <Top {...of} title="Credits by tool" by="tool" head="Tool" />
      <Failures {...of} />
    </>
  );
};
