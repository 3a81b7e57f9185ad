import type { SubjectHistory } from "./subject_history.ts";

/**
 * Addresses that are to be searched, the most urgent first: those that calls wait for, those with new final blocks or with older ones, and
 * counterparties, for which no call waits. `final`: null while it is too early to look for new blocks.
 */
export const dueIn = (histories: readonly SubjectHistory[], final: number | null): readonly SubjectHistory[] => {
  const unread = histories.filter(({ record }) => record.state !== "read" && record.state !== "too_large");
  const isBehind = ({ record, grows }: SubjectHistory) =>
    final !== null && (grows || (record.state === "read" && record.to_block < final));
  return [
    ...unread.filter(({ blocks_max }) => blocks_max === 0),
    ...histories.filter(isBehind),
    ...unread.filter(({ blocks_max }) => blocks_max > 0),
  ];
};

/** Nothing is to do for it up to this final block. */
export const isSettled = ({ record, grows }: SubjectHistory, final: number): boolean =>
  record.state === "too_large" || (record.state === "read" && record.to_block >= final && !grows);
