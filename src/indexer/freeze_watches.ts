import type { Network } from "../chains/chain.ts";
import { familiesKey, issuerCoins } from "../labels/issuers/index.ts";
import { fromHex } from "../lib/bytes.ts";
import type { Engine } from "../store/engine.ts";
import { queryRows } from "../store/query.ts";
import type { Writer } from "../store/writer.ts";

/**
 * Records which coins are followed from now on, and which blocks were indexed without following them: a coin that joins
 * the registry later has a blind past, which a reader must not take for a clean one. Runs before anything else is
 * written.
 */
export const rememberFreezeWatches = async (
  { engine, writer }: { readonly engine: Engine; readonly writer: Writer },
  network: Network,
  now_ms: number,
): Promise<void> => {
  const ask = { network: network.id };
  const [stored, segments] = await Promise.all([
    queryRows(engine, "freeze_watches", ask),
    queryRows(engine, "segments", ask),
  ]);
  const before = new Map(stored.map((row) => [row.token, row]));
  const now = new Map(issuerCoins(network).map((coin) => [coin.address, familiesKey(coin)]));
  const blind_to = segments.reduce((last, { to_block }) => Math.max(last, to_block), 0);
  const changed = [...now].filter(([token, families]) => before.get(token)?.families !== families);
  const left = stored.filter(({ token, families }) => families !== "" && !now.has(token));
  const row = (token: string, families: string) => ({
    network: network.id,
    token: fromHex(token) ?? new Uint8Array(0),
    families,
    blind_to,
    written_at: now_ms / 1000,
  });
  await writer.insert("freeze_watches", [
    ...changed.map(([token, families]) => row(token, families)),
    ...left.map(({ token }) => row(token, "")),
  ]);
};
