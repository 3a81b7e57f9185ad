import { noCreation } from "../../domain/absences.ts";
import { namedParties, shownParty } from "../../domain/address/identity/parties.ts";
import type { CallContext, SnapshotContext, Warning } from "../../domain/context.ts";
import { queryNetworks } from "../../domain/networks.ts";
import { nodeStateBlock } from "../../domain/node_state.ts";
import { readActions } from "../../domain/token/developer/actions.ts";
import { historyOf, type NetworkHistory, readNetworkHistory } from "../../domain/token/developer/network_history.ts";
import { readCreator, type TokenCreation } from "../../domain/token/developer/token_creation.ts";
import { flagsOf, riskLevel } from "../../domain/token/developer/verdict.ts";
import { readHolderSums, SUMS_REASON } from "../../domain/token/holders/sums.ts";
import type { TokenMetadata } from "../../domain/token/metadata/metadata.ts";
import { readTokenMetadata } from "../../domain/token/metadata/subject.ts";
import { priceKey, pricesAtHours } from "../../domain/valuation/prices/price_now.ts";
import type { Hex } from "../../lib/bytes.ts";
import { percentOf, toAmount } from "../../lib/money.ts";
import { data, emptyOutcome, failed } from "../../lib/outcome.ts";
import { DAY_S, hourOf, iso } from "../../lib/time.ts";
import { isWord } from "../../lib/wide.ts";
import { metadataFor } from "../metadata.ts";
import { defineTool } from "../tool.ts";
import { type DeveloperOutput, input, output } from "./shape.ts";

const TYPE = "token_developer";
const METHODOLOGY = "token-developer@2+rug-outcome@2";

const describeDeveloper = async (scope: SnapshotContext, creation: TokenCreation, { developer }: NetworkHistory) => {
  const { facts, snapshot, chain, signal } = scope;
  const { wallet, funding } = developer;
  const funder = funding === null || funding.funder === "" ? null : funding;
  const now = hourOf(snapshot.block.time);
  const hours = [now, ...(funder === null ? [] : [hourOf(funder.funded_at)])];
  const at = await nodeStateBlock(scope);
  const [labels, prices, state] = await Promise.all([
    namedParties(scope, [wallet, funder?.funder ?? ""]),
    pricesAtHours(
      { facts, snapshot, network: chain.network },
      hours.map((hour) => ({ token: "", hour })),
    ),
    at === null ? null : chain.account(wallet, signal, at),
  ]);
  const usd = (amount: bigint, hour: number): number | null => {
    const price = prices.get(priceKey("", hour))?.price_usd;
    return price === undefined ? null : toAmount(amount, chain.network.native.decimals) * price;
  };
  return {
    address: chain.formatAddress(wallet),
    ...shownParty(labels.get(wallet)),
    tags: labels.get(wallet)?.tags ?? null,
    is_contract_factory: creation.factory !== null,
    launchpad: creation.launchpad,
    age_days: funding === null ? null : (snapshot.block.time - funding.first_seen) / DAY_S,
    first_funder:
      funder === null
        ? null
        : {
            address: chain.formatAddress(funder.funder),
            ...shownParty(labels.get(funder.funder)),
            tx_hash: chain.formatHash(funder.tx_hash),
            amount_usd: usd(funder.amount, hourOf(funder.funded_at)),
          },
    balance_usd: state === null ? null : usd(state.balance, now),
  };
};

