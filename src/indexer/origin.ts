import { AssayError } from "../lib/errors.ts";
import { openingBlock } from "./enrich_openings.ts";
import { type IndexerOptions, type IndexOrigin, isOpened, OPENING } from "./options.ts";
import { missingRanges } from "./ranges.ts";

export interface SettledOrigin {
  /** First block of the history: the configured one, or an older one that the stored facts keep. */
  readonly from_block: number;
  /** Openings of pairs that have moved already are yet to be read (`OpeningPass`). */
  readonly is_opening: boolean;
}

type OriginOptions = Pick<IndexerOptions, "chain" | "store" | "ranges" | "from_block" | "openings" | "log"> & {
  /** The history of an address may begin later than `from_block`: nodes need not keep that block. */
  readonly is_on_demand?: boolean;
};
type StoredOrigin = IndexOrigin & { readonly chain_id: number };

/**
 * Compares the first block of the stored facts with the configured one, and moves the stored one if possible. After
 * each step coverage claims no more than the store holds: it is incomplete as soon as another origin is stored,
 * openings of the earlier origin leave after that, and new ones count when all have been read
 * (docs/design/exactly_once.md). A start after a crash repeats the missing steps.
 * @throws AssayError WRONG_CHAIN, UPSTREAM_UNAVAILABLE (retryable)
 */
export const settleOrigin = async (parts: OriginOptions, signal: AbortSignal): Promise<SettledOrigin> => {
  const { store, from_block, chain, log } = parts;
  const network = chain.network.id;
  const known = await store.origin();
  if (known === null) {
    // An interrupted drop of all facts is finished first.
    if ((await store.segments()).length > 0) await store.drop(signal);
    const from_hash = await hashOfFirst(parts, signal);
    await store.saveOrigin({ from_block, from_hash, is_opened: isOpened(parts) });
    return { from_block, is_opening: false };
  }
  await checkChain(parts, known, signal);
  if (from_block === known.from_block) return settleOpenings(parts, known, signal);
  const kept = from_block > known.from_block ? await keepReason(parts, known) : null;
  if (kept !== null) {
    log.warn({ network, from_block, stored_from_block: known.from_block }, kept);
    return settleOpenings(parts, known, signal);
  }
  const from_hash = await hashOfFirst(parts, signal);
  const moved = { from_block, from_hash, is_opened: needsOpenings(parts) ? OPENING : 0 };
  await store.saveOrigin(moved);
  log.warn({ network, from_block, stored_from_block: known.from_block }, movedText(from_block, known.from_block));
  return settleOpenings(parts, moved, signal);
};

const movedText = (now: number, before: number): string =>
  now < before
    ? "from_block was lowered: history grows backwards, answers go on, and coverage is incomplete until it is there"
    : "from_block was raised: coverage is measured against it; blocks before it that are stored stay";

/** The store belongs to one chain: same id, same first block. */
const checkChain = async ({ chain }: OriginOptions, known: StoredOrigin, signal: AbortSignal): Promise<void> => {
  const { id, chain_id } = chain.network;
  const wrong = (what: string) =>
    new AssayError({
      code: "WRONG_CHAIN",
      message: `${id}: ${what}. Point the network at the right node, or drop its facts: 'assay network reset ${id} --yes'.`,
    });
  if (known.chain_id !== chain_id)
    throw wrong(`the stored facts are of chain id ${known.chain_id}, the configuration says ${chain_id}`);
  // A node that dropped the block shows by its genesis block alone which chain it serves.
  if (known.from_block < (chain.oldest?.() ?? 0)) return;
  const there = await chain.ref(known.from_block, signal);
  if (there !== null && known.from_hash !== "" && there.hash !== known.from_hash)
    throw wrong(`block ${known.from_block} of the node is not the one that was indexed`);
};

/** Empty for a block that no node keeps. */
const hashOfFirst = async (
  { chain, from_block, is_on_demand = false }: OriginOptions,
  signal: AbortSignal,
): Promise<IndexOrigin["from_hash"]> => {
  if (is_on_demand && from_block < (chain.oldest?.() ?? 0)) return "";
  const first = await chain.ref(from_block, signal);
  if (first !== null) return first.hash;
  throw new AssayError({
    code: "UPSTREAM_UNAVAILABLE",
    message: `${chain.network.id}: the node does not have from_block ${from_block}`,
    retryable: true,
  });
};

/** Why a raised from_block leaves the stored origin unchanged; null if the origin can be raised. */
const keepReason = async ({ store, ranges, from_block, openings }: OriginOptions, known: StoredOrigin) => {
  const missing = missingRanges({ from: known.from_block, to: from_block - 1 }, await ranges.done());
  if (missing.length === 0)
    return "from_block was raised, but history before it is stored without a gap: it stays and counts. To drop it: assay network reset";
  const has_older = (await store.segments()).some(({ from }) => from < from_block);
  // Sums contain movements of those blocks, which openings of a later block contain as well.
  return has_older && openings === "read"
    ? "from_block cannot be raised above stored blocks while openings are read: history continues from the earlier one. To begin again: assay network reset"
    : null;
};

/** Whether balances before the first block are to be read of pairs that have moved already. */
const needsOpenings = (parts: OriginOptions): boolean => parts.openings === "read" && isOpened(parts) === 1;

/** Makes openings those of the stored origin, as far as this needs no reading: older ones leave. */
const settleOpenings = async (
  parts: OriginOptions,
  known: IndexOrigin,
  signal: AbortSignal,
): Promise<SettledOrigin> => {
  const { store, chain } = parts;
  const { from_block } = known;
  // Each address has the openings of its own beginning.
  if (parts.is_on_demand === true) return { from_block, is_opening: false };
  const at = { ...parts, from_block };
  const wanted = isOpened(at);
  if (known.is_opened === 1) {
    // Addresses that move from now on would have no opening: the beginning is known of all or of none.
    if (wanted === 0) await store.saveOrigin({ ...known, is_opened: 0 });
    return { from_block, is_opening: false };
  }
  const { block_number } = await openingBlock(chain, from_block, signal);
  await store.dropOpeningsBut(block_number);
  const is_opening = needsOpenings(at);
  const is_opened = is_opening ? OPENING : wanted;
  if (is_opened !== known.is_opened) await store.saveOrigin({ ...known, is_opened });
  return { from_block, is_opening };
};
