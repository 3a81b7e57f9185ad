import { issuerCoins } from "../../../labels/issuers/index.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { SnapshotContext } from "../../context.ts";
import { readTokenAccounts } from "./accounts.ts";
import { checkFreezes } from "./freezes.ts";

/** Limit of tokens per wallet whose token accounts are read; others are unknown. */
const TOKENS_MAX = 200;

/**
 * Which of these tokens are frozen in a wallet. A registered coin gets the compliance check: null when it failed. For
 * other tokens the token accounts decide, on networks that have them; elsewhere the token is absent, and so are all
 * tokens when no node has the state of the block. The native coin ('') cannot be frozen.
 */
export const readFrozen = async (
  scope: SnapshotContext,
  wallet: Hex,
  tokens: readonly Hex[],
): Promise<ReadonlyMap<Hex, boolean | null>> => {
  const native = ["", false] as const;
  try {
    return new Map<Hex, boolean | null>([native, ...(await readTokenChecks(scope, wallet, new Set(tokens)))]);
  } catch (error) {
    if (error instanceof AssayError && error.code === "COVERAGE_INCOMPLETE") return new Map([native]);
    throw error;
  }
};

const readTokenChecks = async (scope: SnapshotContext, wallet: Hex, held: ReadonlySet<Hex>) => {
  const coins = issuerCoins(scope.chain.network).filter(({ address }) => held.has(address));
  const registered = new Set(coins.map(({ address }) => address));
  const others = [...held].filter((token) => token !== "" && !registered.has(token)).slice(0, TOKENS_MAX);
  const [checks, accounts] = await Promise.all([
    checkFreezes(scope, wallet, coins),
    scope.chain.can.token_accounts ? readTokenAccounts(scope, wallet, others) : null,
  ]);
  return [
    ...checks.map(
      ({ coin, status, is_frozen }) => [coin.address, status === "not_supported" ? false : is_frozen] as const,
    ),
    ...[...(accounts ?? [])].map(([token, of]) => [token, of.accounts.some((one) => one.is_frozen)] as const),
  ];
};
