import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { toAmount } from "../../../lib/money.ts";
import { hourOf, iso } from "../../../lib/time.ts";
import { ownersOf, readAccountKind } from "../../address/identity/account_kind.ts";
import { type FirstFunder, readFirstFunders } from "../../address/identity/first_funders.ts";
import { namedParties, type ShownParty, shownParty, withNames } from "../../address/identity/parties.ts";
import { deployedUniversal } from "../../address/names/deployed_universal.ts";
import { primaryName } from "../../address/names/ens.ts";
import type { CallContext, SnapshotContext } from "../../context.ts";
import { readAmong } from "../../read_among.ts";
import { formatToken, symbolOf } from "../../token/metadata/metadata.ts";
import { priceKey, pricesAtHours } from "../../valuation/prices/price_now.ts";
import { usdOf } from "../../valuation/worth.ts";
import type { CounterpartyFlow, WalletFlows } from "../../wallet/history/flows.ts";
import { byValue, readHoldings } from "../../wallet/holdings/holdings.ts";
import { readPositions } from "../../wallet/positions/read.ts";
import { worthOf } from "../../wallet/positions/worth.ts";
import type { NetworkRisk } from "../risk/read.ts";

const HOPS_MAX = 3;
const SHOWN_MAX = 5;
const PEERS_MAX = 200;

const orNull = async <T>(ask: () => Promise<T>): Promise<T | null> => {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return null;
    throw error;
  }
};

/** Kind of account at the answer's block; null when no node answers. */
export const readKind = ({ scope, wallet }: NetworkRisk) =>
  orNull(async () => {
    const { chain, snapshot, signal } = scope;
    const read = await readAccountKind({ chain, address: wallet, at: snapshot.block.number, signal });
    const { is_contract, account_type } = read;
    const owners = ownersOf(read);
    return {
      account_type,
      is_contract,
      owners:
        owners === null
          ? null
          : { threshold: owners.threshold, signers: owners.signers.map((signer) => chain.formatAddress(signer)) },
    };
  });

/** The verified primary name, where the network has an ENS registry. */
export const readName = ({ scope, wallet }: NetworkRisk): Promise<string | null> => {
  const { chain, snapshot, signal } = scope;
  const { ens } = chain.network;
  if (ens === null) return Promise.resolve(null);
  const at = { at: snapshot.block.number, signal };
  return orNull(async () => {
    const universal_resolver = await deployedUniversal(chain, ens.universal_resolver, at);
    return primaryName({ chain, ...ens, ...at, universal_resolver }, wallet, null);
  });
};

/** The favourite name, where the network keeps names in accounts of its own. */
export const readOwnName = async ({ scope, wallet }: NetworkRisk): Promise<string | null> => {
  const { names } = scope.chain;
  return names === undefined ? null : orNull(() => names.primaryOf(wallet, scope.signal));
};

interface ProfileLabel {
  readonly label: string;
  readonly category: string;
  readonly source: string;
  readonly confidence: number;
  readonly network: string;
}

export const readLabels = async ({ scope, wallet }: NetworkRisk): Promise<ProfileLabel[]> => {
  const rows = await scope.facts.ask(scope.snapshot, "labels_among", { addresses: [wallet] });
  const network = scope.chain.network.id;
  return rows.map(({ label, category, source, confidence }) => ({ label, category, source, confidence, network }));
};

interface ProfileFunder extends ShownParty {
  readonly address: string;
  readonly network: string;
  readonly funded: string;
  readonly tx_hash: string;
  /** Whole coins. */
  readonly amount: number;
  readonly usd: number | null;
  readonly timestamp: string;
}

const funderOf = async (scope: SnapshotContext, row: FirstFunder): Promise<ProfileFunder> => {
  const { chain, facts, snapshot } = scope;
  const hour = hourOf(row.time);
  const [parties, prices] = await Promise.all([
    namedParties(scope, [row.funder]),
    pricesAtHours({ facts, network: chain.network, snapshot }, [{ token: "", hour }]),
  ]);
  const { decimals } = chain.network.native;
  return {
    address: chain.formatAddress(row.funder),
    ...shownParty(parties.get(row.funder)),
    network: chain.network.id,
    funded: chain.formatAddress(row.address),
    tx_hash: chain.formatHash(row.tx_hash),
    amount: toAmount(row.amount, decimals),
    usd: usdOf(row.amount, decimals, prices.get(priceKey("", hour))),
    timestamp: iso(row.time),
  };
};

/** The wallet's first funder, its own first funder, and so on; empty while the first transfer is unknown. */
export const readFunding = async ({ scope, wallet }: NetworkRisk): Promise<readonly ProfileFunder[]> => {
  const found: ProfileFunder[] = [];
  const seen = new Set<Hex>([wallet]);
  for (let address = wallet; found.length < HOPS_MAX; ) {
    const [readable] = address === wallet ? [address] : await readAmong(scope, [address]);
    const row = readable === undefined ? undefined : (await readFirstFunders(scope, [readable])).get(readable);
    if (row === undefined) break;
    found.push(await funderOf(scope, row));
    if (seen.has(row.funder)) break;
    seen.add(row.funder);
    address = row.funder;
  }
  return found;
};

export const readWealth = async (context: CallContext, { scope, wallet }: NetworkRisk) => {
  const { chain, snapshot } = scope;
  const { value } = await readHoldings(context, { chain, wallet, as_of_block: snapshot.block.number });
  const held = value.holdings
    .filter(({ spam_reasons, is_collectible }) => spam_reasons.length === 0 && !is_collectible)
    .sort(byValue);
  const stood = await readPositions(scope, wallet, value.holdings);
  const assets = stood.assets.filter(({ spam_reasons }) => spam_reasons.length === 0);
  return {
    worth: worthOf(assets, stood.positions),
    assets,
    positions: stood.positions,
    top: held.slice(0, SHOWN_MAX).map(({ face, usd_value }) => ({
      network: chain.network.id,
      token_address: formatToken(chain, face.token),
      symbol: symbolOf(chain, face),
      usd_value,
    })),
  };
};

interface ProfileCounterparty extends ShownParty {
  readonly address: string;
  readonly network: string;
  readonly volume_usd: number | null;
  readonly tx_count: number;
}

/** The counterparties of one network by volume, and those of them that are labelled services by use. */
export const readPeers = async (scope: SnapshotContext, flows: WalletFlows) => {
  const { chain } = scope;
  const { rows: peers } = await flows.ask({ by: "peer", limit: PEERS_MAX });
  const shown = peers.map(({ peer }) => peer);
  const parties = await withNames(scope, flows.labels, shown);
  const rowOf = (flow: CounterpartyFlow): ProfileCounterparty => ({
    address: chain.formatAddress(flow.peer),
    ...shownParty(parties.get(flow.peer)),
    network: chain.network.id,
    volume_usd: flow.interactions === flow.unpriced ? null : flow.in_usd + flow.out_usd,
    tx_count: flow.transactions,
  });
  const tagged = peers.map((flow) => ({ row: rowOf(flow), tags: parties.get(flow.peer)?.tags ?? [] }));
  return { rows: tagged.map(({ row }) => row), tagged };
};

export type ProfilePeers = Awaited<ReturnType<typeof readPeers>>;
