/** Movements over a bridge whose other address no label names: of a relayer, or minted and burnt. */
import { type Hex, hex } from "../../../../lib/bytes.ts";
import { statesIds } from "../../../../protocols/bridge_ids.ts";
import type { SnapshotContext } from "../../../context.ts";
import type { TransactionPosition } from "../../../transaction_hashes.ts";
import type { RiskScope } from "../address_risks.ts";
import { LIMITS } from "../model.ts";
import { type AssetMovement, isTrade, type ValueEvent } from "../value_events.ts";
import { type ProofQuestion, provenSide } from "./proof.ts";

/** Movements to check, the largest first. */
const CHECKED_MAX = 50;

/** The contract of the bridge that the transaction of a movement called, and whether value came over it. */
export interface CalledBridge {
  readonly is_arrival: boolean;
  readonly bridge: Hex;
}

export type CalledBridges = ReadonlyMap<ValueEvent, CalledBridge>;

export interface CalledQuestion {
  readonly sight: RiskScope;
  readonly events: readonly ValueEvent[];
  readonly actors: ReadonlySet<Hex>;
  /** Neither a source of risk nor a service, a bridge among them. */
  readonly isUnnamed: (address: Hex) => boolean;
}

const keyOf = ({ block_number, tx_index }: TransactionPosition): string => `${block_number}:${tx_index}`;

/** Movements between an actor and an unnamed address, the largest first. */
const unnamedOf = ({ events, actors, isUnnamed }: CalledQuestion): readonly AssetMovement[] =>
  events
    .filter((event): event is AssetMovement => !isTrade(event))
    .filter(
      ({ source, destination, usd, amount, asset }) =>
        amount > 0 &&
        !asset.includes(":") &&
        (usd ?? 0) >= LIMITS.follow_usd &&
        ((actors.has(destination) && isUnnamed(source)) || (actors.has(source) && isUnnamed(destination))),
    )
    .sort((a, b) => (b.usd ?? 0) - (a.usd ?? 0))
    .slice(0, CHECKED_MAX);

/** The contracts that the transactions of movements called, where a bridge that states ids has them. */
const calledIn = async (
  { facts, snapshot, chain }: SnapshotContext,
  moves: readonly AssetMovement[],
): Promise<ReadonlyMap<string, Hex>> => {
  if (moves.length === 0) return new Map();
  const details = await facts.ask(snapshot, "transaction_details", {
    blocks: moves.map(({ tx }) => tx.block_number),
    indexes: moves.map(({ tx }) => tx.tx_index),
  });
  return new Map(
    details.flatMap((row) => (statesIds(chain.network, row.recipient) ? [[keyOf(row), row.recipient] as const] : [])),
  );
};

/**
 * Those movements whose other side an id proves. Any account can fill a deposit that was never made, so without a proof the
 * unnamed address itself paid or received.
 */
export const readCalledBridges = async (question: CalledQuestion, proof: ProofQuestion): Promise<CalledBridges> => {
  const { actors, isUnnamed, sight } = question;
  const { scope } = sight;
  const found = new Map<ValueEvent, CalledBridge>();
  const unnamed = scope.chain.can.contract_logs ? unnamedOf(question) : [];
  const called = await calledIn(scope, unnamed);
  for (const event of unnamed.filter(({ tx }) => called.has(keyOf(tx))).slice(0, LIMITS.bridge_legs)) {
    const { source, destination, asset, amount, tx, time } = event;
    const bridge = called.get(keyOf(tx)) ?? "";
    for (const is_arrival of [true, false]) {
      const holder = is_arrival ? destination : source;
      if (found.has(event) || !actors.has(holder) || !isUnnamed(is_arrival ? source : destination)) continue;
      const side = { scope, is_arrival, holder, bridge, bucket: asset, token: hex(asset), amount, time, ...tx };
      const proven = await provenSide(side, (await proof.statements.about(side)) ?? [], proof);
      if (proven !== null) found.set(event, { is_arrival, bridge });
    }
  }
  return found;
};
