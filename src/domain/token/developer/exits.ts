import type { Hex } from "../../../lib/bytes.ts";
import { sumOfAll } from "../../../lib/sums.ts";
import { labelsOf } from "../../address/identity/parties.ts";
import type { SnapshotContext } from "../../context.ts";
import type { Relation } from "./linked_wallets.ts";
import { readValuer, usdOf } from "./markets.ts";

const EXITS_MAX = 5_000;
const EXCHANGES: readonly string[] = ["exchange", "exchange_deposit"];

/**
 * Value that a developer and the linked wallets sent of a token to exchanges, USD; null when a part of it had no price.
 */
export const exitsUsd = async (
  scope: SnapshotContext,
  token: Hex,
  linked: ReadonlyMap<Hex, Relation> | undefined,
): Promise<number | null> => {
  const { facts, snapshot } = scope;
  const wallets = [...(linked?.keys() ?? [])].sort();
  const rows = await facts.ask(snapshot, "developer/sent_on", { token, wallets, limit: EXITS_MAX });
  const labels = await labelsOf(
    facts,
    snapshot,
    rows.map(({ receiver }) => receiver),
  );
  const exits = rows.filter(({ receiver }) => labels.get(receiver)?.tags?.some((tag) => EXCHANGES.includes(tag)));
  const valuer = await readValuer(
    scope,
    [token],
    exits.map(({ hour }) => ({ token, time: hour })),
  );
  return sumOfAll(exits.map(({ hour, amount }) => usdOf(valuer, token, { amount, time: hour })));
};
