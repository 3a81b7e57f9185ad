import type { Chain } from "../chains/chain.ts";
import { EMPTY, fromHex, type Hex, hex, toHex } from "../lib/bytes.ts";
import type { Log } from "../lib/log.ts";
import { LOG_POSITION } from "./decode_scope.ts";
import type { BlockRows, TransfersRow } from "./rows.ts";

/** Supply that a constructor issued without a Transfer comes before tip and fee. */
const CREATION_POSITION = 4_294_967_293;

/** `owner()` of Ownable.sol. */
const OWNER_SELECTOR = hex("8da5cb5b");
const ADDRESS_WORD_BYTES = 32;

/** A balance that may have changed in one block without a Transfer. */
interface Suspect {
  readonly token: Hex;
  readonly holder: Hex;
  readonly row: Omit<TransfersRow, "kind" | "token" | "token_id" | "source" | "destination" | "amount">;
  /** The contract was created in this block, so that all balances before it are 0. */
  readonly is_new: boolean;
}

/**
 * Adds transfers for supply that no log states: constructors that issue coins without a Transfer, and issuers whose
 * `Issue` and `Redeem` do not name the owner. The amount is the difference of the node's balances at this block and the
 * one before, minus the logs of that block; it is therefore the same at every read.
 */
export const openSilentSupply = (chain: Chain, log: Log) => {
  let has_warned = false;
  return async (rows: BlockRows, signal: AbortSignal): Promise<void> => {
    const creations = unmintedCreations(rows);
    if (creations.length === 0 && rows.owner_supplies.length === 0) return;
    if (!chain.can.archive) {
      if (has_warned) return;
      has_warned = true;
      // No warning: on some networks no node of any kind has it. `assay doctor` reports it for each endpoint.
      log.info(
        { network: chain.network.id },
        "no endpoint has the state of old blocks: supply without a Transfer is not seen",
      );
      return;
    }
    const suspects = await suspectsOf(chain, { creations, rows }, signal);
    // Queries all blocks at one time, because a node may be far away.
    const told = await Promise.all(byBlock(suspects).map((part) => readBalances(chain, part, signal)));
    for (const part of told) settleBlock(chain, rows, part);
  };
};

/** Contracts that were created in a transaction without a mint of theirs. */
const unmintedCreations = (rows: BlockRows) => {
  const created = rows.contracts.filter(({ event }) => event === "created");
  if (created.length === 0) return [];
  const minted = new Set(
    rows.transfers
      .filter(({ source, token }) => source.length === 0 && token.length > 0)
      .map(({ token }) => toHex(token)),
  );
  return created.filter(({ address }) => !minted.has(toHex(address)));
};

const suspectsOf = async (
  chain: Chain,
  found: { readonly creations: BlockRows["contracts"]; readonly rows: BlockRows },
  signal: AbortSignal,
): Promise<Suspect[]> => {
  const asked = [
    ...found.creations.map((row) => ({
      token: toHex(row.address),
      row,
      position: CREATION_POSITION,
      known: [row.creator, row.factory],
    })),
    ...found.rows.owner_supplies.map((row) => ({
      token: toHex(row.token),
      row,
      position: LOG_POSITION + row.log_index,
      known: [],
    })),
  ];
  const suspects = new Map<string, Suspect>();
  const blocks = new Map<number, typeof asked>();
  for (const one of asked) blocks.set(one.row.block_number, [...(blocks.get(one.row.block_number) ?? []), one]);
  const told = await Promise.all(
    [...blocks].map(async ([block, ones]) => {
      const calls = ones.map(({ token }) => ({ to: token, data: OWNER_SELECTOR }));
      return { block, ones, owners: await chain.call(calls, signal, block) };
    }),
  );
  for (const { block, ones, owners } of told) {
    for (const [i, { token, row, position, known }] of ones.entries()) {
      const answer = owners[i];
      const owner = answer?.ok && answer.data.length === ADDRESS_WORD_BYTES ? [answer.data.subarray(12)] : [];
      const { network, block_number, time, tx_index } = row;
      const sender = "creator" in row ? row.creator : row.sender;
      for (const holder of [...known, ...owner]) {
        if (holder.every((byte) => byte === 0)) continue;
        const suspect = { token, holder: toHex(holder), is_new: position === CREATION_POSITION };
        const place = { network, block_number, time, tx_index, position, sender };
        suspects.set(`${block}:${token}:${suspect.holder}`, { ...suspect, row: place });
      }
    }
  }
  return [...suspects.values()];
};

interface BlockSuspects {
  readonly block: number;
  readonly suspects: readonly Suspect[];
}

const byBlock = (suspects: readonly Suspect[]): readonly BlockSuspects[] => {
  const blocks = new Map<number, Suspect[]>();
  for (const suspect of suspects) {
    const block = suspect.row.block_number;
    blocks.set(block, [...(blocks.get(block) ?? []), suspect]);
  }
  return [...blocks].map(([block, list]) => ({ block, suspects: list }));
};

/** The movement of each suspected pair in the logs of one block. */
const movedIn = (rows: BlockRows, block: number, pairs: ReadonlySet<string>): Map<string, bigint> => {
  const moved = new Map<string, bigint>();
  for (const { block_number, token, source, destination, amount } of rows.transfers) {
    if (block_number !== block || token.length === 0) continue;
    for (const [side, sign] of [
      [source, -1n],
      [destination, 1n],
    ] as const) {
      const key = `${toHex(token)}:${toHex(side)}`;
      if (pairs.has(key)) moved.set(key, (moved.get(key) ?? 0n) + sign * amount);
    }
  }
  return moved;
};

/** Balances of the suspects of one block by the node: after it, and before it if they existed. */
const readBalances = async (chain: Chain, { block, suspects }: BlockSuspects, signal: AbortSignal) => {
  const older = suspects.filter(({ is_new }) => !is_new);
  const [after, before] = await Promise.all([
    chain.tokenBalances(suspects, signal, block),
    older.length === 0 || block === 0 ? [] : chain.tokenBalances(older, signal, block - 1),
  ]);
  return { block, suspects, after, older, before };
};

const settleBlock = (chain: Chain, rows: BlockRows, told: Awaited<ReturnType<typeof readBalances>>): void => {
  const { block, suspects, after, older, before } = told;
  const keyOf = ({ token, holder }: Suspect) => `${token}:${holder}`;
  const moved = movedIn(rows, block, new Set(suspects.map(keyOf)));
  for (const [i, suspect] of suspects.entries()) {
    const now = after[i] ?? null;
    if (now === null) continue; // not a token, or it does not answer
    const then = suspect.is_new ? 0n : (before[older.indexOf(suspect)] ?? 0n);
    const silent = now - then - (moved.get(keyOf(suspect)) ?? 0n);
    if (silent === 0n) continue;
    const holder = fromHex(suspect.holder) ?? EMPTY;
    rows.transfers.push({
      ...suspect.row,
      kind: chain.network.token_kind ?? "erc20",
      token: fromHex(suspect.token) ?? EMPTY,
      token_id: 0n,
      source: silent < 0n ? holder : EMPTY,
      destination: silent < 0n ? EMPTY : holder,
      amount: silent < 0n ? -silent : silent,
    });
  }
};
