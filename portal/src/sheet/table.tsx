import type { JsonObject } from "../api/answer.ts";
import { DataTable } from "../table/data_table.tsx";
import { plainValue } from "../table/plain_value.ts";
import type { SheetColumn, SheetTable } from "./columns.ts";
import { kindIn } from "./columns.ts";
import { type DisplayKind, isNoneWhenNull, isNumeric } from "./kinds.ts";
import { at, type MissingField, missingOf, reasonFor } from "./read.ts";
import { Value } from "./value.tsx";

/** Formatters of a table's values. */
export interface TableContext {
  /** The network of the whole answer; null where it holds several. */
  readonly network: string | null;
  readonly missing: readonly MissingField[];
}

/** The network that a row names itself, else the answer's. */
const networkOf = (row: JsonObject, { network }: TableContext): string | null => {
  const own = row.chain ?? row.network;
  return typeof own === "string" && own !== "evm" && own !== "all" ? own : network;
};

const exactOf = (row: JsonObject, path: string): string | null => {
  const raw = at(row, `${path}_raw`);
  return typeof raw === "string" ? raw : null;
};

interface CellProps {
  readonly row: JsonObject;
  readonly column: SheetColumn;
  readonly kind: DisplayKind;
  readonly table: string;
  readonly reading: TableContext;
}

const Cell = ({ row, column, kind, table, reading }: CellProps) => {
  const value = at(row, column.path);
  // A row with a key of its own is a field of the answer: `security_flags.is_mintable`.
  const own = typeof row.key === "string" ? `.${row.key}` : "";
  const path =
    table === "" ? column.path : own !== "" && column.path === "value" ? table + own : `${table}${own}.${column.path}`;
  const reason = value === null ? reasonFor(path, [missingOf(row), reading.missing]) : null;
  return (
    <Value
      kind={kind}
      value={value}
      network={networkOf(row, reading)}
      reason={reason}
      exact={exactOf(row, column.path)}
      is_optional={isNoneWhenNull(column.path)}
    />
  );
};

/** One object as names and values. */
const RecordTable = ({ table, reading }: { readonly table: SheetTable; readonly reading: TableContext }) => (
  <dl class="record">
    {table.columns.map((column) => (
      <div key={column.title}>
        <dt>{column.title}</dt>
        <dd>
          <Cell
            row={table.rows[0] ?? {}}
            column={column}
            kind={kindIn(column, table.rows)}
            table=""
            reading={reading}
          />
        </dd>
      </div>
    ))}
  </dl>
);

const ROWS_FIRST = 12;

/** Rows of a list, truncated until the user expands it. */
export const Table = ({ table, reading }: { readonly table: SheetTable; readonly reading: TableContext }) =>
  table.is_record ? (
    <RecordTable table={table} reading={reading} />
  ) : (
    <DataTable
      look="sheet"
      label={table.title}
      rows={table.rows}
      rows_first={ROWS_FIRST}
      is_wide={table.columns.some((column) => kindIn(column, table.rows) === "evidence")}
      keyOf={(_row, at) => String(at)}
      columns={table.columns.map((column) => {
        const kind = kindIn(column, table.rows);
        return {
          head: column.title,
          is_number: isNumeric(kind),
          value: (row: JsonObject) => plainValue(at(row, column.path)),
          cell: (row: JsonObject) => (
            <Cell row={row} column={column} kind={kind} table={table.path} reading={reading} />
          ),
        };
      })}
    />
  );
