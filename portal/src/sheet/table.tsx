import { useState } from "preact/hooks";
import type { JsonObject } from "../api/answer.ts";
import { printing } from "../print.ts";
import { useStore } from "../store.ts";
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

/** A table of more columns takes the whole width of its block. */
const NARROW_COLUMNS_MAX = 4;

type ColumnOrder = { readonly column: SheetColumn; readonly falls: boolean } | null;

const compared = (a: unknown, b: unknown): number => {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : left > right ? 1 : 0;
};

/** Unknown values sort last in both directions. */
const ordered = (rows: readonly JsonObject[], order: ColumnOrder): readonly JsonObject[] => {
  if (order === null) return rows;
  const { column, falls } = order;
  return rows.toSorted((a, b) => {
    const [left, right] = [at(a, column.path), at(b, column.path)];
    if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
    return falls ? compared(right, left) : compared(left, right);
  });
};

interface HeadProps {
  readonly column: SheetColumn;
  readonly kind: DisplayKind;
  readonly order: ColumnOrder;
  readonly onOrder: (order: ColumnOrder) => void;
}

const Head = ({ column, kind, order, onOrder }: HeadProps) => {
  const is_by = order?.column.path === column.path && order.column.title === column.title;
  const next = is_by ? (order.falls ? { column, falls: false } : null) : { column, falls: true };
  return (
    <th
      scope="col"
      class={isNumeric(kind) ? "num" : undefined}
      aria-sort={is_by ? (order.falls ? "descending" : "ascending") : undefined}
    >
      <button type="button" class="sort" onClick={() => onOrder(next)}>
        {column.title}
        <span aria-hidden="true">{is_by ? (order.falls ? " ▾" : " ▴") : ""}</span>
      </button>
    </th>
  );
};

/** Rows of a list, truncated until the user expands it. */
export const Table = ({ table, reading }: { readonly table: SheetTable; readonly reading: TableContext }) => {
  const [is_whole, setWhole] = useState(false);
  const [order, setOrder] = useState<ColumnOrder>(null);
  const is_printed = useStore(printing);
  if (table.is_record) return <RecordTable table={table} reading={reading} />;
  const columns = table.columns.map((column) => ({ column, kind: kindIn(column, table.rows) }));
  const is_wide = columns.length > NARROW_COLUMNS_MAX || columns.some(({ kind }) => kind === "evidence");
  const rows = ordered(table.rows, order);
  const shown = is_whole || is_printed ? rows : rows.slice(0, ROWS_FIRST);
  return (
    <div class={is_wide || is_whole ? "table table-wide" : "table"}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by keyboard. */}
      <section class="wide" tabIndex={0}>
        <table>
          <caption>{`${table.title} (${table.rows.length})`}</caption>
          <thead>
            <tr>
              {columns.map(({ column, kind }) => (
                <Head key={column.title + column.path} column={column} kind={kind} order={order} onOrder={setOrder} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, number) => (
              <tr key={number}>
                {columns.map(({ column, kind }) => (
                  <td key={column.title + column.path} class={isNumeric(kind) ? "num" : undefined}>
                    <Cell row={row} column={column} kind={kind} table={table.path} reading={reading} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > ROWS_FIRST ? (
        <button type="button" class="more" onClick={() => setWhole(!is_whole)}>
          {is_whole ? "Show fewer rows" : `Show all ${rows.length} rows`}
        </button>
      ) : null}
    </div>
  );
};
