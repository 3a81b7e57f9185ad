import * as z from "zod";
import type { Chain } from "../../chains/chain.ts";
import { type Party, shownParty, withNames } from "../../domain/address/identity/parties.ts";
import {
  type ApprovalList,
  type ApprovalUse,
  findingsOf,
  type ListedApproval,
  listApprovals,
  readUses,
  USES_ROWS_MAX,
} from "../../domain/compliance/risk/approval_list.ts";
import type { SnapshotContext, Warning } from "../../domain/context.ts";
import { formatToken, symbolOf } from "../../domain/token/metadata/metadata.ts";
import { holdsWholeChain } from "../../domain/window/whole_chain.ts";
import { toAmount } from "../../lib/money.ts";
import { data } from "../../lib/outcome.ts";
import { iso } from "../../lib/time.ts";
import { address, asOfBlock, chainText, evidence, metadata, network, party } from "../fields.ts";
import { metadataFor } from "../metadata.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { warningsOf } from "./fields.ts";

const LIMIT_MAX = 200;
const SKIP_MAX = 10_000;

const input = z.strictObject({
  address: address("Wallet address."),
  network: network(),
  skip: z.int().min(0).max(SKIP_MAX).default(0).describe("Approvals to skip, from the start of the list."),
  limit: z.int().min(1).max(LIMIT_MAX).default(50).describe("Approvals to list."),
  as_of_block: asOfBlock(),
});

const raw = (of: string) => z.string().nullable().describe(`${of}, in base units.`);
const event = { block_number: z.int(), time: z.string(), tx_hash: z.string() };

const row = z.strictObject({
  token_address: z.string(),
  symbol: chainText("Token symbol.").nullable(),
  kind: z
    .enum(["amount", "all_pieces", "piece"])
    .describe("The spender may take an amount, every piece of a collection, or one piece."),
  token_id: z.string().nullable().describe("Of the piece; null for other kinds."),
  spender: z.strictObject({
    ...party,
    kind: z.enum(["contract", "account"]).nullable().describe("Null when no node says. Programs are contracts."),
  }),
  amount: z
    .number()
    .nullable()
    .describe("Rest of the approved amount, in whole tokens; null when unlimited or without decimals."),
  amount_raw: raw("The same; null for all pieces"),
  is_unlimited: z.boolean(),
  amount_from: z.enum(["node", "event"]).describe("State of the contract at the block, or the last event."),
  amount_reason: z.string().nullable().describe("Why the amount is not the contract's."),
  approved: z
    .strictObject({ amount_raw: z.string(), ...event })
    .nullable()
    .describe("The event that set it; null where the node's state alone names the spender."),
  last_use: z
    .strictObject({ by: z.enum(["spender", "call"]), ...event })
    .nullable()
    .describe(
      "Newest transaction in which the token left the wallet and which the spender sent (`spender`), or which called the spender (`call`).",
    ),
  last_use_reason: z.string().nullable().describe("Why last_use is null."),
  balance: z.number().nullable().describe("Whole tokens or pieces that the wallet holds, by its transfers."),
  balance_raw: raw("The same"),
  at_risk_raw: raw("Amount that the spender could take now, at most the balance"),
  value_at_risk_usd: z.number().nullable(),
  value_reason: z.string().nullable().describe("Why value_at_risk_usd is null."),
  findings: z
    .array(
      z.strictObject({
        code: z.enum([
          "risky_spender",
          "account_spender",
          "unverified_spender",
          "unknown_spender",
          "all_pieces",
          "unlimited",
          "passes_rights_on",
        ]),
        reason: z.string(),
        evidence: z.array(evidence),
      }),
    )
    .describe("Reasons against the approval, the heaviest first."),
  evidence: z.array(evidence),
});

const output = z.strictObject({
  type: z.literal("wallet_approvals"),
  summary: z.strictObject({
    open: z.int(),
    unlimited: z.int(),
    risky_spender: z.int().describe("Approvals whose spender a label, list or issuer marks as risky."),
    value_at_risk_usd: z
      .number()
      .nullable()
      .describe("USD that all spenders together could take now; null when no token of them has a value."),
    without_value: z.int().describe("Approvals without value_at_risk_usd."),
  }),
  approvals: z.array(row).describe("The largest value at risk first."),
  listing: z.strictObject({
    skip: z.int(),
    has_more_data: z.boolean().describe("Whether the list goes on; use the same as_of_block."),
  }),
  metadata: metadata({ address: z.string() }),
});

type ApprovalOutput = z.output<typeof row>;

const NOT_SEEN = `No transaction that the spender sent, or that called it, took this token, among the newest ${USES_ROWS_MAX.toLocaleString("en-US")} movements out of the wallet. A use through another contract is not visible.`;
const ENDS_WITH_USE = "An approval of one piece ends when the piece leaves.";
const FROM_EVENT =
  "The contract's state could not be read at this block: the amount is that of the last event, and may be used up or withdrawn.";

