import type { ResultCell } from "./engine.ts";

/**
 * Cells of JSONCompactEachRow as values of TypeScript. Integers up to 64 bits are numbers (block numbers, counts, times
 * in unix seconds; one beyond 2^53 throws), larger ones bigint.
 */
export type Decode = (cell: ResultCell) => unknown;

const isText = (cell: ResultCell): boolean => typeof cell === "string" || typeof cell === "number";

const toInteger: Decode = (cell) => {
  const number = Number(cell);
  if (!isText(cell) || !Number.isSafeInteger(number)) throw new RangeError(`${String(cell)} is no safe integer`);
  return number;
};

const toBig: Decode = (cell) => {
  if (typeof cell !== "string") throw new RangeError(`${String(cell)} is no quoted integer`);
  return BigInt(cell);
};

const toFloat: Decode = (cell) => {
  if (!isText(cell)) throw new RangeError(`${String(cell)} is no number (infinite, or nothing to average?)`);
  return Number(cell);
};

const same: Decode = (cell) => cell;

/** Splits at commas outside brackets and quotes. */
const splitTypes = (list: string): readonly string[] => {
  const parts = list.match(/(?:'[^']*'|\((?:'[^']*'|\((?:'[^']*'|\([^()]*\)|[^()'])*\)|[^()'])*\)|[^,()'])+/g) ?? [];
  return parts.map((part) => part.trim());
};

/** Inner types of `Name(a, b)`; null when `type` is not a `Name`. Names of tuple elements are dropped. */
const innerTypes = (type: string, name: string): readonly string[] | null =>
  type.startsWith(`${name}(`)
    ? splitTypes(type.slice(name.length + 1, -1)).map((part) =>
        name === "Tuple" ? part.replace(/^\w+ (?=\w)/, "") : part,
      )
    : null;

const listDecoder = (item: Decode): Decode => {
  return (cell) => {
    if (!Array.isArray(cell)) throw new RangeError(`${String(cell)} is no array`);
    return cell.map(item);
  };
};

const tupleDecoder = (items: readonly Decode[]): Decode => {
  return (cell) => {
    if (!Array.isArray(cell)) throw new RangeError(`${String(cell)} is no tuple`);
    return items.map((item, index) => item(cell[index] ?? null));
  };
};

/** The decoder of a result column of ClickHouse type `type`. */
export const decoderFor = (type: string): Decode => {
  const [nullable] = innerTypes(type, "Nullable") ?? [];
  if (nullable !== undefined) {
    const inner = decoderFor(nullable);
    return (cell) => (cell === null ? null : inner(cell));
  }
  const [low] = innerTypes(type, "LowCardinality") ?? [];
  if (low !== undefined) return decoderFor(low);
  const aggregate = innerTypes(type, "SimpleAggregateFunction")?.[1];
  if (aggregate !== undefined) return decoderFor(aggregate);
  const [item] = innerTypes(type, "Array") ?? [];
  if (item !== undefined) return listDecoder(decoderFor(item));
  const items = innerTypes(type, "Tuple");
  if (items !== null) return tupleDecoder(items.map(decoderFor));
  if (/^U?Int(8|16|32|64)$/.test(type) || /^DateTime(\(|$)/.test(type)) return toInteger;
  if (/^U?Int(128|256)$/.test(type)) return toBig;
  if (/^(Float|DateTime64)/.test(type)) return toFloat;
  if (type === "String" || type.startsWith("Enum") || /^Date(32)?$/.test(type) || type.startsWith("FixedString"))
    return same;
  if (type === "Bool") return same;
  throw new TypeError(`no decoder for ${type}`);
};

/** How TypeScript says it. */
export const typeOfColumn = (type: string): string => {
  const [nullable] = innerTypes(type, "Nullable") ?? [];
  if (nullable !== undefined) return `${typeOfColumn(nullable)} | null`;
  const [low] = innerTypes(type, "LowCardinality") ?? [];
  if (low !== undefined) return typeOfColumn(low);
  const aggregate = innerTypes(type, "SimpleAggregateFunction")?.[1];
  if (aggregate !== undefined) return typeOfColumn(aggregate);
  const [item] = innerTypes(type, "Array") ?? [];
  if (item !== undefined) return `readonly (${typeOfColumn(item)})[]`;
  const items = innerTypes(type, "Tuple");
  if (items !== null) return `readonly [${items.map(typeOfColumn).join(", ")}]`;
  if (/^U?Int(128|256)$/.test(type)) return "bigint";
  if (/^(U?Int|Float|DateTime)/.test(type)) return "number";
  if (type === "Bool") return "boolean";
  if (type.startsWith("Enum")) return [...type.matchAll(/'([^']*)' = /g)].map(([, name]) => `"${name}"`).join(" | ");
  return "string";
};
