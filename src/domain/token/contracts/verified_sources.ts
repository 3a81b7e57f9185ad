import type { Bytes, Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { Sources } from "../../../sources/index.ts";
import type { SourceAnswer } from "../../../sources/source.ts";
import { delegateOf } from "../../address/code/account_code.ts";
import type { SnapshotContext } from "../../context.ts";

export interface DeployedCode {
  readonly address: Hex;
  /** Runtime code, not empty. */
  readonly code: Bytes;
}

/** True, false, or null when unknown. */
export const isVerified = ({ kind }: SourceAnswer): boolean | null => (kind === "unknown" ? null : kind === "verified");

/** Whether contracts have a verified source, by address. */
export const sourcesAmong = async (
  { chain, signal }: SnapshotContext,
  sources: Sources,
  contracts: readonly DeployedCode[],
): Promise<ReadonlyMap<Hex, SourceAnswer>> => {
  const { chain_id } = chain.network;
  const answers = contracts.map(
    async ({ address, code }): Promise<readonly [Hex, SourceAnswer]> => [
      address,
      await sources.find({ chain_id, address, code, signal }),
    ],
  );
  return new Map(await Promise.all(answers));
};

/** Why it is unknown for some contracts whether they have a source; null when it is known for all. */
export const gapOf = (answers: Iterable<SourceAnswer>): string | null => {
  for (const answer of answers) if (answer.kind === "unknown") return answer.reason;
  return null;
};

/** Code at a block, of those addresses that are contracts: an account with a mere delegation (EIP-7702) is not one. */
export const deployedCode = async (
  { chain, signal }: SnapshotContext,
  addresses: readonly Hex[],
  at: number | undefined,
): Promise<readonly DeployedCode[]> => {
  const states = await Promise.all(addresses.map((address) => chain.account(address, signal, at)));
  return states.flatMap(({ code }, i) => {
    const address = addresses[i];
    return address === undefined || code.length === 0 || delegateOf(code) !== null ? [] : [{ address, code }];
  });
};

export interface VerificationStatus {
  /** Null when unknown. */
  readonly is_verified: (address: Hex) => boolean | null;
  /** Why it is unknown for some; null when it is known for all. */
  readonly gap: string | null;
}

export interface VerificationQuery {
  readonly addresses: readonly Hex[];
  /** Block whose code is read; undefined = the newest. */
  readonly at: number | undefined;
  /** Number of addresses to look up, the first ones. */
  readonly most: number;
}

const NOT_CONFIGURED = "no store of verified sources is configured for this network";

/** Whether these addresses have a verified source, by their deployed code. A plain account has none. */
export const readVerification = async (
  scope: SnapshotContext,
  sources: Sources,
  { addresses, at, most }: VerificationQuery,
): Promise<VerificationStatus> => {
  const wanted = [...new Set(addresses)].filter((address) => address !== "");
  if (wanted.length === 0) return { is_verified: () => null, gap: null };
  if (sources.stores(scope.chain.network.chain_id).length === 0)
    return { is_verified: () => null, gap: NOT_CONFIGURED };
  const asked = new Set(wanted.slice(0, most));
  try {
    const answers = await sourcesAmong(scope, sources, await deployedCode(scope, [...asked], at));
    const cut = wanted.length > asked.size ? `only the code of the first ${most} contracts was read` : null;
    return {
      is_verified: (address) => {
        const answer = answers.get(address);
        if (answer !== undefined) return isVerified(answer);
        return asked.has(address) ? false : null;
      },
      gap: gapOf(answers.values()) ?? cut,
    };
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== "UPSTREAM_UNAVAILABLE") throw error;
    return { is_verified: () => null, gap: "no node returns the code of the contracts" };
  }
};