interface ApprovalContext {
  readonly parties: ReadonlyMap<string, Party>;
  readonly use: ApprovalUse | null;
  readonly gap: string | null;
}

const kindOf = ({ right }: ListedApproval): ApprovalOutput["kind"] =>
  right.piece !== null ? "piece" : right.is_for_all ? "all_pieces" : "amount";

const eventOf = (chain: Chain, { block_number, time, tx_hash }: Pick<ApprovalUse, keyof typeof event>) => ({
  block_number,
  time: iso(time),
  tx_hash: chain.formatHash(tx_hash),
});

const whole = (amount: bigint | null, decimals: number | null): number | null =>
  amount === null || decimals === null ? null : toAmount(amount, decimals);

const text = (amount: bigint | null): string | null => (amount === null ? null : String(amount));

const rowOf = (
  scope: SnapshotContext,
  listed: ListedApproval,
  { parties, use, gap }: ApprovalContext,
): ApprovalOutput => {
  const { chain } = scope;
  const { right, worth } = listed;
  const { approval, is_contract, is_live, piece } = right;
  return {
    token_address: formatToken(chain, right.token),
    symbol: symbolOf(chain, worth.face),
    kind: kindOf(listed),
    token_id: text(piece),
    spender: {
      address: chain.formatAddress(right.spender),
      ...shownParty(parties.get(right.spender)),
      kind: is_contract === null ? null : is_contract ? "contract" : "account",
    },
    amount: worth.is_unlimited ? null : whole(right.amount, worth.decimals),
    amount_raw: text(right.amount),
    is_unlimited: worth.is_unlimited,
    amount_from: is_live ? "node" : "event",
    amount_reason: is_live ? null : FROM_EVENT,
    approved: approval === null ? null : { amount_raw: String(approval.amount), ...eventOf(chain, approval) },
    last_use: use === null ? null : { by: use.is_sender === 1 ? "spender" : "call", ...eventOf(chain, use) },
    last_use_reason: use !== null ? null : piece === null ? NOT_SEEN : ENDS_WITH_USE,
    balance: whole(worth.balance, worth.decimals),
    balance_raw: text(worth.balance),
    at_risk_raw: text(worth.taken),
    value_at_risk_usd: worth.usd,
    value_reason: worth.reason,
    findings: findingsOf(scope, listed, gap).map((found) => ({ ...found, evidence: [...found.evidence] })),
    evidence: [...right.evidence],
  };
};

const summaryOf = ({ rows, usd }: ApprovalList): z.output<typeof output>["summary"] => ({
  open: rows.length,
  unlimited: rows.filter(({ worth }) => worth.is_unlimited).length,
  risky_spender: rows.filter(({ right }) => right.reason === "risky_spender").length,
  value_at_risk_usd: usd,
  without_value: rows.filter(({ worth }) => worth.usd === null).length,
});

/** Approvals before the first indexed block are no events of the index. */
const earlierOnes = ({ snapshot }: SnapshotContext): readonly Warning[] =>
  holdsWholeChain(snapshot.coverage)
    ? []
    : [
        {
          code: "EARLIER_APPROVALS_UNKNOWN",
          message: `Approvals before block ${snapshot.from_block} are not indexed, so open ones of that time are missing.`,
        },
      ];

export const walletApprovals = defineTool({
  name: "wallet_approvals",
  path: "wallet/approvals",
  title: "Open approvals of a wallet",
  description:
    "Every right over a wallet's tokens that is open at the block: amounts, whole collections and single pieces, each with its spender, the rest of the amount, the value that it could take now, its last use, and the reasons against it.",
  credits: 8,
  families: ["evm", "solana", "tron"],
  subjects: ["address"],
  input,
  output,
  example: { address: DEMO_EXAMPLES.trader, network: "demo" },
  run: async ({ address: wallet, network: asked, skip, limit, as_of_block }, context) => {
    const { facts, operator, signal } = context;
    const chain = context.chain(asked);
    const scope: SnapshotContext = { facts, chain, snapshot: await facts.snapshot(asked, as_of_block ?? null), signal };
    const found = await listApprovals({ scope, operator }, wallet.hex);
    const page = found.rows.slice(skip, skip + limit);
    const rights = page.map(({ right }) => right);
    const [useOf, parties] = await Promise.all([
      readUses(scope, wallet.hex, rights),
      withNames(
        scope,
        new Map(rights.map(({ spender, mark }) => [spender, mark.party])),
        rights.map(({ spender }) => spender),
      ),
    ]);
    return data({
      type: "wallet_approvals" as const,
      summary: summaryOf(found),
      approvals: page.map((one) => rowOf(scope, one, { parties, use: useOf(one.right), gap: found.sources_gap })),
      listing: { skip, has_more_data: skip + page.length < found.rows.length },
      metadata: metadataFor(chain, scope.snapshot, {
        echo: { address: wallet.text },
        methodology: "approvals/open@1",
        warnings: warningsOf([found.warnings, earlierOnes(scope)]),
      }),
    });
  },
});
