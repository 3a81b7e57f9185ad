/** Statements that one engine runs at the same time. More wait in line. */
export const PARALLEL_MAX = 12;
