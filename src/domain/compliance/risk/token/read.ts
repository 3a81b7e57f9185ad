import type { Hex } from "../../../../lib/bytes.ts";
import type { Sources } from "../../../../sources/index.ts";
import type { SourceAnswer } from "../../../../sources/source.ts";
import type { Snapshot } from "../../../../store/facts.ts";
import { selectorOf } from "../../../abi.ts";
import type { SnapshotContext } from "../../../context.ts";
import { creatorAndTime } from "../../../token/contracts/creation.ts";
import { gapOf, isVerified, sourcesAmong } from "../../../token/contracts/verified_sources.ts";
import { readOutcomesOf } from "../../../token/developer/holding_outcomes.ts";
import { RUG_RULES } from "../../../token/developer/rug_outcomes.ts";
import { readRugs } from "../../../token/developer/rugs.ts";
import { readCreator } from "../../../token/developer/token_creation.ts";
import { largestByEvents } from "../../../token/holders/holders.ts";
import type { MarketToken } from "../../../token/market/read.ts";
import { impersonated, isCanonical, registryOf } from "../../../token/metadata/registry.ts";
import { faceReasons, isDeep, MASS_RECEIVERS } from "../../../token/metadata/spam.ts";
import { simulateSends } from "../../../token/simulation/sends.ts";
import { functionsIn } from "../../../transaction/decoding/abi_entries.ts";
import type { IndexedLife, PowerFacts, TokenRiskFacts } from "./facts.ts";
import { readTokenHolders } from "./holders.ts";
import { readTokenLiquidity, type TokenLiquidity } from "./liquidity.ts";
import { readReplay, readScan, readSimulation, readTokenPowers } from "./simulated.ts";
import { simulationStateAt } from "./state.ts";

/** Signatures of the functions in a verified source, by selector. */
const signaturesIn = (answer: SourceAnswer): readonly (readonly [Hex, string])[] =>
  answer.kind === "verified"
    ? functionsIn(answer.source.abi ?? []).map(({ signature }) => [selectorOf(signature), signature])
    : [];

/** True when all code that runs is verified, false when some is not; null with the reason when unknown. */
const readVerified = async (
  scope: SnapshotContext,
  sources: Sources,
  contracts: { readonly addresses: readonly Hex[]; readonly at: number },
): Promise<Pick<TokenRiskFacts, "is_verified" | "verified_gap" | "signatures">> => {
  const { chain, signal } = scope;
  const standing = await Promise.all(
    contracts.addresses.map(async (address) => {
      const { code } = await chain.account(address, signal, contracts.at);
      return { address, code };
    }),
  );
  const answers = await sourcesAmong(
    scope,
    sources,
    standing.filter(({ code }) => code.length > 0),
  );
  const told = [...answers.values()].map(isVerified);
  const signatures = new Map([...answers.values()].flatMap(signaturesIn));
  if (told.includes(false)) return { is_verified: false, verified_gap: null, signatures };
  const gap = gapOf(answers.values());
  return { is_verified: gap === null && told.length > 0 ? true : null, verified_gap: gap, signatures };
};

export interface TokenRiskQuery {
  readonly subject: MarketToken;
  /** Block whose state is read. */
  readonly at: number;
  readonly sources: Sources;
}

/** Facts of the index that do not depend on the accounts with power over the token. */
const readIndexed = async (
  scope: SnapshotContext,
  { subject: { token }, at }: Pick<TokenRiskQuery, "subject" | "at">,
) => {
  const { facts, snapshot } = scope;
  const [liquidity, creation, [reach]] = await Promise.all([
    readTokenLiquidity(scope, { token, at }),
    creatorAndTime(scope, token),
    facts.ask(snapshot, "token/airdrop_reach", { token, more_than: MASS_RECEIVERS }),
  ]);
  const unmoved = snapshot.followed === undefined ? 0 : null;
  return { liquidity, creator: creation?.creator ?? null, receivers_max: reach?.receivers_max ?? unmoved };
};

type IndexedTokenRisk = Awaited<ReturnType<typeof readIndexed>>;

/** A token with enough liquidity left is not drained. */
const readDrained = async (scope: SnapshotContext, token: Hex, { total_usd }: TokenLiquidity): Promise<boolean> => {
  // Where pools are not read, the end of the token is among its unknown traits.
  if (scope.snapshot.followed !== undefined) return false;
  if (total_usd !== null && total_usd >= 2 * RUG_RULES.depth_usd_min) return false;
  const outcomes = await readOutcomesOf(scope, [{ holder: token, token, amount: 1n }]);
  return [...outcomes.values()].some(({ outcome }) => outcome === "drained");
};

/** The end of the token, and of others of its developer: the same wallet as in analyze_token_developer. */
const readEnds = async (scope: SnapshotContext, token: Hex, { liquidity }: IndexedTokenRisk) => {
  const creation = await readCreator(scope, token);
  const [creator_rugs, is_drained] = await Promise.all([
    creation === null ? null : readRugs(scope, creation.developer, { token, created_s: creation.created_s }),
    readDrained(scope, token, liquidity),
  ]);
  return { creator_rugs, is_drained };
};

