import { INTERFACES } from "../../../../knowledge/names.gen.ts";
import type { Bytes, Hex } from "../../../../lib/bytes.ts";
import { selectorOf } from "../../../abi.ts";
import { type ProxyTarget, readProxy, readProxyAdmin } from "../../../address/code/proxies.ts";
import { burnAddressesOf } from "../../holders/burn_addresses.ts";
import { type FunctionAccess, isUncapped, probeCandidates, storedAddresses } from "./access_probes.ts";
import { type CodeTraits, traitsOf } from "./opcodes.ts";
import { type ContractContext, type ContractOwner, ownerAt, readOwner } from "./power.ts";
import { type Capability, type CapabilityFunction, functionsAmong, isReadable } from "./selectors.ts";

/** Privileged functions of a token, read from its bytecode at one block. */

export const CAPABILITY_METHOD = "capabilities/evm@1";

export interface CapabilityScan {
  /** Contracts whose code was read: the implementation behind a proxy, the facets of a diamond. */
  readonly code_addresses: readonly Hex[];
  /** Evidence that it is a proxy; null when it is not one. */
  readonly proxy_evidence: string | null;
  /** An account can replace the code; null when undecidable. */
  readonly is_upgradeable: boolean | null;
  /** The account that can; null when unknown. */
  readonly upgrader: ContractOwner | null;
  /** Null when the code does not show its functions. */
  readonly functions: readonly CapabilityFunction[] | null;
  readonly traits: CodeTraits;
  /** All code that runs: the token's own and, behind a proxy, that of its implementations. */
  readonly codes: readonly Bytes[];
  /** Addresses in its first storage slots. */
  readonly stored: readonly Hex[];
  /** The account that `owner()` returns; null when the function does not exist. */
  readonly owner: ContractOwner | null;
  /**
   * Functions that accept a privileged account and reject a stranger. None where the node supports overrides: there, the
   * effects of functions are tried (powers/read.ts).
   */
  readonly lets: readonly FunctionAccess[];
  /** The kinds of those accounts. */
  readonly powers: ReadonlyMap<Hex, ContractOwner>;
  /** The contract has no owner, and no view of roles. */
  readonly names_no_account: boolean;
  /** Accounts with access although the contract names no owner; null when undecidable, and where no call was tried. */
  readonly hidden_owners: readonly Hex[] | null;
  /** The fee setter accepts 100 %; null without one, or when it accepts no candidate. */
  readonly is_fee_uncapped: boolean | null;
}

/** Accounts around a token; null where none is known. */
export interface KnownAccounts {
  readonly creator: Hex | null;
  /** A holder: functions over balances are tried on its balance. */
  readonly holder: Hex | null;
}

/** Functions that only a privileged account may call. Functions that any holder may call prove nothing. */
const PRIVILEGED: ReadonlySet<Capability> = new Set([
  "mint",
  "pause",
  "blacklist",
  "whitelist",
  "fee",
  "fee_of_wallet",
  "max_tx",
  "cooldown",
  "trading_switch",
  "balance_change",
  "take_back",
  "ownership",
]);

/**
 * Some shapes cannot replace the implementation; others can when they name an administrator, or when their code has a
 * function for it.
 */
const upgradeOf = async (
  examined: ContractContext,
  proxy: ProxyTarget,
  { code, functions }: { readonly code: Bytes; readonly functions: readonly CapabilityFunction[] | null },
) => {
  if (proxy.shape.upgrade === "never") return { admin: null, is_upgradeable: false };
  const { chain, address, signal, at } = examined;
  const admin = await readProxyAdmin({ chain, address, code, at, signal }, proxy);
  if (admin !== null || proxy.shape.upgrade === "always") return { admin, is_upgradeable: true };
  const by_code = functions === null ? null : functions.some(({ capability }) => capability === "upgrade");
  return { admin, is_upgradeable: by_code };
};

/** Views by which contracts without a single owner name privileged accounts: AccessControl, FiatToken. */
const ROLE_VIEWS: readonly Hex[] = [
  INTERFACES.access_control.hasRole,
  "masterMinter()",
  "pauser()",
  INTERFACES.proxy.admin,
].map(selectorOf);

const privilegedIn = (functions: readonly CapabilityFunction[] | null): readonly CapabilityFunction[] =>
  (functions ?? []).filter(({ capability }) => PRIVILEGED.has(capability));

