import { AssayError } from "../lib/errors.ts";
import type { Engine } from "./engine.ts";
import { encodeParam } from "./param.ts";
import { TABLES, type TableRows } from "./tables.gen.ts";
import type { Writer } from "./writer.ts";

const OF_OTHER_BOUNDS = `network = {network:String} AND from_block <= {to:UInt64} AND to_block >= {from:UInt64}
  AND NOT (from_block = {from:UInt64} AND to_block = {to:UInt64})`;
const NO_OVERLAP = `(SELECT count() FROM segments WHERE ${OF_OTHER_BOUNDS}) = 0`;
const OVERLAPPING = `SELECT from_block, to_block, toString(state) FROM segments WHERE ${OF_OTHER_BOUNDS}
ORDER BY state DESC, from_block, to_block LIMIT 1`;
const OWN = `SELECT count() FROM segments
WHERE network = {network:String} AND from_block = {from:UInt64} AND to_block = {to:UInt64} AND state = 'begun'`;

const overlaps = (what: string, other: string): AssayError =>
  new AssayError({
    code: "SEGMENT_OVERLAPS",
    message: `${what} cannot be written: the store holds ${other}, which overlaps them. 'assay facts verify' compares the whole network.`,
    retryable: true,
  });

/**
 * Marks a segment as begun, unless the store has one of other bounds that shares blocks with it. The store decides, not this
 * process's memory: the insert itself carries the condition, and a read afterwards checks that the row exists.
 * @throws AssayError SEGMENT_OVERLAPS naming both
 */
export const beginSegment = async (engine: Engine, writer: Writer, row: TableRows["segments"]): Promise<void> => {
  const [from, to] = [Number(row.from_block), Number(row.to_block)];
  const network = row.network.toString();
  const params = { network: encodeParam(network), from: encodeParam(from), to: encodeParam(to) };
  const columns = TABLES.segments.map(([name]) => name);
  await engine.insert({ table: "segments", columns }, writer.encode("segments", [row]), {
    params,
    only_if: NO_OVERLAP,
  });
  const what = `${network}: blocks ${from} to ${to}`;
  const [other] = await engine.query(OVERLAPPING, { params });
  if (other !== undefined) throw overlaps(what, `blocks ${other[0]} to ${other[1]} (${other[2]})`);
  const [own] = await engine.query(OWN, { params });
  if (Number(own?.[0] ?? 0) === 0) throw overlaps(what, "a segment that is gone by now");
};
