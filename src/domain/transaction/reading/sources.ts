/** Verified sources of a transaction's contracts, and the published interface of the called one. */

import { type Hex, toHex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { Sources } from "../../../sources/index.ts";
import { readImplementation } from "../../address/code/account_code.ts";
import type { SnapshotContext } from "../../context.ts";
import {
  deployedCode,
  readVerification,
  sourcesAmong,
  type VerificationStatus,
} from "../../token/contracts/verified_sources.ts";
import type { TransactionMatch } from "./find.ts";

/** Limit of contracts whose sources are read for one transaction. */
const CONTRACTS_MAX = 20;

export interface SourceContext {
  readonly scope: SnapshotContext;
  readonly found: TransactionMatch;
  readonly sources: Sources;
}

/** Block for reading code: the transaction's own, when the node has old states. */
const blockOf = ({ scope, found }: SourceContext): number =>
  (scope.chain.can.archive ? found.seen.mined?.block.number : undefined) ?? scope.snapshot.block.number;

/** Which of these contracts have a verified source. A plain account has none. */
export const readPublishedAt = (from: SourceContext, addresses: readonly Hex[]): Promise<VerificationStatus> =>
  readVerification(from.scope, from.sources, { addresses, at: blockOf(from), most: CONTRACTS_MAX });

/**
 * The published interface of the called contract: that of a proxy's implementation, else its own. Null when it has none
 * or it is unknown; the table of known signatures then takes its place.
 */
export const readAbi = async (from: SourceContext): Promise<readonly unknown[] | null> => {
  const { scope, found, sources } = from;
  const { recipient, input } = found.seen;
  if (recipient === null || input.length < 4 || sources.stores(scope.chain.network.chain_id).length === 0) return null;
  const { chain, signal } = scope;
  const at = blockOf(from);
  const address = toHex(recipient);
  try {
    const [own] = await deployedCode(scope, [address], at);
    if (own === undefined) return null;
    const implementation = await readImplementation({ chain, address, code: own.code, at, signal });
    const behind = implementation === null ? [] : await deployedCode(scope, [implementation], at);
    const answers = await sourcesAmong(scope, sources, [...behind, own]);
    for (const { address: contract } of [...behind, own]) {
      const answer = answers.get(contract);
      if (answer?.kind === "verified" && answer.source.abi !== null) return answer.source.abi;
    }
    return null;
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== "UPSTREAM_UNAVAILABLE") throw error;
    return null;
  }
};
