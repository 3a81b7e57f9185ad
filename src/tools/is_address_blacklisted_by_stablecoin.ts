import * as z from "zod";
import type { Chain } from "../chains/chain.ts";
import { noFreezePower } from "../domain/absences.ts";
import {
  type BalanceCheck,
  checkEvidence,
  checkHoldings,
  incompleteness,
  isPositive,
  selectCoins,
  unregistered,
  wasFreed,
} from "../domain/address/freezes/rows.ts";
import type { CallContext, Warning } from "../domain/context.ts";
import { isMany, type NetworkAnswer, queryEachNetwork } from "../domain/networks.ts";
import type { Hex } from "../lib/bytes.ts";
import { checkIncomplete, data, noData } from "../lib/outcome.ts";
import type { PinnedBlock } from "../lib/parsed.ts";
import { iso } from "../lib/time.ts";
import { address, asOfBlock, evidence, metadata, networks } from "./fields.ts";
import { metadataOver } from "./metadata.ts";
import { DEMO_EXAMPLES, defineTool } from "./tool.ts";

const TYPE = "stablecoin_blacklist_check";
const METHODOLOGY = "issuer-freeze/events+view@1";

const input = z.strictObject({
  address: address("Address to look up."),
  stablecoin: z
    .string()
    .min(1)
    .max(64)
    .meta({ description: "Symbol or contract address. Default: every registered stablecoin.", examples: ["USDC"] })
    .optional(),
  network: networks().default("all"),
  as_of_block: asOfBlock(),
});

const result = z.strictObject({
  stablecoin: z.string(),
  network: z.string(),
  contract: z.string(),
  is_blacklisted: z.boolean().nullable().describe("Null when the check failed or is not supported."),
  status: z.enum(["ok", "failed", "not_supported"]),
  method: z
    .string()
    .describe(
      "Contract view that confirmed the issuer's events; `events` when the contract has no such view, `no contract` before its deployment.",
    ),
  block_number: z.int(),
  last_event: z
    .strictObject({
      type: z.enum(["freeze", "unfreeze", "destroy", "seize"]),
      tx_hash: z.string(),
      timestamp: z.string(),
    })
    .nullable(),
  balance: z.number().nullable(),
  balance_raw: z.string().nullable(),
  decimals: z.int().nullable(),
  reason: z.string().nullable().describe("Why the check failed or is not supported; null when it is `ok`."),
  evidence: z.array(evidence),
});

const output = z.strictObject({
  type: z.literal(TYPE),
  is_blacklisted: z.boolean().describe("True when a coin has frozen the address. False only when every check is `ok`."),
  results: z.array(result),
  previously_blacklisted: z
    .boolean()
    .nullable()
    .describe("True when an issuer froze the address and later unfroze it; null when its history is not read."),
  metadata: metadata({ address: z.string() }),
});

interface ChecksAtBlock {
  readonly account: Hex;
  readonly block_time: number;
  /** The issuers' events are read, not only the contracts' state. */
  readonly has_history: boolean;
  readonly checks: readonly BalanceCheck[];
}

const resultOf = (check: BalanceCheck, { account, block_time }: ChecksAtBlock): z.output<typeof result> => {
  const { chain, coin, last_event } = check;
  return {
    stablecoin: coin.symbol,
    network: chain.network.id,
    contract: chain.formatAddress(coin.address),
    is_blacklisted: check.is_frozen,
    status: check.status,
    method: check.method,
    block_number: check.checked_block,
    last_event:
      last_event === null
        ? null
        : {
            type: last_event.effect,
            tx_hash: chain.formatHash(last_event.tx_hash),
            timestamp: iso(last_event.time),
          },
    balance: check.balance,
    balance_raw: check.balance_raw,
    decimals: check.decimals,
    reason: check.reason,
    evidence: checkEvidence(check, account, block_time),
  };
};

const historyWarnings = (answered: readonly NetworkAnswer<ChecksAtBlock>[]): readonly Warning[] =>
  answered
    .filter(({ value }) => !value.has_history && value.checks.length > 0)
    .map(({ chain }) => ({
      code: "FREEZE_HISTORY_NOT_READ",
      message: `${chain.network.id} is read on demand: freezes are what the contracts themselves state at the block. Earlier freezes and 'last_event' are unknown.`,
    }));

const readNetwork = async (
  context: CallContext,
  chain: Chain,
  asked: { readonly account: Hex; readonly coin: string | undefined; readonly as_of_block: PinnedBlock | null },
) => {
  const { facts, signal } = context;
  const snapshot = await facts.snapshot(chain.network.id, asked.as_of_block);
  const coins = selectCoins(chain, asked.coin === undefined ? null : [asked.coin]);
  const checks = await checkHoldings({ facts, chain, snapshot, signal }, asked.account, coins);
  const has_history = snapshot.followed === undefined;
  const value: ChecksAtBlock = { account: asked.account, block_time: snapshot.block.time, has_history, checks };
  return { basis: snapshot, value };
};

export const isAddressBlacklistedByStablecoin = defineTool({
  name: "is_address_blacklisted_by_stablecoin",
  title: "Stablecoin freeze check",
  description:
    "Whether issuers of stablecoins have frozen an address, now or before. For each coin, the issuer's events are replayed and the contract's own view is called at the same block. The answer is never `false` when a check failed. Use it to check if USDT, USDC or another stablecoin blacklisted (froze) an address.",
  credits: 3,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { address: DEMO_EXAMPLES.frozen_wallet, network: "all" },
  subjects: [],
  check: ({ as_of_block, network }) =>
    typeof as_of_block === "number" && isMany(network) ? "as_of_block requires a single network." : null,
  run: async ({ address, stablecoin, network, as_of_block }, context) => {
    const asked = { network, address };
    const spread = await queryEachNetwork(asked, context, (chain, account) =>
      readNetwork(context, chain, { account, coin: stablecoin, as_of_block: as_of_block ?? null }),
    );
    const described = metadataOver(asked, spread, {
      echo: { address: address.text },
      methodology: METHODOLOGY,
      warnings: [
        ...(stablecoin === undefined ? spread.answered.flatMap(({ chain }) => unregistered(chain)) : []),
        ...historyWarnings(spread.answered),
      ],
    });
    const seen = spread.answered.map(({ value }) => value);
    const checks = seen.flatMap((one) => one.checks);
    const results = seen.flatMap((one) => one.checks.map((check) => resultOf(check, one)));
    const positive = checks.some(isPositive);
    const is_freed = checks.some(wasFreed);
    const freed = is_freed || seen.every(({ has_history }) => has_history) ? is_freed : null;
    const problem =
      checks.length === 0
        ? "The coin is not registered on the requested networks, so nothing was checked."
        : incompleteness(checks, spread.failed);
    if (problem !== null) {
      const partial = {
        type: TYPE,
        is_blacklisted: positive || null,
        results,
        previously_blacklisted: freed || null,
      };
      return checkIncomplete({ message: problem, metadata: described, partial });
    }
    if (checks.every(({ status }) => status === "not_supported"))
      return noData({ type: TYPE, metadata: described, message: noFreezePower(spread) });
    return data({
      type: TYPE,
      is_blacklisted: positive,
      results,
      previously_blacklisted: freed,
      metadata: described,
    });
  },
  view: {
    members: "is_blacklisted previously_blacklisted results",
    drawn: {
      results: { is: "alerts", columns: "stablecoin network is_blacklisted status reason balance last_event method" },
    },
  },
});
