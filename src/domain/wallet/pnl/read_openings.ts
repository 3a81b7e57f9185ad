import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { ReadMovements } from "../../address/movements/read_movements.ts";
import { readTokenSums } from "../../address/movements/token_sums.ts";
import type { SnapshotContext, Warning } from "../../context.ts";
import { differs, readBalances, stateBlock } from "../../token/holders/balances.ts";
import { metadataIn, metadataOf } from "../../token/metadata/metadata.ts";
import type { OpeningBalance } from "./pnl.ts";

/**
 * Holdings of a wallet before its first known movement that the index has not stored; null when no node reports them.
 */
type OpeningBalances = readonly OpeningBalance[] | null;

const UNREAD: Warning = {
  code: "OPENINGS_UNREAD",
  message: "The wallet's holdings before the first indexed block could not be read from the node and are missing.",
};

const GENESIS_UNREAD: Warning = {
  code: "OPENINGS_UNREAD",
  message: "Coins that the wallet may have held in the first block of the chain could not be read from the node.",
};

/** Warnings about unknown openings. `stored`: openings in the index. */
export const openingWarnings = (
  { snapshot }: Pick<SnapshotContext, "snapshot">,
  read: OpeningBalances,
  stored: readonly OpeningBalance[],
): readonly Warning[] => {
  if (read !== null) return [];
  if (!snapshot.coverage.complete) return [UNREAD];
  return stored.some(({ bucket }) => bucket === "") ? [] : [GENESIS_UNREAD];
};

interface GenesisBalance {
  readonly token: Hex;
  readonly amount: bigint;
}

/** Coins of a genesis block, or coins that the index cannot see; null when the node cannot report them. */
const readCoins = async (
  { chain, snapshot, signal }: SnapshotContext,
  wallet: Hex,
): Promise<readonly GenesisBalance[] | null> => {
  if ((await stateBlock({ chain, snapshot, signal })) !== snapshot.block.number) return null;
  const [amount] = await chain.nativeBalances([wallet], signal, snapshot.block.number);
  return amount === undefined ? null : [{ token: "", amount }];
};

/** All holdings, for a history that begins mid-chain; collectibles have no books. */
const readTokens = async (scope: SnapshotContext, wallet: Hex): Promise<readonly GenesisBalance[] | null> => {
  if ((await stateBlock(scope)) !== scope.snapshot.block.number) return null;
  const { held } = await readBalances(scope, wallet, async () => []);
  const faces = await metadataOf(
    scope,
    held.map(({ token }) => token),
  );
  return held.filter(({ token }) => !["erc721", "erc1155"].includes(metadataIn(faces, token).standard ?? ""));
};

const readGenesisBalances = async (scope: SnapshotContext, wallet: Hex): Promise<readonly GenesisBalance[] | null> => {
  const { complete, logs } = scope.snapshot.coverage;
  try {
    return await (complete && logs ? readCoins(scope, wallet) : readTokens(scope, wallet));
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return null;
    throw error;
  }
};

interface OpeningsQuery {
  readonly wallet: Hex;
  /** The movements from the beginning. */
  readonly reading: Promise<{ readonly history: { readonly read: ReadMovements } }>;
}

/**
 * Holdings at the snapshot's block that the indexed blocks do not explain existed before the first of them, so a book
 * ends with the balance of get_wallet_token_holdings. Their cost is unknown.
 */
export const readOpenings = async (
  scope: SnapshotContext,
  { wallet, reading }: OpeningsQuery,
): Promise<OpeningBalances> => {
  const { facts, snapshot, chain } = scope;
  const held = await readGenesisBalances(scope, wallet);
  if (held === null) return null;
  const rows = await readTokenSums(scope, { wallet, read: (await reading).history.read });
  const indexed = new Map(rows.map(({ token, amount }) => [token, amount]));
  const before = held.filter(({ token, amount }) => {
    const known = indexed.get(token) ?? 0n;
    return amount > known && differs(known, amount);
  });
  if (before.length === 0) return [];
  const [first] = await facts.ask(snapshot, "block_times", { blocks: [snapshot.from_block] });
  const time = first?.time ?? snapshot.block.time;
  return before.map(({ token, amount }) => ({
    bucket: token === chain.network.wrapped_native ? "" : token,
    amount: amount - (indexed.get(token) ?? 0n),
    time,
  }));
};
