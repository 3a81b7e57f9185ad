import type { AnyTool } from "./tool.ts";

/** The allowlist, in price order, then by name. A tool that is not in this list is neither listed nor callable. */
export const tools: readonly AnyTool[] = [];
