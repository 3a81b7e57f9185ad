import { unknownAddress } from "../../domain/absences.ts";
import { areFirstsKnown } from "../../domain/address/identity/first_funders.ts";
import {
  readFunding,
  readKind,
  readLabels,
  readName,
  readOwnName,
  readPeers,
  readWealth,
} from "../../domain/compliance/profile/read.ts";
import { sourcesOf } from "../../domain/compliance/risk/checks.ts";
import { RISK_MODEL_ID } from "../../domain/compliance/risk/model.ts";
import { withPathNames } from "../../domain/compliance/risk/path_names.ts";
import type { NetworkRisk } from "../../domain/compliance/risk/read.ts";
import { combine, isKnown } from "../../domain/compliance/risk/wallet_risk.ts";
import type { CallContext } from "../../domain/context.ts";
import { DEFINITIONS, personasOf } from "../../domain/wallet/history/personas.ts";
import { readWalletActivity } from "../../domain/wallet/history/wallet_activity.ts";
import { computeWallet } from "../../domain/wallet/pnl/compute.ts";
import { sumRows, winRatePercent } from "../../domain/wallet/pnl/rows.ts";
import { assetComposition } from "../../domain/wallet/positions/asset_composition.ts";
import { knownSum, type WalletWorth } from "../../domain/wallet/positions/worth.ts";
import { allEnded } from "../../lib/all_ended.ts";
import { data, emptyOutcome } from "../../lib/outcome.ts";
import { DAY_S, iso } from "../../lib/time.ts";
import { metadataOver } from "../metadata.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { readRisk } from "../wallet_risk/assess.ts";
import { input } from "../wallet_risk/shape.ts";
import { output, type Profile } from "./shape.ts";

const TYPE = "address_profile";
const METHODOLOGY = `profile@1, ${RISK_MODEL_ID}`;
const SHOWN_MAX = 5;
const PNL_DAYS = 90;

/** Index reads of one network beyond those of the risk. Sequential, because each makes several queries. */
const readIndexed = async (context: CallContext, risk: NetworkRisk) => {
  const labels = await readLabels(risk);
  const funding = await readFunding(risk);
  const now = risk.scope.snapshot.block.time;
  const window = { from: Math.max(0, now - PNL_DAYS * DAY_S), until: now + 1 };
  // Both compare what the wallet has with what the node says.
  const [wealth, pnl] = await allEnded([
    readWealth(context, risk),
    computeWallet(risk.scope, risk.wallet, { window, basis: "average" }),
  ]);
  const { flows, transactions } = await readWalletActivity(risk.life);
  return { labels, funding, wealth, pnl, transactions, peers: await readPeers(risk.scope, flows) };
};

const readNetwork = async (context: CallContext, risk: NetworkRisk) => {
  const [indexed, kind, ens, sns] = await allEnded([
    readIndexed(context, risk),
    readKind(risk),
    readName(risk),
    readOwnName(risk),
  ]);
  return { risk, kind, ens, sns, ...indexed };
};

type ProfileNetwork = Awaited<ReturnType<typeof readNetwork>>;

const identityOf = (networks: readonly ProfileNetwork[]): Profile["identity"] => {
  const labels = networks.flatMap((one) => one.labels);
  const mark = networks.map(({ risk }) => risk.mark).find(({ is_labelled }) => is_labelled);
  const kind = networks.find((one) => one.kind !== null)?.kind ?? null;
  return {
    primary_label: labels[0]?.label ?? null,
    entity: mark?.party.entity ?? null,
    category: labels[0]?.category ?? null,
    labels,
    names: {
      ens: networks.find(({ ens }) => ens !== null)?.ens ?? null,
      basename: null,
      sns: networks.find(({ sns }) => sns !== null)?.sns ?? null,
      others: [],
    },
    is_contract: kind?.is_contract ?? null,
    account_type: kind?.account_type ?? null,
    owners: kind?.owners ?? null,
  };
};

const activityOf = (networks: readonly ProfileNetwork[]): Profile["activity"] => {
  const seen = networks.filter(({ risk }) => risk.history.is_seen).map(({ risk }) => risk);
  const firsts = seen.flatMap(({ history }) => (history.first_time === null ? [] : [history.first_time]));
  const lasts = seen.flatMap(({ history }) => (history.last_time === null ? [] : [history.last_time]));
  const now = Math.max(...networks.map(({ risk }) => risk.scope.snapshot.block.time));
  const is_whole = networks.every(({ risk }) => risk.scope.snapshot.coverage.complete);
  return {
    first_seen: firsts.length === 0 ? null : iso(Math.min(...firsts)),
    last_seen: lasts.length === 0 ? null : iso(Math.max(...lasts)),
    age_days: firsts.length === 0 || !is_whole ? null : Math.floor((now - Math.min(...firsts)) / DAY_S),
    tx_count: seen.reduce((sum, { history }) => sum + history.tx_count, 0),
    active_networks: seen.map(({ scope }) => scope.chain.network.id),
  };
};

