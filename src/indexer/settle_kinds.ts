import type { Chain } from "../chains/chain.ts";
import { type Hex, toHex } from "../lib/bytes.ts";
import { settleMove } from "../protocols/token_kinds.ts";
import { orVoid } from "../protocols/topics.ts";
import type { TokenReader } from "./enrich_tokens.ts";
import type { ApprovalsRow, BlockRows, TransfersRow } from "./rows.ts";

/** Kinds of rows whose logs EIP-20 and EIP-721 share. */
const SHARED: readonly string[] = ["erc20", "trc20", "erc721"];

/**
 * Reads the movements and approvals of some blocks as the standards of their tokens say: the layout of a log does not
 * show whether its number is an amount or the id of a piece.
 */
export const openKindSettler =
  ({ can }: Pick<Chain, "can">, tokens: Pick<TokenReader, "standards">) =>
  async (rows: BlockRows, signal: AbortSignal): Promise<void> => {
    if (!can.contract_logs) return;
    const named = new Map<TransfersRow | ApprovalsRow, Hex>();
    for (const list of [rows.transfers, rows.approvals])
      for (const row of list) if (SHARED.includes(row.kind)) named.set(row, toHex(row.token));
    const standards = await tokens.standards([...new Set(named.values())], signal);
    const standardOf = (row: TransfersRow | ApprovalsRow): string | null => {
      const token = named.get(row);
      return token === undefined ? null : (standards.get(token) ?? "");
    };
    replace(rows.transfers, (row) => settledTransfer(row, standardOf(row)));
    replace(rows.approvals, (row) => settledApproval(row, standardOf(row)));
  };

/** Changes the list itself, because blocks have very many of them. */
const replace = <T>(list: T[], change: (row: T) => T | null): void => {
  let kept = 0;
  for (const row of list) {
    const changed = change(row);
    if (changed !== null) list[kept++] = changed;
  }
  list.length = kept;
};

const settledTransfer = (row: TransfersRow, standard: string | null): TransfersRow | null => {
  if (standard === null) return row;
  const settled = settleMove(row, standard);
  if (settled === "drop") return null;
  if (settled === "keep" && row.is_bare !== true) return row;
  const { is_bare: _, ...plain } = row;
  return settled === "keep" ? plain : { ...plain, ...settled, token_id: settled.token_id ?? 0n };
};

const settledApproval = (row: ApprovalsRow, standard: string | null): ApprovalsRow => {
  if (row.kind === "erc20" && standard === "erc721") return { ...row, kind: "erc721", spender: orVoid(row.spender) };
  const is_coin = standard === "erc20" || standard === "trc20";
  if (row.kind !== "erc721" || !is_coin) return row;
  return { ...row, kind: "erc20", spender: row.spender.length === 0 ? ZERO_ADDRESS : row.spender };
};

/** As the layout of EIP-20 has the zero address. */
const ZERO_ADDRESS = new Uint8Array(20);
