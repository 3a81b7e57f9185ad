import type { DescribedAccount } from "../src/chains/account_facts.ts";
import type { Capabilities } from "../src/chains/capabilities.ts";
import type {
  AccountState,
  BlockRef,
  CallResult,
  Chain,
  ContractCall,
  LiveTokenMetadata,
  Network,
  Override,
  SimulatedBlock,
  SimulatedCall,
} from "../src/chains/chain.ts";
import type { TransactionDetails } from "../src/chains/transaction_details.ts";
import { type Bytes, EMPTY, fromHex, type Hex, hex, keccak256, toHex } from "../src/lib/bytes.ts";
import { AssayError } from "../src/lib/errors.ts";

/** Answers of an unchanging chain. Omitted parts are those of an empty account or contract. */
export interface FixedState {
  readonly network?: Partial<Network>;
  readonly can?: Partial<Capabilities>;
  /** Ascending; the last one is the head. */
  readonly blocks?: readonly BlockRef[];
  readonly accounts?: Readonly<Record<string, Partial<AccountState>>>;
  /** Answers of `describe`; a chain without them lacks the method. */
  readonly described?: Readonly<Record<string, DescribedAccount>>;
  /** Stakes of addresses; a chain without them lacks the method. */
  readonly staked?: Readonly<Record<string, bigint>>;
  /** `token:holder` -> base units. A missing pair does not answer `balanceOf`. */
  readonly token_balances?: Readonly<Record<string, bigint>>;
  readonly tokens?: Readonly<Record<string, Partial<LiveTokenMetadata>>>;
  /** By hash. A missing hash is unknown. */
  readonly transactions?: Readonly<Record<string, TransactionDetails>>;
  /** `address:slot` -> 32 bytes of hex. */
  readonly storage?: Readonly<Record<string, Hex>>;
  /** Answer of a contract call; null is an empty answer, as of an account without code. */
  readonly answer?: (call: ContractCall) => { readonly ok: boolean; readonly data: Hex } | null;
  /** Answer of a call with state overrides; empty when omitted. */
  readonly answerOverridden?: (
    call: ContractCall,
    overrides: readonly Override[],
  ) => { readonly ok: boolean; readonly data: Hex };
  /** Results of simulated blocks; every call succeeds with an empty result when omitted. */
  readonly simulate?: (blocks: readonly SimulatedBlock[]) => readonly SimulatedCall[][];
  /** True: no endpoint answers. */
  readonly down?: boolean;
}

const DEMO: Network = {
  id: "demo",
  name: "Demo",
  family: "evm",
  chain_id: 31337,
  caip2: "eip155:31337",
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: null,
  stablecoins: [],
  finality_blocks: 32,
  block_seconds: 12,
  multicall: null,
  ens: null,
};

const bytes = (text: Hex): Bytes => {
  const read = fromHex(text);
  if (read === null) throw new Error(`not hex: ${text}`);
  return read;
};

/** EIP-55. */
const checksummed = (address: Hex): string => {
  const hash = toHex(keccak256(new TextEncoder().encode(address)));
  return `0x${[...address].map((digit, i) => (Number.parseInt(hash[i] ?? "0", 16) > 7 ? digit.toUpperCase() : digit)).join("")}`;
};

const parse = (text: string): Hex | null => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return null;
  const lower = hex(text.slice(2).toLowerCase());
  const oneCase = text.slice(2) === lower || text.slice(2) === lower.toUpperCase();
  return oneCase || checksummed(lower) === text ? lower : null;
};

const metadataOf = (token: Hex, known: Partial<LiveTokenMetadata> | undefined): LiveTokenMetadata => ({
  token,
  standard: null,
  name: null,
  symbol: null,
  decimals: null,
  total_supply: null,
  ...known,
});

const staking = ({ staked }: FixedState): Pick<Chain, "stakedCoins"> =>
  staked === undefined ? {} : { stakedCoins: async (address) => staked[address] ?? 0n };

const describing = ({ described }: FixedState): Pick<Chain, "describe"> =>
  described === undefined
    ? {}
    : {
        describe: (address) => {
          const found = described[address];
          return found === undefined
            ? Promise.reject(new Error(`this chain has no description of ${address}`))
            : Promise.resolve(found);
        },
      };

/** A chain with a fixed state: the same interface as a real one, without a node. State does not depend on the requested block. */
export const fixedChain = (state: FixedState = {}): Chain => {
  const blocks = state.blocks ?? [];
  const answering = <T>(value: () => T): Promise<T> =>
    state.down === true
      ? Promise.reject(
          new AssayError({ code: "UPSTREAM_UNAVAILABLE", message: "no endpoint answers", retryable: true }),
        )
      : Promise.resolve().then(value);
  const head = (): BlockRef => {
    const last = blocks.at(-1);
    if (last === undefined) throw new Error("this chain was given no blocks");
    return last;
  };
  return {
    network: { ...DEMO, ...state.network },
    can: {
      ...{ traces: true, archive: true, contract_calls: true, contract_logs: true, token_accounts: false },
      ...{ overrides: false, simulations: false, simulated_blocks_max: 0 },
      ...state.can,
    },
    parseAddress: parse,
    formatAddress: checksummed,
    parseHash: (text) => (/^0x[0-9a-fA-F]{64}$/.test(text) ? hex(text.slice(2).toLowerCase()) : null),
    formatHash: (hash) => `0x${hash}`,
    mayHaveKey: () => true,
    head: () => answering(head),
    finalized: () => answering(() => head().number),
    ref: (number) => answering(() => blocks.find((block) => block.number === number) ?? null),
    blocks: () => answering(() => []),
    transaction: (hash) => answering(() => state.transactions?.[hash] ?? null),
    account: (address) => answering(() => ({ balance: 0n, nonce: 0, code: EMPTY, ...state.accounts?.[address] })),
    ...describing(state),
    ...staking(state),
    nativeBalances: (addresses) =>
      answering(() => addresses.map((address) => state.accounts?.[address]?.balance ?? 0n)),
    tokenBalances: (pairs) =>
      answering(() => pairs.map(({ token, holder }) => state.token_balances?.[`${token}:${holder}`] ?? null)),
    tokenMetadata: (tokens) => answering(() => tokens.map((token) => metadataOf(token, state.tokens?.[token]))),
    tokenAccounts: () => answering(() => []),
    tokenTraits: () => answering(() => null),
    call: (calls) =>
      answering(() =>
        calls.map((call): CallResult => {
          const answer = state.answer?.(call) ?? { ok: true, data: "" };
          return { ok: answer.ok, data: bytes(answer.data) };
        }),
      ),
    callOverridden: ({ calls, overrides }) =>
      answering(() =>
        calls.map((call): CallResult => {
          const answer = state.answerOverridden?.(call, overrides) ?? { ok: true, data: "" };
          return { ok: answer.ok, data: bytes(answer.data) };
        }),
      ),
    simulate: (blocks) =>
      answering(
        () =>
          state.simulate?.(blocks) ??
          blocks.map(({ calls }) => calls.map(() => ({ ok: true, data: EMPTY, gas_used: 21_000 }))),
      ),
    storage: ({ address, slot }) =>
      answering(() => bytes(state.storage?.[`${address}:${slot}`] ?? hex("00".repeat(32)))),
  };
};