const readHoldings = async (
  scope: SnapshotContext,
  { known, developer }: NetworkHistory,
  face: TokenMetadata,
): Promise<DeveloperOutput["holdings"]> => {
  const { facts, snapshot, chain } = scope;
  const linked = [...(known.linked.get(face.token) ?? [])].filter(([wallet]) => wallet !== developer.wallet);
  const wallets = [developer.wallet, ...linked.map(([wallet]) => wallet)];
  const [balances, { supply, is_doubtful }] = await Promise.all([
    facts.balanceOf(
      snapshot,
      wallets.map((holder) => ({ token: face.token, holder })),
    ),
    readHolderSums({ facts, snapshot }, face.token),
  ]);
  const [own = 0n, ...others] = balances;
  const percent = (amount: bigint): number | null => (supply <= 0n || is_doubtful ? null : percentOf(amount, supply));
  const is_known = !is_doubtful || isWord(own);
  return {
    developer_balance: face.decimals === null || !is_known ? null : toAmount(own, face.decimals),
    developer_balance_raw: is_known ? own.toString() : null,
    developer_percent: percent(own),
    linked_percent: percent(balances.reduce((sum, amount) => sum + amount, 0n)),
    linked_wallets: linked
      .map(([wallet, relation], i) => ({
        address: chain.formatAddress(wallet),
        relation: relation as Exclude<typeof relation, "developer">,
        percent: percent(others[i] ?? 0n),
      }))
      .sort((a, b) => (b.percent ?? 0) - (a.percent ?? 0) || (a.address < b.address ? -1 : 1)),
  };
};

const NO_SHARE = `the token has no holders, or ${SUMS_REASON}`;

const reasonsOf = (
  shown: Omit<DeveloperOutput, "unavailable" | "metadata">,
  lock_gap: string,
): DeveloperOutput["unavailable"] => {
  const { developer, developer_actions: actions, history, holdings } = shown;
  const reasons: [boolean, string, string][] = [
    [
      developer.balance_usd === null,
      "developer.balance_usd",
      "the native coin has no price, or no node has the state of this block",
    ],
    [developer.launchpad === null, "developer.launchpad", "no known launchpad made the token"],
    [holdings.developer_percent === null, "holdings.developer_percent", NO_SHARE],
    [actions.sold_usd === null, "developer_actions.sold_usd", "some sales had no price"],
    [
      actions.transferred_to_exchange_usd === null,
      "developer_actions.transferred_to_exchange_usd",
      "the token had no price when it was sent",
    ],
    [
      actions.liquidity_added_usd === null,
      "developer_actions.liquidity_added_usd",
      "the other side had no price when it was added",
    ],
    [actions.liquidity_removed_usd === null, "developer_actions.liquidity_removed_usd", "the other side had no price"],
    [actions.lp_status === "unknown", "developer_actions.lp_status", "no constant-product pool with liquidity is left"],
    [actions.lock_until === null, "developer_actions.lock_until", lock_gap],
    [actions.mint_after_launch_raw === null, "developer_actions.mint_after_launch_raw", "the token was never listed"],
    [actions.ownership === "unknown", "developer_actions.ownership", "the contract names no owner"],
    [
      history.best_peak_mcap_usd === null,
      "history.best_peak_mcap_usd",
      "none of the tokens ever had a price, or their circulating supply is unknown",
    ],
    [
      history.tokens.some(({ peak_liquidity_usd }) => peak_liquidity_usd === null),
      "history.tokens[].peak_liquidity_usd",
      "never listed, not a constant-product pool, or the other side had no price",
    ],
    [
      history.tokens.some(({ outcome }) => outcome === null),
      "history.tokens[].outcome",
      "never listed on a known exchange, or its market cannot be valued",
    ],
  ];
  return reasons.flatMap(([is_missing, field, reason]) => (is_missing ? [{ field, reason }] : []));
};

interface DeveloperFinding {
  readonly scope: SnapshotContext;
  readonly face: TokenMetadata;
  readonly creation: TokenCreation;
  readonly own: NetworkHistory;
  readonly others: readonly NetworkHistory[];
  readonly failed: number;
}

