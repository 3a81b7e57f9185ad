import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { DAY_S, iso } from "../../../lib/time.ts";
import { addressesAt, selectorOf } from "../../abi.ts";
import { SERVICE_CATEGORIES } from "../../address/cohorts/definitions.ts";
import { type FirstFunder, readFirstFunders } from "../../address/identity/first_funders.ts";
import { contractsAmong, labelsOf, namedParties, type ShownParty, shownParty } from "../../address/identity/parties.ts";
import type { SnapshotContext } from "../../context.ts";
import { nodeStateBlock } from "../../node_state.ts";
import { readAmong } from "../../read_among.ts";
import { withHashes } from "../../transaction_hashes.ts";
import { type Contact, readContacts } from "../history/contacts.ts";
import type { NetworkCounterparties } from "./analysis.ts";
import type { Relationship } from "./report.ts";
import { sameOwnerSignals } from "./same_owner.ts";

const EACH_MAX = 50;
/** Number of counterparties that are examined one by one, the largest first. */
const PEERS_READ_MAX = 200;
const SAFES_MAX = 20;
const PAYERS_MAX = 200;
/** Transfers in both directions with an address that has no service label: the two people deal with each other. */
const MUTUAL_CONFIDENCE = 0.6;
const LABEL_CONFIDENCE = 0.8;

/** A relationship before the address is identified. */
type RelationshipMatch = Omit<Relationship, "network" | "address" | keyof ShownParty> & { readonly address: Hex };

const txEvidence = (
  part: NetworkCounterparties,
  { tx_hash, time }: { readonly tx_hash: Hex; readonly time: number },
) => ({
  kind: "tx" as const,
  ref: part.scope.chain.formatHash(tx_hash),
  observed_at: iso(time),
});

const relationshipMatch = (address: Hex, rest: Omit<RelationshipMatch, "address">): RelationshipMatch => ({
  address,
  ...rest,
});

const isService = (part: NetworkCounterparties, address: Hex): boolean =>
  part.parties.get(address)?.tags?.some((tag) => SERVICE_CATEGORIES.includes(tag)) ?? false;

const fundings = (
  part: NetworkCounterparties,
  funders: ReadonlyMap<Hex, FirstFunder>,
): readonly RelationshipMatch[] => {
  const own = funders.get(part.wallet);
  const first =
    own === undefined
      ? []
      : [
          relationshipMatch(own.funder, {
            relation: "first_funder",
            confidence: 1,
            evidence: [txEvidence(part, own)],
          }),
        ];
  const funded = [...funders.values()]
    .filter(({ address, funder }) => funder === part.wallet && address !== part.wallet)
    .slice(0, EACH_MAX)
    .map((row) =>
      relationshipMatch(row.address, {
        relation: "funded_by_wallet",
        confidence: 1,
        evidence: [txEvidence(part, row)],
      }),
    );
  return [...first, ...funded];
};

const depositsOf = (part: NetworkCounterparties): readonly Hex[] =>
  part.rows
    .map(({ peer }) => peer)
    .filter((peer) => part.parties.get(peer)?.tags?.includes("exchange_deposit") ?? false)
    .slice(0, EACH_MAX);

const depositRelations = (
  part: NetworkCounterparties,
  deposits: readonly Hex[],
  contacts: readonly Contact[],
): readonly RelationshipMatch[] =>
  deposits.map((address) =>
    relationshipMatch(address, {
      relation: "deposit_address",
      confidence: LABEL_CONFIDENCE,
      evidence: [
        {
          kind: "label",
          ref: `exchange_deposit:${part.scope.chain.formatAddress(address)}`,
          observed_at: iso(part.scope.snapshot.block.time),
        },
        ...contacts.filter(({ peer }) => peer === address).map((contact) => txEvidence(part, contact)),
      ],
    }),
  );

const mutuals = (
  part: NetworkCounterparties,
  contacts: readonly Contact[],
  contracts: ReadonlyMap<Hex, boolean | null>,
) =>
  part.rows
    .slice(0, PEERS_READ_MAX)
    .filter(({ peer, transfers_in, transfers_out }) => {
      if (transfers_in === 0 || transfers_out === 0) return false;
      return !isService(part, peer) && contracts.get(peer) === false;
    })
    .slice(0, EACH_MAX)
    .map(({ peer }) =>
      relationshipMatch(peer, {
        relation: "mutual",
        confidence: MUTUAL_CONFIDENCE,
        evidence: contacts.filter((contact) => contact.peer === peer).map((contact) => txEvidence(part, contact)),
      }),
    );

/** Co-owners of the Safes that the wallet dealt with, as the contracts report them at the block. */
const safeSigners = async (
  part: NetworkCounterparties,
  contracts: ReadonlyMap<Hex, boolean | null>,
): Promise<readonly RelationshipMatch[]> => {
  const { chain, snapshot, signal } = part.scope;
  const safes = part.rows
    .map(({ peer }) => peer)
    .filter((peer) => contracts.get(peer) === true && !isService(part, peer))
    .slice(0, SAFES_MAX);
  if (safes.length === 0 || !chain.can.contract_calls) return [];
  const data = selectorOf("getOwners()");
  const at = await nodeStateBlock(part.scope);
  if (at === null) return [];
  const answers = await chain.call(
    safes.map((to) => ({ to, data })),
    signal,
    at,
  );
  return safes.flatMap((safe, i) => {
    const answer = answers[i];
    const owners = answer?.ok === true ? addressesAt(answer.data, 0) : null;
    if (owners === null || !owners.includes(part.wallet)) return [];
    return owners
      .filter((owner) => owner !== part.wallet)
      .slice(0, EACH_MAX)
      .map((owner) =>
        relationshipMatch(owner, {
          relation: "shared_safe_signer",
          confidence: 1,
          evidence: [
            {
              kind: "call",
              ref: `${chain.formatAddress(safe)} getOwners() at block ${snapshot.block.number}`,
              observed_at: iso(snapshot.block.time),
            },
          ],
        }),
      );
  });
};

