/** A Tron network behind the HTTP API of java-tron nodes, as the rest of the code sees it. */
import { AssayError } from "../../lib/errors.ts";
import type { Network, Verify } from "../chain.ts";
import { POOL_DEFAULTS } from "../node/endpoints.ts";
import { HeadReader } from "../node/heads.ts";
import type { ChainOpener, OpenChain } from "../open_chain.ts";
import { formatAddress, formatHash, parseAddress, parseHash } from "./address.ts";
import { fetchRef, readFinalized } from "./heads.ts";
import { openAccountHistory } from "./history/account_history.ts";
import { openPool, type TronRpcPool } from "./pool.ts";
import { BlockReader } from "./reader.ts";
import { TronStateReader } from "./state.ts";
import { TronTransactionReader } from "./transaction_details.ts";

export const openTronChain: ChainOpener = async (network, options, signal) => {
  const pool = openPool(network, { ...POOL_DEFAULTS, ...options });
  await pool.probeAtStart(options.open_wait_ms, signal);
  return tronChain(network, pool, options.verify ?? "full");
};

const tronChain = (network: Network, pool: TronRpcPool, verify: Verify): OpenChain => {
  const blocks = new BlockReader(pool, verify);
  const seen = new TronTransactionReader(pool, blocks);
  const state = new TronStateReader(pool, network);
  const heads = new HeadReader(pool, network, { askRef: fetchRef, now: () => performance.now() });
  return {
    network,
    can: {
      get traces() {
        return pool.known.some((traits) => traits.traces !== null);
      },
      archive: false,
      contract_calls: true,
      contract_logs: true,
      token_accounts: false,
      overrides: false,
      simulations: false,
      simulated_blocks_max: 0,
    },
    past: openAccountHistory(pool, blocks),
    parseAddress,
    formatAddress,
    parseHash,
    formatHash,
    mayHaveKey: () => true,
    head: (signal) => heads.head(signal),
    finalized: (signal) => readFinalized(pool, network, signal),
    ref: (number, signal) => heads.ref(number, signal),
    blocks: (from, to, signal) => blocks.range(from, to, signal),
    transaction: (hash, signal) => seen.transaction(hash, signal),
    account: (address, signal, at) => state.account(address, signal, at),
    describe: (address, signal, at) => state.describe(address, signal, at),
    stakedCoins: (address, signal, at) => state.stakedCoins(address, signal, at),
    nativeBalances: (addresses, signal, at) => state.nativeBalances(addresses, signal, at),
    tokenBalances: (pairs, signal, at) => state.tokenBalances(pairs, signal, at),
    tokenMetadata: (tokens, signal, at) => state.tokenMetadata(tokens, signal, at),
    tokenAccounts: () => Promise.reject(cannot(network, "accounts of tokens")),
    tokenTraits: () => Promise.reject(cannot(network, "accounts of tokens")),
    call: (calls, signal, at) => state.call(calls, signal, at),
    callOverridden: () => Promise.reject(cannot(network, "calls over a changed state")),
    simulate: () => Promise.reject(cannot(network, "played blocks")),
    storage: (where, signal, at) => state.storage(where, signal, at),
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

/** A caller that gets this error has not checked `can`. */
const cannot = ({ id }: Network, what: string): AssayError =>
  new AssayError({ code: "BUG", message: `${id}: nodes of Tron have no ${what}` });
