import { databasesOf, type Engine } from "../engine.ts";
import { encodeParam } from "../param.ts";
import { BLOCK_TABLES } from "../tables.gen.ts";
import { mendBalances } from "./balances.ts";
import { mendLayouts, takeBack, type VerifyOptions, type VerifyStore, verifyNetwork } from "./index.ts";

/** A part that the engine could not read at startup. Its rows are gone from the table. */
export interface LostTablePart {
  readonly table: string;
  readonly name: string;
}

/** Tables that a verification compares and mends. */
const MENDED = [...BLOCK_TABLES, "segments", "balances", "balances_by_holder"];

const LOST = `
SELECT table, name FROM system.detached_parts
WHERE database = {database:String} AND (startsWith(reason, 'broken') OR startsWith(reason, 'unexpected'))
  AND table IN (${MENDED.map((name) => `'${name}'`).join(", ")})
ORDER BY table, name`;

/** Parts of facts that were set aside as damaged, ever. */
export const readLostParts = async (engine: Engine): Promise<readonly LostTablePart[]> => {
  const databases = databasesOf(engine);
  const lost = await Promise.all(
    databases.map(async (one, at) => {
      const rows = await one.query(LOST, { params: { database: encodeParam(one.database) } });
      // Two servers may give one name.
      const on = databases.length === 1 ? "" : `${at}:`;
      return rows.map(([table, name]) => ({ table: String(table), name: `${on}${name}` }));
    }),
  );
  return lost.flat();
};

const nameOf = ({ table, name }: LostTablePart): string => `${table}/${name}`;

/** Lost parts that are not yet checked for a network. */
const readUnmended = async (engine: Engine, network: string): Promise<readonly LostTablePart[]> => {
  const lost = await readLostParts(engine);
  if (lost.length === 0) return [];
  const rows = await engine.query("SELECT part FROM parts_mended WHERE network = {network:String}", {
    params: { network: encodeParam(network) },
  });
  const mended = new Set(rows.map(([part]) => String(part)));
  return lost.filter((part) => !mended.has(nameOf(part)));
};

/** Whether `mendLostParts` would find something. */
export const hasLostParts = async (engine: Engine, network: string): Promise<boolean> =>
  (await readUnmended(engine, network)).length > 0;

/** Remaining work after damaged segments were read again. */
export interface RepairPlan {
  readonly parts: readonly LostTablePart[];
  /** Ranges to be read from the node again. */
  readonly taken_back: readonly { readonly from: number; readonly to: number }[];
  /** To be called when no segment or batch is unfinished any more. */
  finish(): Promise<void>;
}

/**
 * Looks for what damaged parts have taken with them and mends what follows from the record. Null when the engine has
 * set aside only parts that were checked before. No other process may write the network meanwhile.
 */
export const mendLostParts = async (
  store: VerifyStore,
  network: string,
  how: VerifyOptions,
): Promise<RepairPlan | null> => {
  const parts = await readUnmended(store.engine, network);
  if (parts.length === 0) return null;
  const verified = await verifyNetwork(store.engine, network, how);
  const taken_back = await takeBack(store, verified);
  await mendLayouts(store, verified);
  return {
    parts,
    taken_back,
    async finish() {
      await mendBalances(store, network);
      await noteMended(store, network, parts);
    },
  };
};

const noteMended = ({ writer }: VerifyStore, network: string, parts: readonly LostTablePart[]): Promise<void> => {
  const written_at = Date.now() / 1000;
  return writer.insert(
    "parts_mended",
    parts.map((part) => ({ network, part: nameOf(part), written_at })),
  );
};