const answerOf = async (finding: DeveloperFinding): Promise<Omit<DeveloperOutput, "metadata">> => {
  const { scope, face, creation, own, others } = finding;
  const { chain, snapshot } = scope;
  const [developer, holdings, { actions, lp_pool, lock_gap }] = await Promise.all([
    describeDeveloper(scope, creation, own),
    readHoldings(scope, own, face),
    readActions({ scope, token: face.token, decimals: face.decimals, known: own.known }),
  ]);
  const all = [own, ...others];
  const history = historyOf(all);
  const findings = {
    history,
    holdings,
    developer_actions: actions,
    outcome: history.tokens.find(({ address }) => address === chain.formatAddress(face.token))?.outcome ?? null,
    is_history_whole: finding.failed === 0 && all.every(({ is_whole }) => is_whole),
  };
  const at = iso(snapshot.block.time);
  const read = (what: string, of: Hex) => [
    {
      kind: "call" as const,
      ref: `${what} of ${chain.formatAddress(of)} at block ${snapshot.block.number}`,
      observed_at: at,
    },
  ];
  const shown = {
    type: "token_developer" as const,
    token: {
      address: chain.formatAddress(face.token),
      symbol: face.symbol,
      network: chain.network.id,
      created_at: iso(creation.created_s),
      creation_tx: chain.formatHash(creation.tx_hash),
    },
    developer,
    holdings,
    developer_actions: actions,
    history,
    networks_searched: all.map((one) => one.scope.chain.network.id).sort(),
    risk_level: riskLevel(findings),
    flags: flagsOf(findings, {
      holdings: read("balances", face.token),
      liquidity: read("holders", lp_pool ?? face.token),
      mints: read("issuance", face.token),
    }),
  };
  return { ...shown, unavailable: reasonsOf(shown, lock_gap) };
};

/** The developer's tokens on every network whose addresses look like this one's. */
const readHistories = async (
  scope: SnapshotContext,
  context: CallContext,
  { creation, token }: { creation: TokenCreation; token: Hex },
) => {
  const chains = context.networks
    .map((id) => context.chain(id))
    .filter(
      (chain) => chain.network.family === scope.chain.network.family && chain.network.id !== scope.chain.network.id,
    );
  const [own, spread] = await Promise.all([
    readNetworkHistory(scope, creation.developer, { token, created_s: creation.created_s }),
    queryNetworks("all", chains, async (chain) => {
      const snapshot = await context.facts.snapshot(chain.network.id, null);
      const there: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
      return { basis: snapshot, value: await readNetworkHistory(there, creation.developer, null) };
    }),
  ]);
  return { own, others: spread.answered.map(({ value }) => value), warnings: spread.warnings };
};

export const analyzeTokenDeveloper = defineTool({
  name: "analyze_token_developer",
  title: "Developer of a token and their track record",
  description:
    "The developer of a token and linked wallets with their holdings and actions, every token that the developer launched on the enabled networks with its outcome (rugged, dead, alive) and the transactions that prove it, and a risk level. Use it to learn who is behind a token and whether other tokens they launched were rug pulls; get_wallet_deployed_contracts lists the contracts of an account.",
  credits: 25,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { token_address: "0xf0C43FfF9b2A8e1f96308d5c36D381E8F2033734", network: "demo" },
  run: async ({ token_address, network, as_of_block }, context) => {
    const chain = context.chain(network);
    const token = token_address.hex;
    const { facts, signal } = context;
    const snapshot = await facts.snapshot(network, as_of_block ?? null);
    const scope: SnapshotContext = { facts, chain, snapshot, signal };
    const described = (warnings: readonly Warning[] = []) =>
      metadataFor(chain, snapshot, { echo: { token_address: token_address.text }, methodology: METHODOLOGY, warnings });
    const face = token === "" ? null : await readTokenMetadata(scope, token);
    if (face === null) {
      return failed("NOT_A_TOKEN", "No token contract exists at this address.", described());
    }
    const creation = await readCreator(scope, token);
    if (creation === null) {
      const { complete, gaps, traces } = snapshot.coverage;
      const is_proven = complete && gaps.length === 0 && traces;
      return emptyOutcome({ type: TYPE, metadata: described() }, noCreation(network), is_proven);
    }
    const { own, others, warnings } = await readHistories(scope, context, { creation, token });
    const answer = await answerOf({ scope, face, creation, own, others, failed: warnings.length });
    return data<DeveloperOutput>({ ...answer, metadata: described(warnings) });
  },
  view: {
    members: "risk_level flags token developer holdings developer_actions history networks_searched",
    drawn: {
      flags: { is: "alerts" },
      "history.tokens": "symbol address network outcome cause created_at lifetime_days peak_liquidity_usd",
    },
  },
});
