/** A table as Parquet. The writer comes with the first export. */
import type { CaseCell, CaseTable } from "../../../src/case/tables.ts";

type ParquetColumn =
  | { readonly type: "BOOLEAN"; readonly data: (boolean | null)[] }
  | { readonly type: "INT64"; readonly data: (bigint | null)[] }
  | { readonly type: "DOUBLE"; readonly data: (number | null)[] }
  | { readonly type: "STRING"; readonly data: (string | null)[] };

/**
 * The narrowest type that holds every cell exactly: BOOLEAN, INT64 for whole numbers, DOUBLE for numbers (JSON has no others),
 * else STRING, so that raw amounts of 256 bits stay what they are. A column without any value is STRING.
 */
const columnOf = (cells: readonly CaseCell[]): ParquetColumn => {
  const told = cells.filter((cell) => cell !== null);
  const are = (type: string): boolean => told.length > 0 && told.every((cell) => typeof cell === type);
  if (are("boolean")) return { type: "BOOLEAN", data: cells.map((cell) => (cell === null ? null : cell === true)) };
  if (!are("number")) return { type: "STRING", data: cells.map((cell) => (cell === null ? null : String(cell))) };
  if (told.every((cell) => Number.isSafeInteger(cell)))
    return { type: "INT64", data: cells.map((cell) => (cell === null ? null : BigInt(cell))) };
  return { type: "DOUBLE", data: cells.map((cell) => (cell === null ? null : Number(cell))) };
};

/** @returns the bytes of the file. */
export const parquetBytes = async ({ columns, rows }: CaseTable): Promise<ArrayBuffer> => {
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  return parquetWriteBuffer({
    columnData: columns.map((name, i) => ({ name, nullable: true, ...columnOf(rows.map((row) => row[i] ?? null)) })),
  });
};
