import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { csvText } from "../export/csv.ts";
import { download } from "../export/download.ts";
import { printing } from "../print.ts";
import { useStore } from "../store.ts";
import { filteredRows, orderedRows, type RowOrder, type RowValue, tableFile, type ValuedColumn } from "./rows.ts";

export interface DataColumn<T> {
  readonly head: string;
  readonly cell: (row: T) => ComponentChildren;
  readonly is_number?: boolean;
  /** The exact value; left out: the cell, where it is text. A column without values can be neither sorted nor filtered. */
  readonly value?: (row: T) => RowValue;
}

interface DataTableProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly DataColumn<T>[];
  readonly keyOf: (row: T, at: number) => string;
  /** `sheet`: with a caption, inside an answer; `list`: a region of its own. */
  readonly look: "list" | "sheet";
  /** Rows before the reader asks for all; left out: all. */
  readonly rows_first?: number;
  /** Whether it takes the whole width of an answer; left out: by its number of columns. */
  readonly is_wide?: boolean;
}

/** From this many rows on, a table has a filter, a choice of columns and a file. */
const LARGE_ROWS = 8;

const isPlain = (cell: ComponentChildren): cell is string | number => ["string", "number"].includes(typeof cell);

/** The values of a column; null where it has none, such as a column of buttons. */
const valued = <T,>({ head, cell, value }: DataColumn<T>, rows: readonly T[]): ValuedColumn<T> | null => {
  if (value !== undefined) return { head, value };
  if (!rows.some((row) => isPlain(cell(row)))) return null;
  return {
    head,
    value: (row) => {
      const shown = cell(row);
      return isPlain(shown) ? shown : null;
    },
  };
};

interface HeadProps {
  readonly head: string;
  readonly is_number: boolean;
  readonly order: RowOrder;
  /** Null: it cannot be sorted. */
  readonly onOrder: ((order: RowOrder) => void) | null;
}

const Head = ({ head, is_number, order, onOrder }: HeadProps) => {
  const is_by = order?.head === head;
  const next = is_by ? (order.falls ? { head, falls: false } : null) : { head, falls: true };
  return (
    <th
      scope="col"
      class={is_number ? "num" : undefined}
      aria-sort={is_by ? (order.falls ? "descending" : "ascending") : undefined}
    >
      {onOrder === null ? (
        head
      ) : (
        <button type="button" class="sort" onClick={() => onOrder(next)}>
          {head}
          <span aria-hidden="true">{is_by ? (order.falls ? " ▾" : " ▴") : ""}</span>
        </button>
      )}
    </th>
  );
};

interface ToolsProps {
  readonly label: string;
  readonly heads: readonly string[];
  readonly hidden: readonly string[];
  readonly filter: string;
  /** Says how many rows the filter leaves; '' without one. */
  readonly found: string;
  readonly onFilter: (filter: string) => void;
  readonly onHide: (hidden: readonly string[]) => void;
  readonly onFile: () => void;
}

/** Filter, choice of columns and file of a large table. */
const Tools = ({ label, heads, hidden, filter, found, onFilter, onHide, onFile }: ToolsProps) => {
  const [is_open, setOpen] = useState(false);
  const id = useId();
  return (
    <div class="table-tools">
      <input
        type="search"
        aria-label={`Filter ${label}`}
        placeholder="Filter rows"
        value={filter}
        onInput={({ currentTarget: { value } }) => onFilter(value)}
      />
      <button
        type="button"
        aria-label={`Columns of ${label}`}
        aria-expanded={is_open}
        aria-controls={id}
        onClick={() => setOpen(!is_open)}
      >
        Columns
      </button>
      <button type="button" aria-label={`${label} as CSV`} onClick={onFile}>
        CSV
      </button>
      <span role="status">{found}</span>
      <fieldset id={id} hidden={!is_open}>
        <legend class="unseen">{`Columns of ${label}`}</legend>
        {heads.map((head) => (
          <label key={head}>
            <input
              type="checkbox"
              checked={!hidden.includes(head)}
              disabled={!hidden.includes(head) && hidden.length + 1 === heads.length}
              onChange={() => onHide(hidden.includes(head) ? hidden.filter((one) => one !== head) : [...hidden, head])}
            />{" "}
            {head}
          </label>
        ))}
      </fieldset>
    </div>
  );
};