const partyOf = ({ address, label, category, label_source }: Profile["funding"]["chain"][number]) => ({
  ...{ address, label, category, label_source },
});

const fundingOf = (networks: readonly ProfileNetwork[]): Profile["funding"] => {
  const chain =
    networks
      .map(({ funding }) => funding)
      .filter((funding) => funding.length > 0)
      .sort((a, b) => ((a[0]?.timestamp ?? "") < (b[0]?.timestamp ?? "") ? -1 : 1))[0] ?? [];
  const [first] = chain;
  return {
    first_funder: first === undefined ? null : partyOf(first),
    tx_hash: first?.tx_hash ?? null,
    amount: first?.amount ?? null,
    usd: first?.usd ?? null,
    timestamp: first?.timestamp ?? null,
    chain: [...chain],
  };
};

const wealthOf = (networks: readonly ProfileNetwork[]): Profile["wealth"] => {
  // On a network where the wallet has nothing it is worth 0, which says nothing about what has no price on another.
  const sum = (of: (worth: WalletWorth) => number | null): number | null => {
    const values = networks.map(({ wealth }) => of(wealth.worth));
    return knownSum(values.includes(null) ? values.filter((value) => value !== 0) : values);
  };
  const composition = assetComposition(
    networks.flatMap(({ wealth }) => wealth.assets),
    networks.flatMap(({ wealth }) => wealth.positions),
  );
  const top = networks.flatMap(({ wealth }) => wealth.top).sort((a, b) => (b.usd_value ?? -1) - (a.usd_value ?? -1));
  return {
    holdings_value_usd: sum((worth) => worth.holdings_value_usd),
    positions_value_usd: sum((worth) => worth.positions_value_usd),
    total_value_usd: sum((worth) => worth.total_value_usd),
    top_holdings: top.slice(0, SHOWN_MAX),
    stablecoin_percent: composition.stablecoin_percent,
  };
};

const behaviourOf = (
  networks: readonly ProfileNetwork[],
  labels: Profile["identity"]["labels"],
): Profile["behaviour"] => {
  const tagged = networks.flatMap(({ peers }) => peers.tagged);
  const persona = personasOf({
    transactions: networks.flatMap(({ transactions }) => transactions).sort((a, b) => a.time - b.time),
    peer_tags: new Set(tagged.flatMap(({ tags }) => tags)),
    own_tags: new Set(labels.map(({ category }) => category)),
    nft_transfers: networks.reduce((sum, { risk }) => sum + risk.history.nft_transfers, 0),
    deployed: networks.reduce((sum, { risk }) => sum + risk.history.deployed, 0),
    wealth_usd: networks.reduce((sum, { wealth }) => sum + (wealth.worth.total_value_usd ?? 0), 0),
  });
  const byVolume = tagged
    .map(({ row }) => row)
    .sort((a, b) => (b.volume_usd ?? -1) - (a.volume_usd ?? -1) || (a.address < b.address ? -1 : 1));
  const protocols = byVolume.filter(({ label }) => label !== null).sort((a, b) => b.tx_count - a.tx_count);
  return {
    persona,
    top_protocols: protocols.slice(0, SHOWN_MAX),
    top_counterparties: byVolume.slice(0, SHOWN_MAX),
  };
};

/** Realized over all networks; the win rate only where a single network traded. */
const performanceOf = (networks: readonly ProfileNetwork[]): Profile["performance"] => {
  const traded = networks.filter(({ pnl }) =>
    pnl.rows.some(({ entry }) => entry.trading.buy_count + entry.trading.sell_count > 0),
  );
  const [only] = traded;
  if (only === undefined) return null;
  const totals = traded.map(({ pnl }) => sumRows(pnl.rows));
  return {
    realized_usd_90d: totals.reduce((sum, { total_realized_pnl_usd }) => sum + total_realized_pnl_usd, 0),
    proceeds_without_cost_usd_90d: totals.reduce((sum, total) => sum + total.proceeds_without_cost_usd, 0),
    win_rate_percent: traded.length === 1 ? winRatePercent(only.pnl.book) : null,
  };
};

type ProfileRisk = ReturnType<typeof combine>;

