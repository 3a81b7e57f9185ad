/** A look at many accounts at once: which of them a search would find unchanged. */
import type { Hex } from "../../lib/bytes.ts";
import type { KnownAccount, UnchangedAccount } from "../account_history.ts";
import type { AccountMarks } from "./account_marks.ts";
import type { TraceFilter } from "./filtered_traces.ts";
import type { EvmStateReader } from "./state.ts";

interface LookParts {
  readonly past: Pick<AccountMarks, "named" | "marksOfMany">;
  readonly state: Pick<EvmStateReader, "codes">;
  readonly filter: TraceFilter;
}

interface Look {
  readonly accounts: readonly KnownAccount[];
  readonly to: number;
}

/** Nonce, balance and code of each. */
const STATES = 3;
/** Nonce and balance. */
const MARKS = 2;

/** Nonce and balance of accounts after a block of each. */
const marksAfter = async (
  past: LookParts["past"],
  asked: readonly { readonly address: Hex; readonly block: number }[],
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const [nonces, balances] = await Promise.all(
    (["nonce", "balance"] as const).map((kind) =>
      past.marksOfMany(
        asked.map((one) => ({ ...one, kind })),
        signal,
      ),
    ),
  );
  return asked.map((_, i) => `${nonces?.[i]}:${balances?.[i]}`);
};

/**
 * Equal nonces and balances at the ends of the blocks and no log that names the account: what `discoverBlocks` finds nothing in either. An
 * account with code also has no payment in filtered traces, where nodes have them.
 * Logs of all accounts come from one request for each place of an address in a log, states from arrays of calls.
 */
export const findUnchanged = async (
  { past, state, filter }: LookParts,
  { accounts, to }: Look,
  signal: AbortSignal,
): Promise<ReadonlyMap<Hex, UnchangedAccount>> => {
  const ends = new Map(accounts.map(({ address, after, again }) => [address, { after: again?.after ?? after, again }]));
  const from = Math.min(...[...ends.values()].map(({ after }) => after)) + 1;
  const { named, requests } = await past.named([...ends.keys()], { from, to }, signal);
  const isNew = ({ address, block }: { readonly address: Hex; readonly block: number }): boolean => {
    const end = ends.get(address);
    return block > (end?.after ?? 0) && end?.again?.known.includes(block) !== true;
  };
  const news = new Set(named.filter(isNew).map(({ address }) => address));
  const silent = accounts.filter(({ address }) => !news.has(address));
  const unmarked = silent.filter(({ mark }) => mark === null);
  const addresses = silent.map(({ address }) => address);
  const [after, before, codes] = await Promise.all([
    marksAfter(
      past,
      addresses.map((address) => ({ address, block: to })),
      signal,
    ),
    marksAfter(
      past,
      unmarked.map(({ address, after: block }) => ({ address, block })),
      signal,
    ),
    state.codes(addresses, signal, to),
  ]);
  const coded = addresses.filter((_, i) => codes[i]?.length !== 0);
  const paid = coded.length === 0 ? null : await filter(coded, { from, to }, signal);
  const payers = new Set((paid?.named ?? []).filter(isNew).map(({ address }) => address));
  const read = new Map(unmarked.map(({ address }, i) => [address, before[i]]));
  return new Map(
    silent.flatMap(({ address, mark }, i) => {
      const now = after[i];
      if (now === undefined || (mark ?? read.get(address)) !== now || payers.has(address)) return [];
      // The first carries the calls that all share.
      const shared = i === 0 ? requests + (paid?.requests ?? 0) : 0;
      const own = (mark === null ? STATES + MARKS : STATES) + shared;
      return [[address, { mark: now, is_proven: codes[i]?.length === 0 || paid !== null, requests: own }]];
    }),
  );
};
