/** A Solana network behind JSON-RPC endpoints, as the rest of the code sees it. */
import { EMPTY, fromHex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import type { Capabilities } from "../capabilities.ts";
import type { Network } from "../chain.ts";
import { POOL_DEFAULTS } from "../node/endpoints.ts";
import { HeadReader } from "../node/heads.ts";
import type { ChainOpener, OpenChain } from "../open_chain.ts";
import { formatBase58, parseAddress, parseHash } from "./address.ts";
import type { BlockReading } from "./block.ts";
import { isOnCurve } from "./derived_address.ts";
import { openAccountHistory } from "./history/account_history.ts";
import { NameReader } from "./names.ts";
import { openPool, type SolanaRpcPool } from "./probe.ts";
import { VOTE_PROGRAM } from "./programs.ts";
import { fetchNewest, refOf, SlotReader } from "./slots.ts";
import { SolanaStateReader } from "./state.ts";
import { TokenReader } from "./token_reader.ts";
import { SolanaTransactionReader } from "./transaction_details.ts";
import { TransferSimulator } from "./transfer_simulator.ts";
import { indexOf } from "./wire.ts";

export const openSolanaChain: ChainOpener = async (network, options, signal) => {
  const pool = openPool(network, { ...POOL_DEFAULTS, ...options });
  await pool.probeAtStart(options.open_wait_ms, signal);
  const { verify = "full", votes = "summed" } = options;
  return solanaChain(network, pool, { verify, votes });
};

/** Inner instructions are part of every block; nothing can be called or replayed. */
const CAN: Capabilities = {
  traces: true,
  archive: false,
  contract_calls: false,
  contract_logs: false,
  token_accounts: true,
  overrides: false,
  simulations: false,
  simulated_blocks_max: 0,
  vote_program: VOTE_PROGRAM,
};

const solanaChain = (network: Network, pool: SolanaRpcPool, how: BlockReading): OpenChain => {
  const slots = new SlotReader(pool, how);
  const seen = new SolanaTransactionReader(pool, network, how);
  const state = new SolanaStateReader(pool, network);
  const tokens = new TokenReader(pool, state);
  const rehearsal = new TransferSimulator(pool, state);
  const heads = new HeadReader(pool, network, { askRef: fetchNewest, now: () => performance.now() });
  const cannot = (what: string) => () => Promise.reject(unsupported(network, what));
  return {
    network,
    can: CAN,
    past: openAccountHistory(pool),
    parseAddress,
    formatAddress: formatBase58,
    parseHash,
    formatHash: formatBase58,
    mayHaveKey: (address) => isOnCurve(fromHex(address) ?? EMPTY),
    head: (signal) => heads.head(signal),
    finalized: (signal) => slotAt(pool, "finalized", signal),
    oldest: () => oldestOf(pool),
    async ref(number, signal) {
      const newest = await slotAt(pool, "confirmed", signal);
      if (number > newest) return null;
      const first = oldestOf(pool);
      if (number < first) throw tooOld(network, { asked: number, first });
      const block = await slots.head(number, signal);
      return block === null ? null : refOf(block);
    },
    blocks: (from, to, signal) => slots.blocks({ from, to }, signal),
    transaction: (hash, signal) => seen.transaction(hash, signal),
    account: (address, signal, at) => state.account(address, signal, at),
    describe: (address, signal, at) => state.describe(address, signal, at),
    nativeBalances: (addresses, signal, at) => state.nativeBalances(addresses, signal, at),
    tokenBalances: (pairs, signal, at) => state.tokenBalances(pairs, signal, at),
    tokenMetadata: (addresses, signal) => state.tokenMetadata(addresses, signal),
    tokenAccounts: (asked, signal, at) => tokens.tokenAccounts(asked, signal, at),
    tokenTraits: (token, signal, at) => tokens.tokenTraits(token, signal, at),
    simulateTransfers: (asked, signal, at) => rehearsal.transfers(asked, signal, at),
    call: cannot("calling a contract"),
    callOverridden: cannot("calling a contract"),
    simulate: cannot("rehearsing transactions"),
    storage: cannot("storage slots"),
    names: new NameReader(pool, state),
    get disagreements() {
      return pool.disagreements;
    },
    get endpoints() {
      return pool.counts;
    },
    probe: (signal) => pool.probe(signal),
    close: () => pool.close(),
  };
};

const oldestOf = ({ known }: SolanaRpcPool): number => {
  const first = Math.min(...known.map(({ first_slot }) => first_slot));
  return Number.isFinite(first) ? first : 0;
};

/** The error for a slot older than the node's history; the node gets no request for it. */
const tooOld = (
  { id, name }: Network,
  { asked, first }: { readonly asked: number; readonly first: number },
): AssayError =>
  new AssayError({
    code: "UPSTREAM_UNAVAILABLE",
    message: `${id}: the node's first slot is ${first}, so it has nothing of slot ${asked}: set networks.${id}.from_block to ${first} or later, or name a node that keeps older slots`,
    public: `No node of ${name} keeps slot ${asked}.`,
    retryable: true,
  });

const unsupported = ({ id, name }: Network, what: string): AssayError =>
  new AssayError({ code: "NOT_SUPPORTED", message: `${id}: ${what}`, public: `${name} does not offer ${what}.` });

const slotAt = (pool: SolanaRpcPool, commitment: "confirmed" | "finalized", signal: AbortSignal): Promise<number> =>
  pool.run({ what: `${commitment} slot` }, signal, async ({ endpoint }) =>
    indexOf(await endpoint.result({ method: "getSlot", params: [{ commitment }] }, signal), "slot"),
  );
