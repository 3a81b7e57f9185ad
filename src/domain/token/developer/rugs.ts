import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { SnapshotContext } from "../../context.ts";
import type { TokenOutcome } from "../verdict/verdict.ts";
import { type EndEvidence, endEvidence, isHistoryWhole, readCreated } from "./created_tokens.ts";
import { readDeveloper } from "./linked_wallets.ts";
import { type CreatedToken, readDeveloperTokens } from "./records.ts";
import { couldBeRug, type JudgedOutcome, judgeRecord, RUG_RULES, type TokenRecord } from "./rug_outcomes.ts";

/** Maximum number of an account's newest tokens to judge. */
const JUDGED_MAX = 20;

export interface Rug {
  readonly token: Hex;
  readonly cause: JudgedOutcome["cause"];
  readonly evidence: readonly EndEvidence[];
}

/** The judged end of the requested token. */
interface OwnEnd {
  readonly outcome: TokenOutcome | null;
  /** Its market's history does not exclude a rug. */
  readonly is_open: boolean;
}

/** Tokens of one account on one network that ended in a rug. */
export interface Rugs {
  /** Null without a requested token, and without a node. */
  readonly own_end: OwnEnd | null;
  /** The end of the requested token, which `found` leaves out; null when it was no rug, or is unknown. */
  readonly own: Rug | null;
  /** Newest token first. */
  readonly found: readonly Rug[];
  /** Number of judged tokens. */
  readonly tokens_count: number;
  /** Why there may be more of them; null when the list is complete. */
  readonly gap: string | null;
}

/** Not judged a rug, but a rug cannot be excluded. */
const isOpen = (record: TokenRecord): boolean =>
  record.was_listed &&
  (record.depth_usd === null ||
    couldBeRug(record) ||
    (record.replay === null && record.depth_usd >= RUG_RULES.depth_usd_min));

const NO_NODE: Rugs = {
  own_end: null,
  own: null,
  found: [],
  tokens_count: 0,
  gap: "no node answers for the state of its tokens",
};

const endOf = (record: TokenRecord): OwnEnd => ({
  outcome: judgeRecord(record).outcome,
  is_open: record.was_listed && (record.depth_usd === null || couldBeRug(record)),
});

/**
 * Reads how the tokens of `wallet` ended; the requested one is separate from the others. Without a node nothing is
 * known.
 */
export const readRugs = async (scope: SnapshotContext, wallet: Hex, asked: CreatedToken | null): Promise<Rugs> => {
  const own = asked?.token ?? null;
  try {
    const [developer, created] = await Promise.all([readDeveloper(scope, wallet), readCreated(scope, wallet)]);
    const tokens = created.filter(({ token }) => token !== own);
    const judged = tokens.slice(0, JUDGED_MAX);
    const looked = [...(asked === null ? [] : [asked]), ...judged];
    const is_whole = await isHistoryWhole(scope, developer);
    const records =
      looked.length === 0 ? new Map<Hex, TokenRecord>() : (await readDeveloperTokens(scope, developer, looked)).records;
    const ends = [...records].map(([token, record]) => ({ token, record, end: judgeRecord(record) }));
    const rugs = ends
      .filter(({ end }) => end.outcome === "rugged")
      .map(({ token, end }) => ({ token, cause: end.cause, evidence: endEvidence(scope, token, end) }));
    const others = ends.filter(({ token }) => token !== own);
    const open = others.filter(({ record, end }) => end.outcome !== "rugged" && isOpen(record)).length;
    const gaps = [
      ...(is_whole ? [] : ["the account was active outside the index's coverage"]),
      ...(tokens.length > judged.length ? [`only its newest ${JUDGED_MAX} tokens were judged`] : []),
      ...(open === 0 ? [] : [`the ends of ${open} of its tokens are unknown`]),
    ];
    const record = own === null ? undefined : records.get(own);
    return {
      own_end: record === undefined ? null : endOf(record),
      own: rugs.find(({ token }) => token === own) ?? null,
      found: rugs.filter(({ token }) => token !== own),
      tokens_count: judged.length,
      gap: gaps.length === 0 ? null : gaps.join("; "),
    };
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return NO_NODE;
    throw error;
  }
};
