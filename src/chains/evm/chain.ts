/** An EVM network behind JSON-RPC endpoints, as the rest of the code sees it. */
import { concatHex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Capabilities } from "../capabilities.ts";
import type { Network } from "../chain.ts";
import { POOL_DEFAULTS } from "../node/endpoints.ts";
import { HeadReader } from "../node/heads.ts";
import type { ChainOpener, ChainOptions, OpenChain } from "../open_chain.ts";
import { addressWord, numberIn, SELECTORS } from "./abi.ts";
import { openAccountHistory } from "./account_history.ts";
import { formatAddress, formatHash, parseAddress, parseHash } from "./address.ts";
import { fetchRef, readFinalized } from "./heads.ts";
import { readMetadata } from "./metadata.ts";
import { type EvmRpcPool, openPool } from "./pool.ts";
import { BlockReader } from "./reader.ts";
import { EvmStateReader } from "./state.ts";
import { EvmTransactionReader } from "./transaction_details.ts";
import { rulesOf } from "./verify/rules.ts";

export const openEvmChain: ChainOpener = async (network, options, signal) => {
  const pool = openPool(network, { ...POOL_DEFAULTS, ...options });
  await pool.probeAtStart(options.open_wait_ms, signal);
  if (options.verify !== "header") reportVerification(network, pool, options.log);
  return evmChain(network, pool, options);
};

/** Logs at start if the blocks of a network cannot be recomputed, or less of them than the network's file requires. */
const reportVerification = (network: Network, pool: EvmRpcPool, log: Log): void => {
  const rules = rulesOf(network);
  for (const { verifies, head, client } of pool.known) {
    if (verifies === null || verifies === "full") continue;
    const facts = { network: network.id, client, block: head, shown: verifies, required: rules.required(head) };
    log.warn(facts, "blocks of this network do not follow from their hashes as far as is known here");
  }
};

/** Capabilities of the endpoints probed so far. */
const capabilitiesOf = (pool: EvmRpcPool): Capabilities => ({
  get traces() {
    return pool.known.some((traits) => traits.traces !== null);
  },
  get archive() {
    return pool.known.some((traits) => traits.archive);
  },
  contract_calls: true,
  contract_logs: true,
  token_accounts: false,
  get overrides() {
    return pool.known.some((traits) => traits.overrides);
  },
  get simulations() {
    return pool.known.some((traits) => traits.simulated_blocks_max > 0);
  },
  get simulated_blocks_max() {
    return Math.max(0, ...pool.known.map((traits) => traits.simulated_blocks_max));
  },
});

const evmChain = (network: Network, pool: EvmRpcPool, options: Pick<ChainOptions, "verify" | "signers">): OpenChain => {
  const blocks = new BlockReader(pool, network, options);
  const seen = new EvmTransactionReader(pool, network);
  const state = new EvmStateReader(pool, network);
  const heads = new HeadReader(pool, network, { askRef: fetchRef, now: () => performance.now() });
  return {
    network,
    can: capabilitiesOf(pool),
    past: openAccountHistory(pool, network, state),
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
    nativeBalances: (addresses, signal, at) => state.nativeBalances(addresses, signal, at),
    tokenBalances: async (pairs, signal, at) => {
      const calls = pairs.map(({ token, holder }) => ({
        to: token,
        data: concatHex(SELECTORS.balanceOf, addressWord(holder)),
      }));
      const results = await state.call(calls, signal, at);
      return results.map((result) => (result.ok ? numberIn(result.data) : null));
    },
    tokenMetadata: (tokens, signal, at) =>
      readMetadata(tokens, {
        call: (calls) => state.call(calls, signal, at),
        codes: (addresses) => state.codes(addresses, signal, at),
      }),
    tokenAccounts: () => Promise.reject(withoutTokenAccounts(network)),
    tokenTraits: () => Promise.reject(withoutTokenAccounts(network)),
    call: (calls, signal, at) => state.call(calls, signal, at),
    callOverridden: (asked, signal, at) => state.callOverridden(asked, signal, at),
    simulate: (blocks, signal, at) => state.simulate(blocks, signal, at),
    simulateValid: (blocks, signal, at) => state.simulateValid(blocks, signal, at),
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
const withoutTokenAccounts = ({ id }: Network): AssayError =>
  new AssayError({ code: "BUG", message: `${id}: tokens have no accounts of their own` });
