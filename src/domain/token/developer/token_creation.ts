import type { Hex } from "../../../lib/bytes.ts";
import { contractsAmong, labelsOf, type Party, UNKNOWN_PARTY } from "../../address/identity/parties.ts";
import type { SnapshotContext } from "../../context.ts";
import { readCreation } from "../contracts/creation.ts";

/** The creation of a token. */
export interface TokenCreation {
  readonly created_s: number;
  readonly tx_hash: Hex;
  readonly developer: Hex;
  /** The contract that ran the creation; null when the transaction itself did. */
  readonly factory: Hex | null;
  /** Label of the launchpad that the factory or the sender belongs to. */
  readonly launchpad: string | null;
}

/** Accounts that create tokens for others. */
const SERVICES: readonly string[] = ["launchpad"];
const RECEIVERS_MAX = 20;

const isLaunchpad = ({ tags }: Party): boolean => (tags ?? []).some((tag) => SERVICES.includes(tag));

/** First owner, else first receiver without code: the account that a service made the token for. */
const clientOf = async (scope: SnapshotContext, token: Hex, service: Hex): Promise<Hex | null> => {
  const { facts, snapshot } = scope;
  const [[owners], receivers] = await Promise.all([
    facts.ask(snapshot, "developer/owners", { contracts: [token] }),
    facts.ask(snapshot, "developer/receivers", { tokens: [token], wallet: service, limit: RECEIVERS_MAX }),
  ]);
  const candidates = [owners?.first_owner ?? "", ...receivers.map(({ receiver }) => receiver)].filter(
    (address) => address !== "" && address !== service,
  );
  const contracts = await contractsAmong(scope, candidates);
  return candidates.find((address) => contracts.get(address) === false) ?? null;
};

/** Returns null when the index does not know the token's creation. */
export const readCreator = async (scope: SnapshotContext, token: Hex): Promise<TokenCreation | null> => {
  const { facts, snapshot } = scope;
  const created = await readCreation(scope, token);
  if (created === null || created.creator === "") return null;
  const { creator, factory, tx_hash, time } = created;
  const labels = await labelsOf(facts, snapshot, [creator, factory]);
  const [sender, maker] = [creator, factory].map((address) => labels.get(address) ?? UNKNOWN_PARTY);
  const client = sender !== undefined && isLaunchpad(sender) ? await clientOf(scope, token, creator) : null;
  const launchpad = [maker, sender].find((party) => party !== undefined && isLaunchpad(party));
  return {
    created_s: time,
    tx_hash,
    developer: client ?? creator,
    factory: factory === "" ? null : factory,
    launchpad: launchpad?.label ?? null,
  };
};
