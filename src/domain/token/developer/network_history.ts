import type { Hex } from "../../../lib/bytes.ts";
import { DAY_S, iso } from "../../../lib/time.ts";
import type { Evidence, SnapshotContext } from "../../context.ts";
import { metadataIn, metadataOf, type TokenMetadata } from "../metadata/metadata.ts";
import type { TokenOutcome } from "../verdict/verdict.ts";
import { endEvidence, isHistoryWhole, readCreated } from "./created_tokens.ts";
import { highestMcap } from "./highest_mcap.ts";
import { type Developer, readDeveloper } from "./linked_wallets.ts";
import { type CreatedToken, type DeveloperTokens, readDeveloperTokens } from "./records.ts";
import { type JudgedOutcome, judgeRecord, medianOf, rugRatePercent } from "./rug_outcomes.ts";

/** A token that a developer launched, and how it ended. */
export interface LaunchedToken {
  address: string;
  symbol: string | null;
  network: string;
  created_at: string;
  outcome: TokenOutcome | null;
  cause: JudgedOutcome["cause"];
  peak_liquidity_usd: number | null;
  lifetime_days: number;
  evidence: Evidence[];
}

/** All of a developer's tokens. */
export interface DeveloperHistory {
  tokens_launched: number;
  rugged: number;
  dead: number;
  alive: number;
  too_new: number;
  drained: number;
  counterfeit: number;
  rug_rate_percent: number | null;
  median_lifetime_days: number | null;
  best_peak_mcap_usd: number | null;
  tokens: LaunchedToken[];
}

/** Maximum number of tokens to judge. */
const JUDGED_MAX = 50;

/** A developer's tokens on one network. */
export interface NetworkHistory {
  readonly scope: SnapshotContext;
  readonly developer: Developer;
  /** Newest first, at most JUDGED_MAX. */
  readonly tokens: readonly CreatedToken[];
  readonly tokens_launched: number;
  readonly known: DeveloperTokens;
  readonly faces: ReadonlyMap<Hex, TokenMetadata>;
  readonly highest_mcap_usd: number | null;
  /** False: the account was active before the indexed blocks, or inner calls are missing. */
  readonly is_whole: boolean;
}

/** `also`: a token of the developer that another account created for it; null without one. */
export const readNetworkHistory = async (
  scope: SnapshotContext,
  wallet: Hex,
  also: CreatedToken | null,
): Promise<NetworkHistory> => {
  const [developer, created] = await Promise.all([readDeveloper(scope, wallet), readCreated(scope, wallet)]);
  const is_listed = also === null || created.some(({ token }) => token === also.token);
  const all = is_listed ? created : [also, ...created];
  const newest = all.slice(0, JUDGED_MAX);
  const tokens =
    also === null || newest.some(({ token }) => token === also.token) ? newest : [...newest.slice(1), also];
  const addresses = tokens.map(({ token }) => token);
  const [known, faces, is_whole] = await Promise.all([
    readDeveloperTokens(scope, developer, tokens),
    metadataOf(scope, addresses),
    isHistoryWhole(scope, developer),
  ]);
  const highest_mcap_usd = await highestMcap(scope, addresses);
  return { scope, developer, tokens, tokens_launched: all.length, known, faces, highest_mcap_usd, is_whole };
};

const rowOf = (history: NetworkHistory, { token, created_s }: CreatedToken): { row: LaunchedToken; ended: boolean } => {
  const { chain, snapshot } = history.scope;
  const record = history.known.records.get(token);
  const judged: JudgedOutcome =
    record === undefined ? { outcome: null, cause: null, ended_s: null, events: [] } : judgeRecord(record);
  const until = judged.ended_s ?? snapshot.block.time;
  return {
    ended: judged.ended_s !== null,
    row: {
      address: chain.formatAddress(token),
      symbol: metadataIn(history.faces, token).symbol,
      network: chain.network.id,
      created_at: iso(created_s),
      outcome: judged.outcome,
      cause: judged.cause,
      peak_liquidity_usd: history.known.peaks_usd.get(token) ?? null,
      lifetime_days: (until - created_s) / DAY_S,
      evidence: [...endEvidence(history.scope, token, judged)],
    },
  };
};

/** One list over all networks: newest first, then by network and address. */
export const historyOf = (networks: readonly NetworkHistory[]): DeveloperHistory => {
  const all = networks
    .flatMap((history) => history.tokens.map((created) => rowOf(history, created)))
    .sort(
      (a, b) =>
        b.row.created_at.localeCompare(a.row.created_at) ||
        a.row.network.localeCompare(b.row.network) ||
        a.row.address.localeCompare(b.row.address),
    );
  const outcomes = all.map(({ row }) => row.outcome);
  const count = (wanted: TokenOutcome): number => outcomes.filter((outcome) => outcome === wanted).length;
  const mcaps = networks.flatMap(({ highest_mcap_usd }) => highest_mcap_usd ?? []);
  return {
    tokens_launched: networks.reduce((sum, { tokens_launched }) => sum + tokens_launched, 0),
    rugged: count("rugged"),
    dead: count("dead"),
    alive: count("alive"),
    too_new: count("too_new"),
    drained: count("drained"),
    counterfeit: count("counterfeit"),
    rug_rate_percent: rugRatePercent(outcomes),
    median_lifetime_days: medianOf(all.filter(({ ended }) => ended).map(({ row }) => row.lifetime_days)),
    best_peak_mcap_usd: mcaps.length === 0 ? null : Math.max(...mcaps),
    tokens: all.slice(0, JUDGED_MAX).map(({ row }) => row),
  };
};