/** With incomplete checks there is no score, but what was found is not hidden. */
const riskOf = (risk: ProfileRisk, is_checked: boolean): Profile["risk"] => {
  const is_listed = risk.sanctions.listed || risk.freezes.frozen_now;
  const top_reasons = risk.reasons
    .slice(0, SHOWN_MAX)
    .map(({ code, weight, evidence }) => ({ code, weight, evidence: [...evidence] }));
  if (is_checked) return { score: risk.score.score, level: risk.score.level, top_reasons };
  return { score: null, level: is_listed ? "severe" : "unknown", top_reasons };
};

const relatedOf = (risk: ProfileRisk, funding: Profile["funding"]): Profile["related_wallets"] => [
  ...funding.chain.slice(0, 1).map((first) => ({
    ...partyOf(first),
    network: first.network,
    relation: "first_funder" as const,
    evidence: [{ kind: "tx" as const, ref: first.tx_hash, observed_at: first.timestamp }],
  })),
  ...risk.related.map(({ address, label, label_category, label_source, network, relation, evidence }) => ({
    address,
    label,
    category: label_category,
    label_source,
    network,
    relation: relation === "counterparty" ? ("risky_counterparty" as const) : ("risky_intermediary" as const),
    evidence,
  })),
];

const unavailableOf = (
  networks: readonly ProfileNetwork[],
  risk: ProfileRisk,
  problems: readonly string[],
): Profile["unavailable"] => [
  { field: "behaviour.persona.airdrop_farmer", reason: "no source lists airdrop contracts" },
  { field: "identity.names.basename", reason: "Basenames are not resolved" },
  ...(networks.some(({ risk }) => risk.scope.chain.names !== undefined)
    ? []
    : [{ field: "identity.names.sns", reason: "SNS names belong to Solana addresses" }]),
  ...(networks.some(({ kind }) => kind === null)
    ? [{ field: "identity.account_type", reason: "no node returned the account's code at this block" }]
    : []),
  ...networks
    .filter(({ risk }) => !areFirstsKnown(risk.scope))
    .map(({ risk }) => ({
      field: "funding",
      reason: `the first transfer is unknown on ${risk.scope.chain.network.id}: its history or its traces are not fully indexed`,
    })),
  ...(problems.length > 0 ? [{ field: "risk.score", reason: problems.join(" ") }] : []),
  ...risk.unavailable.map(({ field, reason }) => ({ field: field.replace("risk_score", "risk.score"), reason })),
];

export const getWalletAddressProfile = defineTool({
  name: "get_wallet_address_profile",
  title: "Profile of an address",
  description:
    "Profile of an address on one page: labels and verified names, kind of account and owners, activity, first funder, wealth, personas by published rules, counterparties, profit over 90 days, risk score with reasons, deployed contracts and related wallets. Use it first for an unknown address: who is this, in one page.",
  credits: 8,
  families: ["evm", "solana", "tron"],
  input,
  output,
  subjects: ["address"],
  follows_counterparties: true,
  example: { address: DEMO_EXAMPLES.trader, network: "demo" },
  run: async (asked, context) => {
    const { spread, networks: found, problems } = await readRisk({ asked, context, type: TYPE });
    const metadata = metadataOver(asked, spread, {
      echo: { address: asked.address.text },
      methodology: METHODOLOGY,
      sources: sourcesOf(found.map(({ checks }) => checks)),
      warnings: found.flatMap(({ warnings }) => warnings),
    });
    if (!found.some(isKnown)) {
      const is_covered = spread.failed.length === 0 && found.every(({ history }) => history.gaps.length === 0);
      return emptyOutcome({ type: TYPE, metadata }, unknownAddress(spread, "address"), is_covered);
    }
    const networks: ProfileNetwork[] = [];
    for (const one of found) networks.push(await readNetwork(context, one));
    const risk = combine(await Promise.all(found.map(withPathNames)));
    const identity = identityOf(networks);
    const funding = fundingOf(networks);
    return data<Profile>({
      type: TYPE,
      identity,
      activity: activityOf(networks),
      funding,
      wealth: wealthOf(networks),
      behaviour: behaviourOf(networks, identity.labels),
      performance: performanceOf(networks),
      risk: riskOf(risk, problems.length === 0),
      deployed_contracts_count: found.reduce((sum, { history }) => sum + history.deployed, 0),
      related_wallets: relatedOf(risk, funding),
      definitions: DEFINITIONS,
      unavailable: unavailableOf(networks, risk, problems),
      metadata,
    });
  },
  view: {
    members: "identity risk activity funding wealth behaviour performance deployed_contracts_count related_wallets",
    drawn: {
      "risk.top_reasons": { is: "alerts" },
      funding: "first_funder amount usd timestamp tx_hash",
      "wealth.top_holdings": "symbol usd_value network token_address",
      "behaviour.top_protocols": "label category address volume_usd tx_count network",
      "behaviour.top_counterparties": "label category address volume_usd tx_count network",
    },
  },
});
