/** Figures and tables of each tool's answer, by paths into the answer. */
import { counterpartyViews } from "./views_counterparties.ts";
import { identityViews } from "./views_identity.ts";
import { tokenViews } from "./views_token.ts";
import { transactionViews } from "./views_transaction.ts";
import { walletViews } from "./views_wallet.ts";

/** `Name=path`, or a path whose own last name is its heading. */
export type NamedPath = string;

export interface TableView {
  readonly title: string;
  /** Path of the list; '' for a table of one row, the answer itself. */
  readonly rows: string;
  readonly columns: readonly NamedPath[];
}

export interface View {
  /** At most four. */
  readonly figures: readonly NamedPath[];
  readonly tables: readonly TableView[];
  /** Path of the sentence that says it all. */
  readonly lead?: string;
}

const VIEWS: Readonly<Record<string, View>> = {
  ...walletViews,
  ...counterpartyViews,
  ...identityViews,
  ...tokenViews,
  ...transactionViews,
};

/** Null for a tool that is newer than this page. */
export const viewOf = (tool: string): View | null => (Object.hasOwn(VIEWS, tool) ? (VIEWS[tool] ?? null) : null);