/** Without a node the Safe owners are unknown (null); the other relationships still come from the index. */
const safeSignersOrNull = async (part: NetworkCounterparties, contracts: ReadonlyMap<Hex, boolean | null>) => {
  try {
    return await safeSigners(part, contracts);
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return null;
    throw error;
  }
};

const deployedBy = async (part: NetworkCounterparties): Promise<readonly RelationshipMatch[]> => {
  const { facts, snapshot } = part.scope;
  const rows = await facts.ask(snapshot, "counterparties/contracts_deployed", {
    wallet: part.wallet,
    until: part.window.until,
    limit: EACH_MAX,
  });
  return rows.map((row) =>
    relationshipMatch(row.address, { relation: "contract_deployed", confidence: 1, evidence: [txEvidence(part, row)] }),
  );
};

/** Other payers of these deposit addresses, with the first paying transaction of each. */
const readPayers = async ({ facts, snapshot }: SnapshotContext, addresses: readonly Hex[]) => {
  if (addresses.length === 0) return [];
  const payers = await facts.ask(snapshot, "counterparties/co_payers", { addresses, limit: PAYERS_MAX });
  return withHashes({ facts, snapshot }, payers);
};

const sameOwners = (
  part: NetworkCounterparties,
  known: {
    readonly candidates: readonly Hex[];
    readonly funders: ReadonlyMap<Hex, FirstFunder>;
    readonly payers: Awaited<ReturnType<typeof readPayers>>;
    readonly contacts: readonly Contact[];
    /** Exchanges and other services fund unrelated accounts. */
    readonly is_funded_by_service: boolean;
  },
): readonly RelationshipMatch[] => {
  const own = known.is_funded_by_service ? undefined : known.funders.get(part.wallet);
  return known.candidates
    .flatMap((address) => {
      const theirs = known.funders.get(address);
      const flow = part.rows.find(({ peer }) => peer === address);
      const is_same_funder =
        own !== undefined &&
        theirs !== undefined &&
        own.funder === theirs.funder &&
        Math.floor(own.time / DAY_S) === Math.floor(theirs.time / DAY_S);
      const found = sameOwnerSignals({
        shared_deposit: known.payers.filter(({ payer }) => payer === address).map((row) => txEvidence(part, row)),
        same_funder: is_same_funder ? [txEvidence(part, own), txEvidence(part, theirs)] : [],
        flow: flow === undefined ? null : { in_usd: flow.in_usd, out_usd: flow.out_usd },
        contacts: known.contacts.filter(({ peer }) => peer === address).map((contact) => txEvidence(part, contact)),
      });
      return found === null ? [] : [relationshipMatch(address, { relation: "same_owner_likely", ...found })];
    })
    .slice(0, EACH_MAX);
};

interface Relationships {
  readonly found: readonly Relationship[];
  /** False when no node was available. */
  readonly are_safes_known: boolean;
  /** Counterparties whose own history is not read, on a network that is read on demand. */
  readonly unread: number;
}

/** Relationships of the wallet on one network. */
export const readRelationships = async (part: NetworkCounterparties): Promise<Relationships> => {
  const { scope, wallet, rows } = part;
  const { facts, snapshot, chain } = scope;
  const looked = rows.slice(0, PEERS_READ_MAX).map(({ peer }) => peer);
  const deposits = depositsOf(part);
  const [contacts, contracts, payers, deployed] = await Promise.all([
    readContacts(part.history, [...new Set([...looked, ...deposits])]),
    contractsAmong(scope, looked),
    readAmong(scope, deposits).then((read) => readPayers(scope, read)),
    deployedBy(part),
  ]);
  const others = payers.map(({ payer }) => payer).filter((payer) => payer !== wallet && !isService(part, payer));
  const people = looked.filter((peer) => !isService(part, peer) && contracts.get(peer) !== true);
  const candidates = [...new Set([...people, ...others])];
  const read = await readAmong(scope, candidates, "wished");
  const byAddress = await readFirstFunders(scope, [wallet, ...read]);
  const funder = byAddress.get(wallet)?.funder ?? "";
  const [signers, backers] = await Promise.all([
    safeSignersOrNull(part, contracts),
    labelsOf(facts, snapshot, [funder]),
  ]);
  const backing = backers.get(funder)?.tags ?? [];
  const is_funded_by_service = backing.some((tag) => SERVICE_CATEGORIES.includes(tag));
  const all = [
    ...fundings(part, byAddress),
    ...depositRelations(part, deposits, contacts),
    ...mutuals(part, contacts, contracts),
    ...sameOwners(part, { candidates: candidates.sort(), funders: byAddress, payers, contacts, is_funded_by_service }),
    ...deployed,
    ...(signers ?? []),
  ];
  const parties = await namedParties(
    scope,
    all.map(({ address }) => address),
  );
  return {
    found: all.map(({ address, ...rest }) => ({
      ...{ network: chain.network.id, address: chain.formatAddress(address), ...shownParty(parties.get(address)) },
      ...rest,
    })),
    are_safes_known: signers !== null,
    unread: candidates.length - read.length,
  };
};