/** The choices of the reader, with the rows and columns that follow from them. */
const useArranged = <T,>(rows: readonly T[], columns: readonly DataColumn<T>[]) => {
  const [order, setOrder] = useState<RowOrder>(null);
  const [filter, setFilter] = useState("");
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const all = columns.flatMap((column) => valued(column, rows) ?? []);
  const found = filteredRows(rows, all, filter);
  return {
    ...{ order, setOrder, filter, setFilter, hidden, setHidden },
    rows: orderedRows(found, all, order),
    columns: columns.filter(({ head }) => !hidden.includes(head)),
    /** Of the shown columns. */
    values: all.filter(({ head }) => !hidden.includes(head)),
  };
};

const Body = <T,>({ rows, columns, keyOf }: Pick<DataTableProps<T>, "rows" | "columns" | "keyOf">) => (
  <tbody>
    {rows.map((row, at) => (
      <tr key={keyOf(row, at)}>
        {columns.map(({ head, cell, is_number }) => (
          <td key={head} class={is_number === true ? "num" : undefined}>
            {cell(row)}
          </td>
        ))}
      </tr>
    ))}
    {rows.length === 0 ? (
      <tr>
        <td class="quiet" colSpan={Math.max(1, columns.length)}>
          No row has these words.
        </td>
      </tr>
    ) : null}
  </tbody>
);

/** Wide tables of an answer take its whole width. */
const NARROW_COLUMNS_MAX = 4;

/** Rows that a reader sorts, filters and takes away; a narrow window scrolls them sideways, by keyboard too. */
export const DataTable = <T,>({ label, rows, columns, keyOf, look, rows_first, ...rest }: DataTableProps<T>) => {
  const arranged = useArranged(rows, columns);
  const [is_whole, setWhole] = useState(false);
  const is_printed = useStore(printing);
  const first = rows_first === undefined || is_whole || is_printed ? arranged.rows.length : rows_first;
  const shown = arranged.rows.slice(0, first);
  const can_sort = new Set(rows.length > 1 ? arranged.values.map(({ head }) => head) : []);
  const is_wide = rest.is_wide === true || columns.length > NARROW_COLUMNS_MAX || is_whole;
  const is_filtered = arranged.rows.length < rows.length;
  return (
    <div class={is_wide ? "table table-wide" : "table"}>
      {rows.length < LARGE_ROWS ? null : (
        <Tools
          label={label}
          heads={columns.map(({ head }) => head)}
          hidden={arranged.hidden}
          filter={arranged.filter}
          found={is_filtered ? `${arranged.rows.length} of ${rows.length} rows` : ""}
          onFilter={arranged.setFilter}
          onHide={arranged.setHidden}
          onFile={() =>
            download(
              `${label}.csv`,
              csvText(tableFile(label, arranged.rows, arranged.values)),
              "text/csv;charset=utf-8",
            )
          }
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by keyboard. */}
      <section tabIndex={0} {...(look === "list" ? { class: "scroll", "aria-label": label } : { class: "wide" })}>
        <table>
          {look === "list" ? null : <caption>{`${label} (${rows.length})`}</caption>}
          <thead>
            <tr>
              {arranged.columns.map(({ head, is_number = false }) => (
                <Head
                  key={head}
                  {...{ head, is_number, order: arranged.order }}
                  onOrder={can_sort.has(head) ? arranged.setOrder : null}
                />
              ))}
            </tr>
          </thead>
          <Body rows={shown} columns={arranged.columns} keyOf={keyOf} />
        </table>
      </section>
      {rows_first === undefined || arranged.rows.length <= rows_first ? null : (
        <button type="button" class="more" onClick={() => setWhole(!is_whole)}>
          {is_whole ? "Show fewer rows" : `Show all ${arranged.rows.length} rows`}
        </button>
      )}
    </div>
  );
};
