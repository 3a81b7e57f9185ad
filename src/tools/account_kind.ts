import { readEntryPoint, readImplementation, readSafe } from "../analysis/account_code.ts";
import type { LiveAccount } from "../analysis/proxies.ts";
import type { Hex } from "../lib/bytes.ts";

/** Kinds of accounts that code tells apart. */
export const accountTypes = ["eoa", "eoa_7702", "safe", "erc4337", "token", "contract"] as const;
export type AccountType = (typeof accountTypes)[number];

/** Contract facts; all null for an account without code. */
export const codeOf = async (account: LiveAccount) => {
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

/** What kind of account it is; `delegate`: whose code an EIP-7702 account runs. */
export const typeOf = (
  delegate: Hex | null,
  code: Awaited<ReturnType<typeof codeOf>> & { readonly is_contract: boolean },
): AccountType => {
  if (delegate !== null) return "eoa_7702";
  if (!code.is_contract) return "eoa";
  if (code.safe !== null) return "safe";
  if (code.entryPoint !== null) return "erc4337";
  return code.standard !== null ? "token" : "contract";
};
