import { useState } from "preact/hooks";
import type { CaseTable } from "../../../src/case/tables.ts";
import { csvText } from "./csv.ts";
import { download } from "./download.ts";

export interface ExportProps {
  readonly table: CaseTable;
  /** Begins the name of the file. */
  readonly name: string;
}

/** A table to take away. */
export const ExportButtons = ({ table, name }: ExportProps) => {
  const [fault, setFault] = useState<string | null>(null);
  const file = `${name}-${table.name}`;
  const asParquet = async (): Promise<void> => {
    try {
      const { parquetBytes } = await import("./parquet.ts");
      download(`${file}.parquet`, await parquetBytes(table), "application/vnd.apache.parquet");
      setFault(null);
    } catch (error) {
      setFault(`It could not be written: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <span class="exports">
      <button
        type="button"
        aria-label={`${table.name} as CSV`}
        onClick={() => download(`${file}.csv`, csvText(table), "text/csv;charset=utf-8")}
      >
        CSV
      </button>
      <button type="button" aria-label={`${table.name} as Parquet`} onClick={() => void asParquet()}>
        Parquet
      </button>
      {fault === null ? null : <span role="alert">{fault}</span>}
    </span>
  );
};