/** Finds the accounts with access, among known accounts and those that the contract's storage names. */
const readAccess = (
  examined: ContractContext,
  privileged: readonly CapabilityFunction[],
  { known, stored, account }: { readonly known: readonly Hex[]; readonly stored: readonly Hex[]; account: Hex },
) => {
  const gone = burnAddressesOf(examined.chain.network);
  const candidates = [...new Set([...known, ...stored])].filter((one) => !gone.includes(one));
  return probeCandidates(examined, privileged, { candidates, account });
};

/** Returns null when the address has no code. */
export const scanCode = async (
  examined: ContractContext,
  { creator, holder }: KnownAccounts,
): Promise<CapabilityScan | null> => {
  const { chain, address, at, signal } = examined;
  const [{ code }, named] = await Promise.all([chain.account(address, signal, at), readOwner(examined)]);
  if (code.length === 0) return null;
  const [proxy, owner] = await Promise.all([
    readProxy({ chain, address, code, at, signal }),
    named === null ? null : ownerAt(examined, named),
  ]);
  const running = await runningCodes(examined, proxy, code);
  const traits = traitsOfAll(running);
  // A proxy may answer some functions itself; the selectors in its own code count too.
  const selectors = new Set([...traits.selectors, ...(proxy === null ? [] : traitsOf(code).selectors)]);
  const functions = isReadable(selectors) ? functionsAmong(selectors) : null;
  const privileged = privilegedIn(functions);
  const [upgrade, stored] = await Promise.all([
    proxy === null ? { admin: null, is_upgradeable: false } : upgradeOf(examined, proxy, { code, functions }),
    storedAddresses(examined),
  ]);
  const known = [named, creator, upgrade.admin].flatMap((one) => one ?? []);
  const account = holder ?? address;
  const { overrides } = chain.can;
  const lets = overrides ? [] : await readAccess(examined, privileged, { known, stored, account });
  const callers = [...new Set(lets.map(({ caller }) => caller))];
  const fee = lets.find(({ found }) => found.capability === "fee");
  const [powers, upgrader, is_fee_uncapped] = await Promise.all([
    Promise.all(callers.map((caller) => ownerAt(examined, caller))),
    upgraderOf(examined, { admin: upgrade.admin, owner, is_upgradeable: upgrade.is_upgradeable }),
    fee === undefined ? null : isUncapped(examined, fee),
  ]);
  const names_no_account =
    (owner === null || owner.type === "renounced") && !ROLE_VIEWS.some((view) => selectors.has(view));
  const hidden = new Set(names_no_account ? lets.map(({ caller }) => caller) : []);
  return {
    code_addresses: proxy?.implementations ?? [address],
    proxy_evidence: proxy?.shape.evidence ?? null,
    is_upgradeable: upgrade.is_upgradeable,
    upgrader,
    functions,
    traits,
    codes: proxy === null ? running : [...running, code],
    stored,
    owner,
    lets,
    powers: new Map(powers.map((power) => [power.address, power])),
    names_no_account,
    hidden_owners: functions === null || overrides ? null : [...hidden].sort(),
    is_fee_uncapped,
  };
};

/** The code that runs: the contract's own, or all of the code behind a proxy. */
const runningCodes = async (
  { chain, signal, at }: ContractContext,
  proxy: ProxyTarget | null,
  code: Bytes,
): Promise<readonly Bytes[]> => {
  if (proxy === null) return [code];
  const accounts = await Promise.all(proxy.implementations.map((one) => chain.account(one, signal, at)));
  return accounts.map((account) => account.code);
};

const traitsOfAll = (codes: readonly Bytes[]): CodeTraits => {
  const all = codes.map(traitsOf);
  return {
    selectors: new Set(all.flatMap(({ selectors }) => [...selectors])),
    has_selfdestruct: all.some(({ has_selfdestruct }) => has_selfdestruct),
    has_delegatecall: all.some(({ has_delegatecall }) => has_delegatecall),
    has_external_call: all.some(({ has_external_call }) => has_external_call),
  };
};

interface UpgradePower {
  readonly admin: Hex | null;
  readonly owner: ContractOwner | null;
  readonly is_upgradeable: boolean | null;
}

/** OpenZeppelin ProxyAdmin: the administrator is a contract whose owner decides. */
const upgraderOf = async (
  examined: ContractContext,
  { admin, owner, is_upgradeable }: UpgradePower,
): Promise<ContractOwner | null> => {
  if (is_upgradeable !== true) return null;
  if (admin === null) return owner;
  const direct = await ownerAt(examined, admin);
  if (direct.type !== "contract") return direct;
  const behind = await readOwner({ ...examined, address: admin });
  return behind === null ? direct : ownerAt(examined, behind);
};
