import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningService } from "../main.ts";
import { tools } from "../tools/index.ts";
import type { AnyTool } from "../tools/tool.ts";
import type { CommandIo } from "./command.ts";
import { liveLine } from "./live_line.ts";
import { waitDerived } from "./run.ts";

/** Examples that run at one time: the engine and this process have a core each to fill. */
const TRIED_AT_ONCE = 4;

/** Everything that determines the answers: the program (the compiler's record of all sources) and each chain's newest block. */
export interface TrialKey {
  readonly checkout: string;
  readonly data_dir: string;
  readonly heads: readonly string[];
}

const stampOf = ({ checkout, heads }: TrialKey): string => {
  const compiled = join(checkout, "dist", ".tsbuildinfo");
  // A package is never compiled again: its version stands for all of it.
  const program = readFileSync(existsSync(compiled) ? compiled : join(checkout, "package.json"));
  return createHash("sha256").update(program).update(heads.join()).digest("hex");
};

/** Runs a tool's example without a charge. Returns its message instead of data; null for data. */
const tryOne = async (service: RunningService, tool: AnyTool): Promise<string | null> => {
  const outcome = await service.tryTool(tool);
  if (outcome.kind === "data") return null;
  return outcome.kind === "no_data" ? "no data" : outcome.message;
};

/**
 * Runs every tool's example, some at one time. One that was silent then is tried once more when nothing else runs: a machine that
 * has too much to do is no fault of the tool. A line for each that did not answer with data, and why.
 */
const tryAll = async (service: RunningService, io: CommandIo): Promise<string[]> => {
  const line = liveLine(io);
  const again: AnyTool[] = [];
  const waiting = [...tools];
  const worker = async (): Promise<void> => {
    for (let tool = waiting.shift(); tool !== undefined; tool = waiting.shift()) {
      line.draw(`  tools    trying ${tool.name} (${tools.length - waiting.length} of ${tools.length})`);
      if ((await tryOne(service, tool)) !== null) again.push(tool);
    }
  };
  await Promise.all(Array.from({ length: TRIED_AT_ONCE }, worker));
  const silent: string[] = [];
  for (const tool of again) {
    line.draw(`  tools    trying ${tool.name} once more`);
    const said = await tryOne(service, tool);
    if (said !== null) silent.push(`${tool.name}: ${said}`);
  }
  line.end();
  return silent.sort();
};

export interface ToolTrial {
  /** A line for each tool that did not answer with data, and why. */
  readonly silent: readonly string[];
  /** All examples answered at an earlier start, at the same block and by the same program, and were not repeated. */
  readonly is_earlier: boolean;
}

/**
 * Tries every tool once per program and chain. Answers follow from both alone, so what all tools said at this very block
 * holds at the next start; a tool that was silent is tried again.
 */
export const runTrials = async (service: RunningService, at: TrialKey, io: CommandIo): Promise<ToolTrial> => {
  const path = join(at.data_dir, "tried");
  const stamp = stampOf(at);
  if (readIfThere(path) === stamp) return { silent: [], is_earlier: true };
  await waitDerived(service, io);
  const silent = await tryAll(service, io);
  if (silent.length === 0) writeFileSync(path, stamp, { mode: 0o600 });
  return { silent, is_earlier: false };
};

const readIfThere = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null; // never tried here
  }
};
