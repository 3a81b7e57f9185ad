/** A report of risk for readers outside: findings with their evidence, and gaps. */
import { Section, Table } from "../account/parts.tsx";
import { rowsOf } from "../account/request.ts";
import { type JsonObject, textOf } from "../api/answer.ts";
import { plainValue } from "../table/plain_value.ts";
import { Strange } from "../ui/strange.tsx";
import { type ReportFact, type RiskReport, shownValue } from "./read.ts";

const WHOLE = 200;

const Cell = ({ value }: { readonly value: unknown }) => {
  const text = textOf(value);
  return text === null ? <span>{shownValue(value)}</span> : <Strange text={text} width={WHOLE} is_marked={false} />;
};

const Facts = ({ facts }: { readonly facts: readonly ReportFact[] }) => (
  <dl class="report-facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <Cell value={value} />
        </dd>
      </div>
    ))}
  </dl>
);

const evidenceText = (row: JsonObject): string =>
  rowsOf(row, "evidence")
    .map(({ kind, ref, observed_at }) => `${kind} ${ref} (${observed_at})`)
    .join("; ");

interface RowsProps {
  readonly label: string;
  readonly rows: readonly JsonObject[];
  /** Head and member of each column. */
  readonly columns: readonly (readonly [head: string, member: string])[];
  readonly empty: string;
}

interface PlacedRow {
  readonly row: JsonObject;
  readonly at: number;
}

/** Rows have no key of their own, and do not change: their places are their keys. */
const Rows = ({ label, rows, columns, empty }: RowsProps) => (
  <Table<PlacedRow>
    label={label}
    rows={rows.map((row, at) => ({ row, at }))}
    keyOf={({ at }) => String(at)}
    empty={empty}
    columns={columns.map(([head, member]) => ({
      head,
      cell: ({ row }: PlacedRow) => <Cell value={member === "evidence" ? evidenceText(row) : (row[member] ?? null)} />,
      value: ({ row }: PlacedRow) => (member === "evidence" ? evidenceText(row) : plainValue(row[member])),
      is_number: rows.some((row) => typeof row[member] === "number"),
    }))}
  />
);

const WALLET_EXPOSURE = [
  ["Category", "category"],
  ["Received directly, USD", "direct_in_usd"],
  ["Received indirectly, USD", "indirect_in_usd"],
  ["Percent of receipts", "share_in_percent"],
  ["Paid directly, USD", "direct_out_usd"],
  ["Paid indirectly, USD", "indirect_out_usd"],
  ["Percent of payments", "share_out_percent"],
] as const;

const TRANSFER_EXPOSURE = [
  ["Category", "category"],
  ["Direct, USD", "direct_usd"],
  ["Direct, percent", "direct_percent"],
  ["Indirect, USD", "indirect_usd"],
  ["Indirect, percent", "indirect_percent"],
] as const;

const Path = ({ source, number }: { readonly source: JsonObject; readonly number: number }) => (
  <div class="report-path">
    <h3>
      <Cell value={source.category} />: {shownValue(source.usd)} USD {source.direction === "in" ? "from" : "to"}{" "}
      <Cell value={source.address} />
    </h3>
    <p>
      Fewest hops {shownValue(source.hops)}, first {shownValue(source.first_seen)}, last {shownValue(source.last_seen)}
      {source.is_dust === true ? ", dust" : ""}
    </p>
    <Rows
      label={`Path ${number}`}
      rows={rowsOf(source, "path")}
      columns={[
        ["Address", "address"],
        ["Label", "label"],
        ["Source of the label", "label_source"],
        ["Transaction", "tx_hash"],
      ]}
      empty="The answer has no path."
    />
  </div>
);

const Findings = ({ report }: { readonly report: RiskReport }) => (
  <>
    <Section title="Result">
      <Facts facts={report.result} />
      <Rows
        label="Reasons"
        rows={report.reasons}
        columns={[
          ["Reason", "code"],
          ["Address", "address"],
          ["Points", "weight"],
          ["Evidence", "evidence"],
        ]}
        empty="No reason was found."
      />
    </Section>
    <Section title="Rules of the operator">
      <p>Rules checked: {report.rules_checked}</p>
      <Rows
        label="Rules that fired"
        rows={report.rules}
        columns={[
          ["Rule", "id"],
          ["From", "source"],
          ["Category", "category"],
          ["Exposure", "exposure"],
          ["Direction", "direction"],
          ["USD", "usd"],
          ["Percent", "percent"],
          ["Limit, USD", "limit_usd"],
          ["Limit, percent", "limit_percent"],
        ]}
        empty="No rule fired."
      />
    </Section>
    <Section title="Exposure">
      <Rows
        label="Exposure by category"
        rows={report.exposure}
        columns={report.exposure.some((row) => Object.hasOwn(row, "direct_usd")) ? TRANSFER_EXPOSURE : WALLET_EXPOSURE}
        empty="No exposure was found."
      />
    </Section>
  </>
);

const Grounds = ({ report }: { readonly report: RiskReport }) => (
  <>
    <Section title="Addresses concerned">
      <Rows
        label="Table of addresses"
        rows={report.counterparties}
        columns={[
          ["Address", "address"],
          ["Label", "label"],
          ["Role", "role"],
          ["Findings", "findings"],
          ["Level", "level"],
          ["Score", "score"],
        ]}
        empty="None."
      />
    </Section>
    <Section title="Paths of the money">
      {report.sources.length === 0 ? <p class="quiet">No path was found.</p> : null}
      {report.sources.map((source, at) => (
        <Path key={at} source={source} number={at + 1} />
      ))}
    </Section>
    <Section title="Lists consulted">
      <Rows
        label="Table of lists"
        rows={report.lists}
        columns={[
          ["List", "id"],
          ["Version", "version"],
          ["Published", "updated_at"],
        ]}
        empty="No list was consulted."
      />
    </Section>
  </>
);

/** The whole report. `made_at`: when the answer came, ISO 8601. */
export const ReportView = ({ report, made_at }: { readonly report: RiskReport; readonly made_at: string }) => (
  <article class="report">
    <Section title="Subject">
      <Facts facts={[...report.subject, ["Report made", made_at]]} />
    </Section>
    <Findings report={report} />
    <Grounds report={report} />
    <Section title="Method">
      <Facts facts={report.method} />
    </Section>
    <Section title="Coverage and unknowns">
      <Facts facts={report.coverage} />
      <Rows
        label="Unknown"
        rows={report.unknown}
        columns={[
          ["Part", "field"],
          ["Reason", "reason"],
        ]}
        empty="The answer names nothing else that is unknown."
      />
    </Section>
    <Section title="Categories without a list">
      {report.unlisted.length === 0 ? <p class="quiet">None.</p> : null}
      {report.unlisted.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Section>
  </article>
);
