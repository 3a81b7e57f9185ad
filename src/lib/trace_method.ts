/**
 * How the money of an address mixes: `haircut` every payment carries the same part of every source, `fifo` what came
 * first leaves first, `poison` every payment after a tainted receipt is tainted in full.
 */
export const TRACE_METHODS = ["haircut", "fifo", "poison"] as const;
export type TraceMethod = (typeof TRACE_METHODS)[number];
