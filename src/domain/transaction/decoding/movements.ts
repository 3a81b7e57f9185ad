import type { EventLog, InternalCall, LoglessTransfer, Network, Transaction } from "../../../chains/chain.ts";
import { type Bytes, EMPTY, type Hex, toHex } from "../../../lib/bytes.ts";
import { decodeLog } from "../../../protocols/index.ts";
import type { Fact, TransferFact } from "../../../protocols/protocol.ts";
import { settleMove } from "../../../protocols/token_kinds.ts";
import { burnOf, mintsAndBurns, twinKey } from "../../../protocols/twins.ts";

/** A transfer in one transaction. `''` as source or destination is the void. */
export interface TransactionMovement {
  readonly kind: "native" | "internal" | "trc20" | TransferFact["kind"] | LoglessTransfer["kind"];
  /** `''` is the native coin. */
  readonly token: Hex;
  /** Id of a collectible; null for divisible tokens. */
  readonly token_id: bigint | null;
  readonly source: Hex;
  readonly destination: Hex;
  /** Base units. */
  readonly amount: bigint;
  /** Null for movements without a log. */
  readonly log_index: number | null;
  /** The log indexes nothing. */
  readonly is_bare?: true;
}

/** A change of one holding. */
export interface NetChange {
  readonly address: Hex;
  readonly token: Hex;
  readonly token_id: bigint | null;
  /** Positive for gains. Never 0. */
  readonly amount: bigint;
}

/** The network's definitions of its own coin and tokens. */
type CoinNames = Pick<Network, "wrapped_native" | "token_kind">;

/**
 * All movements in order: value, inner calls, logs, and those that the chain reports without them. Empty for a failed
 * transaction; fee and tip are not movements.
 */
export const movementsOf = (transaction: Transaction, network: CoinNames): readonly TransactionMovement[] => {
  if (!transaction.succeeded) return [];
  const { sender, recipient, created_contract, value } = transaction;
  const own: TransactionMovement[] =
    value === 0n
      ? []
      : [coins({ kind: "native", source: sender, destination: recipient ?? created_contract ?? EMPTY, amount: value })];
  return [
    ...mintOf(transaction),
    ...own,
    ...transaction.calls.flatMap(ofCall),
    ...ofLogs(transaction.logs, network),
    ...(transaction.moves ?? []).flatMap(ofProgramMovement),
  ];
};

/** Coins that the network makes for a deposit on another. */
const mintOf = ({ minted, sender }: Transaction): readonly TransactionMovement[] =>
  minted === undefined ? [] : [coins({ kind: "native", source: EMPTY, destination: sender, amount: minted })];

const ofProgramMovement = ({
  kind,
  token,
  source,
  destination,
  amount,
}: LoglessTransfer): readonly TransactionMovement[] =>
  amount <= 0n
    ? []
    : [
        {
          ...{ kind, token: toHex(token), token_id: null, amount, log_index: null },
          source: toHex(source),
          destination: toHex(destination),
        },
      ];

const coins = (move: {
  readonly kind: "native" | "internal";
  readonly source: Bytes;
  readonly destination: Bytes;
  readonly amount: bigint;
}): TransactionMovement => ({
  ...move,
  token: "",
  token_id: null,
  source: toHex(move.source),
  destination: toHex(move.destination),
  log_index: null,
});

const ofCall = ({ sender, recipient, value }: InternalCall): readonly TransactionMovement[] =>
  value === 0n ? [] : [coins({ kind: "internal", source: sender, destination: recipient, amount: value })];

const ofLogs = (
  logs: readonly EventLog[],
  { wrapped_native, token_kind }: CoinNames,
): readonly TransactionMovement[] => {
  const twins = new Map<Hex, Map<string, number>>();
  return logs.flatMap((log) =>
    decodeLog(log).flatMap((fact): readonly TransactionMovement[] => {
      const transfer = transferOf(fact);
      if (transfer === null) return [];
      const token = toHex(log.address);
      if (transfer.kind === "wrap" && token !== wrapped_native) return [];
      if (transfer.kind === "wrap" || fact.fact === "destruction") {
        const counts = twins.get(token) ?? mintsAndBurns(logs, log.address, decodeLog);
        twins.set(token, counts);
        const left = counts.get(twinKey(transfer)) ?? 0;
        if (left > 0) counts.set(twinKey(transfer), left - 1);
        if (left > 0) return [];
      }
      const movement = ofTransfer(transfer, log);
      return [movement.kind === "erc20" ? { ...movement, kind: token_kind ?? "erc20" } : movement];
    }),
  );
};

const transferOf = (fact: Fact): TransferFact | null => {
  if (fact.fact === "transfer") return fact;
  return fact.fact === "destruction" ? burnOf(fact) : null;
};

const ofTransfer = (
  { kind, token_id, source, destination, amount, is_bare }: TransferFact,
  log: EventLog,
): TransactionMovement => ({
  ...(is_bare === true ? { is_bare } : {}),
  kind,
  token: toHex(log.address),
  token_id: kind === "erc721" || kind === "erc1155" ? token_id : null,
  source: toHex(source),
  destination: toHex(destination),
  amount,
  log_index: log.index,
});

/** The movements as the standards of their tokens read them; `''` is a contract of unknown kind. */
export const settleMovements = (
  movements: readonly TransactionMovement[],
  standardOf: (token: Hex) => string,
): readonly TransactionMovement[] =>
  movements.flatMap((movement) => {
    if (movement.token === "" || movement.log_index === null) return [movement];
    const settled = settleMove(movement, standardOf(movement.token));
    if (settled === "drop") return [];
    const { is_bare: _, ...plain } = movement;
    return [settled === "keep" ? plain : { ...plain, ...settled }];
  });

/** Key of one holding: a token, or one of its collectibles. */
const keyOf = ({ token, token_id }: TransactionMovement): string =>
  token_id === null ? token : `${token}:${token_id}`;

/** Net changes of each address over all movements, in the order in which holdings were first touched. */
export const netChanges = (movements: readonly TransactionMovement[]): readonly NetChange[] => {
  const changes: { address: Hex; token: Hex; token_id: bigint | null; amount: bigint }[] = [];
  const known = new Map<Hex, Map<string, (typeof changes)[number]>>();
  const add = (address: Hex, movement: TransactionMovement, amount: bigint): void => {
    if (address === "") return;
    const held = known.get(address) ?? new Map<string, (typeof changes)[number]>();
    known.set(address, held);
    const key = keyOf(movement);
    const change = held.get(key);
    if (change !== undefined) {
      change.amount += amount;
      return;
    }
    const { token, token_id } = movement;
    const made = { address, token, token_id, amount };
    held.set(key, made);
    changes.push(made);
  };
  for (const movement of movements) {
    add(movement.source, movement, -movement.amount);
    add(movement.destination, movement, movement.amount);
  }
  return changes.filter(({ amount }) => amount !== 0n);
};
