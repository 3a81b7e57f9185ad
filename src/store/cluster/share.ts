import { AssayError } from "../../lib/errors.ts";
import type { Engine } from "../engine.ts";
import { encodeParam } from "../param.ts";

/** A server's share of the rows of a sharded table. */
export interface ShardShare {
  readonly shard: number;
  /** Weights of all shards. */
  readonly weights: readonly number[];
}

const MAKE = `CREATE TABLE IF NOT EXISTS share (shard UInt32, weights String) ENGINE = ReplacingMergeTree ORDER BY (shard, weights)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`;

/**
 * Records a new server's share of the rows. Queries read a row from the shard that the hash of its key selects: with another
 * number, weights or order of the shards they would miss existing rows.
 */
export const storeShare = async (server: Engine, { shard, weights }: ShardShare): Promise<void> => {
  const said = { shard: encodeParam(shard), weights: encodeParam(String(weights)) };
  await server.command(MAKE);
  await server.command(
    "INSERT INTO share (shard, weights) SELECT {shard:UInt32}, {weights:String} WHERE (SELECT count() FROM share) = 0",
    { params: said },
  );
  const [kept] = await server.query("SELECT DISTINCT shard, weights FROM share ORDER BY shard, weights");
  if (Number(kept?.[0]) === shard && String(kept?.[1]) === String(weights)) return;
  throw new AssayError({
    code: "FACTS_VERSION",
    message: `the facts were shared out otherwise: this server was shard ${kept?.[0]} of shards of weights ${kept?.[1]}, and is ${shard} of ${weights} now; index again into a new database`,
  });
};
