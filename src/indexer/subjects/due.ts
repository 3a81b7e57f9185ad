import type { SubjectHistory } from "./subject_history.ts";

/** The accounts in turn: the first of each, then the second of each. */
const inTurn = (histories: readonly SubjectHistory[]): readonly SubjectHistory[] => {
  const counts = new Map<string, number>();
  const placed = histories.map((history) => {
    const place = counts.get(history.asked_by) ?? 0;
    counts.set(history.asked_by, place + 1);
    return { history, place };
  });
  return placed.sort((a, b) => a.place - b.place).map(({ history }) => history);
};

/**
 * Addresses that are to be searched, the most urgent first: those that calls wait for, those with news or with older blocks, and
 * counterparties, for which no call waits.
 */
export const dueIn = (histories: readonly SubjectHistory[]): readonly SubjectHistory[] => {
  const idle = histories.filter(
    ({ search, is_searched, is_resting }) => search === null && !is_searched && !is_resting,
  );
  const unread = idle.filter(({ record }) => record.state !== "read" && record.state !== "too_large");
  return [
    ...inTurn(unread.filter(({ blocks_max }) => blocks_max === 0)),
    ...idle.filter(({ has_news, grows }) => has_news || grows),
    ...inTurn(unread.filter(({ blocks_max }) => blocks_max > 0)),
  ];
};

/** Nothing is to do for it up to this final block. */
export const isSettled = ({ record, grows }: SubjectHistory, final: number): boolean =>
  record.state === "too_large" || (record.state === "read" && record.to_block >= final && !grows);