/** A token without an indexed creation is as old as the chain if the index begins with it. */
const lifeIn = ({ coverage, from_block, followed }: Snapshot, created_at: number | null): IndexedLife => {
  if (followed !== undefined) return { is_life_indexed: false, is_creation_missing: true };
  const { complete, logs, gaps, traces } = coverage;
  const begins_with_chain = from_block <= 1 && complete;
  return {
    is_life_indexed: logs && gaps.length === 0 && (begins_with_chain || created_at !== null),
    is_creation_missing: created_at === null && !(begins_with_chain && traces),
  };
};

/** `insiders`: accounts whose transfers prove nothing about other holders. */
const readMarket = async (
  scope: SnapshotContext,
  { subject, ...indexed }: IndexedTokenRisk & { readonly subject: MarketToken },
  insiders: readonly Hex[],
) => {
  const { chain, snapshot } = scope;
  const { token, face, created_at } = subject;
  const { liquidity } = indexed;
  const [holders, registry] = await Promise.all([readTokenHolders(scope, subject, insiders), registryOf(scope)]);
  const named = { token, name: face.name, symbol: face.symbol, has_hidden: face.has_hidden === true };
  const is_unread = snapshot.followed !== undefined && liquidity.price === null;
  // Words that a deep market would excuse prove nothing where markets are not read.
  const confidence = liquidity.price?.confidence ?? (is_unread ? "medium" : null);
  const reasons = faceReasons(registry, named, confidence);
  const none = is_unread ? null : false;
  return {
    ...indexed,
    chain,
    token,
    holders,
    created_at,
    history: lifeIn(snapshot, created_at),
    is_listed: isCanonical(chain.network, token),
    is_fake: impersonated(registry, named, { is_traded: isDeep(confidence) }) !== null || none,
    is_luring: reasons.some((reason) => reason === "url_in_name" || reason === "claim_wording") || none,
    is_instructing: reasons.includes("instruction_text"),
    has_hidden: reasons.includes("hidden_characters"),
  };
};

/** Returns null when the address has no code. */
export const readRiskFacts = async (
  scope: SnapshotContext,
  { subject, at, sources }: TokenRiskQuery,
): Promise<TokenRiskFacts | null> => {
  const { chain, signal } = scope;
  const { token } = subject;
  const [ground, indexed, [largest]] = await Promise.all([
    simulationStateAt(scope, at),
    readIndexed(scope, { subject, at }),
    largestByEvents(scope, token),
  ]);
  const { creator, liquidity } = indexed;
  const [scan, simulation, ends, described] = await Promise.all([
    readScan(scope, { token, at, known: { creator, holder: largest?.holder ?? null } }),
    readSimulation(scope, ground, liquidity),
    readEnds(scope, token, indexed),
    chain.describe?.(token, signal, at),
  ]);
  if (scan === null) return null;
  const insiders = [creator, scan.owner?.address ?? null].flatMap((one) => one ?? []);
  const [market, verified] = await Promise.all([
    readMarket(scope, { subject, ...indexed }, insiders),
    readVerified(scope, sources, { addresses: [...new Set([token, ...scan.code_addresses])], at }),
  ]);
  const [replay, powers] = await Promise.all([
    readReplay(scope, ground, { token, people: market.holders.people, liquidity, simulation }),
    readTokenPowers(scope, ground, { scan, creator, liquidity, people: market.holders.people, token }),
  ]);
  const caller_energy_percent = described?.resources?.caller_energy_percent ?? null;
  return {
    ...market,
    ...ends,
    ...powers,
    block: ground.block,
    scan,
    simulation,
    replay,
    caller_energy_percent,
    ...verified,
  };
};

/** Facts about a token that is an account: its authorities and their powers. Null when it is not such a token. */
export const readPowerFacts = async (
  scope: SnapshotContext,
  { subject, at }: Pick<TokenRiskQuery, "subject" | "at">,
): Promise<PowerFacts | null> => {
  const { chain, signal } = scope;
  const [{ block }, indexed, traits] = await Promise.all([
    simulationStateAt(scope, at),
    readIndexed(scope, { subject, at }),
    chain.tokenTraits(subject.token, signal, at),
  ]);
  if (traits === null) return null;
  const minter = traits.mint_authority;
  const insiders = [indexed.creator, minter].flatMap((one) => one ?? []);
  const [ends, market, account] = await Promise.all([
    readEnds(scope, subject.token, indexed),
    readMarket(scope, { subject, ...indexed }, insiders),
    minter === null ? null : chain.describe?.(minter, signal, at),
  ]);
  const sends = await simulateSends(scope, subject.token, {
    ...{ people: market.holders.people, traits, at },
  });
  const is_minter_alone = minter === null ? null : (account?.kind ?? "eoa") === "eoa";
  return { ...market, ...ends, block, traits, is_minter_alone, sends };
};
