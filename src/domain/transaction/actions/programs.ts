import type { Transaction } from "../../../chains/chain.ts";
import type { ProgramAct, ProgramAmount } from "../../../chains/program_act.ts";
import { equalBytes, toHex } from "../../../lib/bytes.ts";
import type { Action, ActionReader, TokenAmount } from "./action.ts";

const sideOf = (amounts: readonly ProgramAmount[]): readonly TokenAmount[] =>
  amounts.map(({ token, amount }) => ({ token: toHex(token), token_id: null, amount }));

const actionOf = ({ program, name, kind, account, given, received }: ProgramAct): Action => ({
  type: kind,
  protocol: name,
  actor: toHex(account),
  given: sideOf(given),
  received: sideOf(received),
  contract: toHex(program),
  log_index: null,
});

/** Liquidity whose shares the pool reports is left to the pool's own act. */
const isReportedByPool = ({ pool_acts = [] }: Transaction, { kind, program }: ProgramAct): boolean =>
  (kind === "add_liquidity" || kind === "remove_liquidity") &&
  pool_acts.some(({ shares, program: other }) => shares !== null && equalBytes(other, program));

/** Routes, loans, stakes and liquidity that the chain itself reports. */
export const programs: ActionReader = ({ transaction }) =>
  (transaction.program_acts ?? []).filter((act) => !isReportedByPool(transaction, act)).map(actionOf);
