import { useState } from "preact/hooks";
import type { CaseCell, CaseTable } from "../../../src/case/tables.ts";
import { ExportButtons } from "../export/export_buttons.tsx";
import { printing } from "../print.ts";
import { useStore } from "../store.ts";
import { Strange } from "../ui/strange.tsx";

export interface GraphTableProps {
  readonly table: CaseTable;
  readonly caption: string;
  /** For each row, in table order, the event sent when it is selected. */
  readonly ids: readonly string[];
  readonly selected: string | null;
  readonly onChoose: (id: string) => void;
  /** Columns that are shown; the exports have all. */
  readonly columns: readonly string[];
}

const ROWS_SHOWN = 100;

const compare = (a: CaseCell, b: CaseCell): number => {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1; // unknown values come last in either order
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
};

const formatCell = (cell: CaseCell): string => {
  if (cell === null) return "–";
  if (typeof cell === "number") return cell.toLocaleString("en-US", { maximumFractionDigits: 2 });
  return cell === true ? "yes" : cell === false ? "no" : cell;
};

interface Sorting {
  readonly column: string;
  readonly is_up: boolean;
}

/** Rows by a column: `ids` go with them. */
const sorted = ({ table, ids }: GraphTableProps, { column, is_up }: Sorting) => {
  const at = table.columns.indexOf(column);
  const rows = table.rows.map((row, i) => ({ row, id: ids[i] ?? "" }));
  if (at < 0) return rows;
  const known = (cell: CaseCell | undefined): boolean => (cell ?? null) !== null;
  return rows.sort(({ row: a }, { row: b }) => {
    const order = compare(a[at] ?? null, b[at] ?? null);
    return known(a[at]) && known(b[at]) && !is_up ? -order : order;
  });
};

const Head = ({
  columns,
  sorting,
  onSort,
}: {
  columns: readonly string[];
  sorting: Sorting;
  onSort: (s: Sorting) => void;
}) => (
  <thead>
    <tr>
      {columns.map((column) => {
        const is_own = sorting.column === column;
        const order = is_own ? (sorting.is_up ? "ascending" : "descending") : undefined;
        return (
          <th key={column} scope="col" aria-sort={order}>
            <button type="button" onClick={() => onSort({ column, is_up: is_own ? !sorting.is_up : false })}>
              {column.replaceAll("_", " ")} <span aria-hidden="true">{is_own ? (sorting.is_up ? "▲" : "▼") : ""}</span>
            </button>
          </th>
        );
      })}
    </tr>
  </thead>
);

/** The graph for keyboard and screen reader: the first cell of a row chooses what the canvas would by a click. */
export const GraphTable = (props: GraphTableProps) => {
  const { table, caption, columns, selected, onChoose } = props;
  const [sorting, setSorting] = useState<Sorting>({ column: "", is_up: false });
  const [most, setMost] = useState(ROWS_SHOWN);
  const is_printed = useStore(printing);
  const rows = sorted(props, sorting);
  const at = columns.map((column) => table.columns.indexOf(column));
  return (
    <div class="graph-table">
      <ExportButtons table={table} name="graph" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <section class="scroll" tabIndex={0} aria-label={caption}>
        <table>
          <caption>
            {caption}: {rows.length.toLocaleString("en-US")}
          </caption>
          <Head columns={columns} sorting={sorting} onSort={setSorting} />
          <tbody>
            {rows.slice(0, is_printed ? rows.length : most).map(({ row, id }) => (
              <tr key={id} class={id === selected ? "chosen" : ""}>
                {at.map((index, i) => {
                  const cell = row[index] ?? null;
                  const content = <Strange text={formatCell(cell)} width={80} is_marked={false} />;
                  return (
                    <td key={columns[i]} class={typeof cell === "number" ? "number" : ""}>
                      {i === 0 ? (
                        <button
                          type="button"
                          class="choose"
                          onClick={() => onChoose(id)}
                          aria-pressed={id === selected}
                        >
                          {content}
                        </button>
                      ) : (
                        content
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > most ? (
        <button type="button" onClick={() => setMost(most + 500)}>
          Show more rows
        </button>
      ) : null}
    </div>
  );
};
