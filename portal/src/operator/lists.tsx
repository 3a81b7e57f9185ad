import { Refusal, Section, Table } from "../account/parts.tsx";
import { numberColumn, numberOf, rowsOf, useAccountQuery, words } from "../account/request.ts";
import { ListImport } from "./list_import.tsx";

const DAY_H = 24;

const ageOf = (hours: number | null): string => {
  if (hours === null) return "—";
  if (hours < 1) return "under an hour";
  return hours < 2 * DAY_H ? `${hours} h` : `${Math.floor(hours / DAY_H)} days`;
};

/** Imported lists with their age. */
export const Lists = () => {
  const { answer, again } = useAccountQuery("/api/operator/lists");
  return (
    <>
      <Section title="Lists">
        <Refusal answer={answer} />
        <Table
          label="Imported lists"
          rows={answer === null ? [] : rowsOf(answer.body, "lists")}
          keyOf={(row) => words(row, "list")}
          empty={answer === null ? "Loading…" : "No list was imported."}
          columns={[
            { head: "List", cell: (row) => words(row, "list") },
            { head: "Kind", cell: (row) => words(row, "kind") },
            numberColumn("Rows", "rows"),
            {
              head: "Age",
              value: (row) => numberOf(row, "age_hours"),
              cell: (row) => ageOf(numberOf(row, "age_hours")),
            },
            { head: "Version", cell: (row) => words(row, "version").slice(0, 16) },
            { head: "Licence", cell: (row) => words(row, "licence") || "—" },
            { head: "Published", cell: (row) => words(row, "published_on") || "—" },
          ]}
        />
      </Section>
      <ListImport onImported={again} />
    </>
  );
};
