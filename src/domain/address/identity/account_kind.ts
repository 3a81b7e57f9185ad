import type { DescribedAccount } from "../../../chains/account_facts.ts";
import type { Chain } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { delegateOf, readEntryPoint, readImplementation, readSafe } from "../code/account_code.ts";
import type { LiveAccount } from "../code/proxies.ts";

/** Kinds of accounts by the chain or their code. */
export const accountTypes = [
  "eoa",
  "eoa_7702",
  "safe",
  "erc4337",
  "token",
  "contract",
  "tron_multisig",
  "program",
  "program_account",
  "pda",
] as const;
type AccountType = (typeof accountTypes)[number];

interface AccountKindQuery {
  readonly chain: Chain;
  readonly address: Hex;
  readonly at: number;
  readonly signal: AbortSignal;
}

/** Kind of an account at one block: from the chain itself when it reports one, else from its code. */
export const readAccountKind = async (asked: AccountKindQuery) => {
  const { chain, address, at, signal } = asked;
  const state = await readDescribed(asked);
  const delegate = delegateOf(state.code);
  const is_contract = state.code.length > 0 && delegate === null;
  const code = state.kind === null ? await codeOf({ chain, address, code: state.code, at, signal }) : NO_CODE;
  return { state, delegate, is_contract, code, account_type: state.kind ?? typeOf(delegate, { ...code, is_contract }) };
};

/** Required signers: a Safe's owners, or the keys of the first permission that needs several. */
export const ownersOf = ({ state, code }: Awaited<ReturnType<typeof readAccountKind>>) => {
  if (code.safe !== null) return { threshold: code.safe.threshold, signers: code.safe.owners };
  const { owner_permission = null, active_permissions = [] } = state.resources ?? {};
  const shared = [...(owner_permission === null ? [] : [owner_permission]), ...active_permissions].find(
    ({ threshold, keys }) => keys.every(({ weight }) => weight < threshold),
  );
  return shared === undefined
    ? null
    : { threshold: shared.threshold, signers: shared.keys.map(({ address }) => address) };
};

const readDescribed = async ({ chain, address, at, signal }: AccountKindQuery): Promise<DescribedAccount> => {
  if (chain.describe !== undefined) return chain.describe(address, signal, at);
  const state = await chain.account(address, signal, at);
  const exists = state.balance > 0n || state.nonce > 0 || state.code.length > 0;
  return { ...state, exists, kind: null, program: null, resources: null };
};

const NO_CODE = { safe: null, entryPoint: null, implementation: null, standard: null };

/** Contract facts; all null for an account without code. */
const codeOf = async (account: LiveAccount) => {
  const [safe, entryPoint, implementation, [token]] = await Promise.all([
    readSafe(account),
    readEntryPoint(account),
    readImplementation(account),
    account.code.length === 0
      ? Promise.resolve([undefined])
      : account.chain.tokenMetadata([account.address], account.signal, account.at),
  ]);
  return {
    safe,
    entryPoint,
    implementation: implementation ?? safe?.singleton ?? null,
    standard: token?.standard ?? null,
  };
};

/** Kind of an account; `delegate`: the code that an EIP-7702 account runs. */
const typeOf = (
  delegate: Hex | null,
  code: Awaited<ReturnType<typeof codeOf>> & { readonly is_contract: boolean },
): AccountType => {
  if (delegate !== null) return "eoa_7702";
  if (!code.is_contract) return "eoa";
  if (code.safe !== null) return "safe";
  if (code.entryPoint !== null) return "erc4337";
  return code.standard !== null ? "token" : "contract";
};
