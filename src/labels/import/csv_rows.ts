import { ListFault } from "./parsed_list.ts";
import { noteLine } from "./row_lines.ts";

const CELL_CHARACTERS_MAX = 65_536;
const CELLS_MAX = 1_000;

/** Cells of CSV text by row (RFC 4180: quoted cells may contain commas, line ends and doubled quotes). */
const cellsOf = function* (text: string): Generator<{ readonly cells: readonly string[]; readonly line: number }> {
  let [line, next] = [1, 1];
  let row: string[] = [];
  let cell = "";
  let is_quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (cell.length > CELL_CHARACTERS_MAX) throw new ListFault("a cell of the file is longer than 64 KiB");
    if (is_quoted) {
      if (character === "\n") next += 1;
      if (character !== '"') cell += character;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else is_quoted = false;
    } else if (character === '"' && cell === "") is_quoted = true;
    else if (character === ",") {
      row.push(cell);
      cell = "";
      if (row.length > CELLS_MAX) throw new ListFault(`a row of the file has more than ${CELLS_MAX} cells`);
    } else if (character === "\n") {
      row.push(cell.endsWith("\r") ? cell.slice(0, -1) : cell);
      next += 1;
      yield { cells: row, line };
      line = next;
      row = [];
      cell = "";
    } else cell += character;
  }
  if (is_quoted) throw new ListFault("a quoted cell of the file has no closing quote");
  if (cell !== "" || row.length > 0) yield { cells: [...row, cell], line };
};

/** Rows of a CSV file by the names of its header line. Skips empty lines. first_line: of the text in its file. */
export const csvRows = function* (text: string, first_line = 1): Generator<Readonly<Record<string, string>>> {
  let names: readonly string[] | null = null;
  for (const { cells, line } of cellsOf(text.replace(/^\uFEFF/, ""))) {
    if (cells.every((cell) => cell.trim() === "")) continue;
    if (names === null) names = cells.map((name) => name.trim().toLowerCase());
    else {
      const row = Object.fromEntries(names.map((name, column) => [name, (cells[column] ?? "").trim()]));
      noteLine(row, first_line + line - 1);
      yield row;
    }
  }
  if (names === null) throw new ListFault("the file is empty");
};
