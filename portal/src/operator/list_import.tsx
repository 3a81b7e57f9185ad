import { useState } from "preact/hooks";
import { Refusal, Section, Table } from "../account/parts.tsx";
import { formatNumber, numberColumn, numberOf, rowsOf, sendRequest, words } from "../account/request.ts";
import { type JsonObject, type ToolAnswer, textOf } from "../api/answer.ts";
import { CallButton } from "../ui/call_button.tsx";
import { Strange } from "../ui/strange.tsx";

/** Formats as `assay labels import` names them. */
const FORMATS = [
  ["labels-csv", "Labels, CSV"],
  ["labels-json", "Labels, JSON"],
  ["tagpack", "TagPack, YAML"],
  ["tagpack-csv", "TagPack, CSV"],
  ["token-list", "Token list"],
  ["sanctions-csv", "Sanctions, CSV"],
  ["sanctions-json", "Sanctions, JSON"],
  ["sanctions-lines", "Sanctions, one address per line"],
  ["domains", "Domains"],
] as const;

interface ListFields {
  readonly list: string;
  readonly format: string;
  readonly text: string;
  readonly licence: string;
  readonly origin: string;
  /** Separated by spaces or commas. */
  readonly networks: string;
}

const EMPTY: ListFields = { list: "", format: "labels-csv", text: "", licence: "", origin: "", networks: "" };

const bodyOf = ({ networks, ...rest }: ListFields): JsonObject => ({
  ...rest,
  networks: networks.split(/[\s,]+/).filter((id) => id !== ""),
});

const COUNTS = [
  ["New", "added"],
  ["Changed", "changed"],
  ["Unchanged", "unchanged"],
  ["Gone", "removed"],
  ["Twice", "duplicates"],
  ["In conflict", "conflict_count"],
] as const;

const placesOf = ({ places, count }: JsonObject): string => {
  const list = Array.isArray(places) ? places : [];
  return `${list.join(", ")}${typeof count === "number" && count > list.length ? ", …" : ""}`;
};

const examplesOf = ({ examples }: JsonObject): string => (Array.isArray(examples) ? examples.join("  ") : "");

const refusedCount = (body: JsonObject): number =>
  rowsOf(body, "refused").reduce((sum, row) => sum + (numberOf(row, "count") ?? 0), 0);

/** Effects of an import. */
const Preview = ({ body }: { readonly body: JsonObject }) => (
  <>
    <dl class="figures small">
      {[
        ...COUNTS.map(([name, field]) => [name, numberOf(body, field)] as const),
        ["Refused", refusedCount(body)] as const,
      ].map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
    {rowsOf(body, "refused").length === 0 ? null : (
      <Table
        label="Refused rows"
        rows={rowsOf(body, "refused")}
        keyOf={(row) => words(row, "reason")}
        empty=""
        columns={[
          { head: "Reason", cell: (row) => words(row, "reason") },
          numberColumn("Rows", "count"),
          { head: "Lines or entries", cell: placesOf },
          {
            head: "Examples",
            value: examplesOf,
            cell: (row) => <Strange text={examplesOf(row)} width={160} is_marked={false} />,
          },
        ]}
      />
    )}
    {rowsOf(body, "conflicts").length === 0 ? null : (
      <Table
        label="Conflicts with other sources"
        rows={rowsOf(body, "conflicts")}
        keyOf={(row) => JSON.stringify(row)}
        empty=""
        columns={[
          { head: "Network", cell: (row) => words(row, "network") },
          {
            head: "Address",
            value: (row) => words(row, "address"),
            cell: (row) => <code>{words(row, "address")}</code>,
          },
          ...[
            ["This list", "label"],
            ["Its category", "category"],
            ["Other source", "other_list"],
            ["Other label", "other_label"],
            ["Other category", "other_category"],
          ].map(([head = "", field = ""]) => ({
            head,
            value: (row: JsonObject) => textOf(row[field]),
            cell: (row: JsonObject) => <Strange text={words(row, field)} is_marked={false} />,
          })),
        ]}
      />
    )}
  </>
);

interface FieldsProps {
  readonly fields: ListFields;
  readonly change: (to: Partial<ListFields>) => void;
}

const Fields = ({ fields, change }: FieldsProps) => (
  <>
    <label class="field">
      Name of the list
      <input
        required
        maxLength={64}
        value={fields.list}
        onInput={({ currentTarget: { value } }) => change({ list: value })}
      />
    </label>
    <label class="field">
      Format
      <select value={fields.format} onChange={({ currentTarget: { value } }) => change({ format: value })}>
        {FORMATS.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
    <label class="field">
      File, at most about 1.5 MB
      <input
        type="file"
        required
        onChange={({ currentTarget: { files } }) =>
          void files
            ?.item(0)
            ?.text()
            .then(
              (text) => change({ text }),
              () => change({ text: "" }),
            )
        }
      />
    </label>
    {(
      [
        ["Licence", "licence"],
        ["From", "origin"],
        ["Networks of rows without one", "networks"],
      ] as const
    ).map(([name, field]) => (
      <label key={field} class="field">
        {name}
        <input
          maxLength={200}
          value={fields[field]}
          onInput={({ currentTarget: { value } }) => change({ [field]: value })}
        />
      </label>
    ))}
  </>
);

/** Imports a list after a look at what it changes. */
export const ListImport = ({ onImported }: { readonly onImported: () => void }) => {
  const [fields, setFields] = useState(EMPTY);
  const [answer, setAnswer] = useState<ToolAnswer | null>(null);
  const [is_done, setDone] = useState(false);
  const [is_busy, setBusy] = useState(false);
  const body = answer === null || answer.status === "error" ? null : answer.body;
  const change = (to: Partial<ListFields>): void => {
    setFields((before) => ({ ...before, ...to }));
    setAnswer(null);
    setDone(false);
  };
  const send = async (path: string, more: JsonObject): Promise<void> => {
    setBusy(true);
    const got = await sendRequest("POST", `/api/operator/lists/${path}`, { ...bodyOf(fields), ...more });
    setBusy(false);
    setAnswer(got);
    const is_import = path === "import" && got.status !== "error";
    setDone(is_import);
    if (is_import) onImported();
  };
  const preview = (event: Event): void => {
    event.preventDefault();
    void send("preview", {});
  };
  return (
    <Section title="Import a list">
      <p class="hint">The preview writes nothing. A list of the same name is replaced.</p>
      <form class="make" onSubmit={preview}>
        <Fields fields={fields} change={change} />
        <button type="submit" disabled={fields.text === ""}>
          Preview
        </button>
      </form>
      <Refusal answer={answer} />
      {body === null ? null : (
        <>
          <p role="status">
            {is_done
              ? `List ${words(body, "list")} is imported.`
              : `An import of ${words(body, "list")} would do this:`}
          </p>
          <Preview body={body} />
          {is_done ? null : (
            <p class="actions">
              <CallButton
                class="button-main"
                is_idle={is_busy}
                onAsk={() => void send("import", { basis: words(body, "basis") })}
              >
                {`Import ${formatNumber(numberOf(body, "accepted"))} rows`}
              </CallButton>
            </p>
          )}
        </>
      )}
    </Section>
  );
};
