import type { EntityKind } from "../page_address.ts";
import { CONTRACT_SUMMARY } from "./contract.ts";
import type { SummaryPlan } from "./model.ts";
import { TOKEN_SUMMARY } from "./token.ts";
import { TRANSACTION_SUMMARY } from "./transaction.ts";
import { WALLET_SUMMARY } from "./wallet.ts";

/** Summaries by the kind of page. */
export const SUMMARIES: Readonly<Partial<Record<EntityKind, SummaryPlan>>> = {
  token: TOKEN_SUMMARY,
  wallet: WALLET_SUMMARY,
  contract: CONTRACT_SUMMARY,
  transaction: TRANSACTION_SUMMARY,
};
