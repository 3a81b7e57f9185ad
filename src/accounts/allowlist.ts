import { AssayError } from "../lib/errors.ts";
import type { Recorder } from "./audit.ts";
import type { Database, Queries, Scope } from "./database.ts";

/** A tool of this release, and whether it is public. */
export interface AllowlistEntry {
  readonly tool: string;
  readonly is_public: boolean;
}

/** The allowlist of public tools. On every surface, a hidden tool is answered like an unknown one. */
export interface Allowlist {
  list(): Promise<readonly AllowlistEntry[]>;
  /** Takes effect on every instance in under a second. @throws AssayError UNKNOWN_TOOL */
  set(tool: string, is_public: boolean): Promise<AllowlistEntry>;
}

/** Rows are numbered in sequence. Setting a tool to the same value twice in a row adds no row. */
const VISIBILITY_SCOPE: Scope = { lock: "visibility", proof: null };

const ADD_SQL = `insert into visibility (id, tool, is_public, created_at)
  select coalesce(max(id), 0) + 1, $1, cast($2 as bigint), cast($3 as bigint) from visibility`;

const HIDDEN_SQL = `select tool from visibility
  where id in (select max(id) from visibility group by tool) and is_public = 0 order by tool`;

/** Names of the currently hidden tools. */
export const readHidden = async (queries: Queries): Promise<ReadonlySet<string>> =>
  new Set((await queries.all<{ tool: string }>(HIDDEN_SQL)).map(({ tool }) => tool));

export const openAllowlist = (settings: {
  readonly database: Database;
  readonly tools: readonly { readonly name: string }[];
  readonly now: () => number;
  readonly record: Recorder;
  /** Called after each change, so that this process applies it at once. */
  readonly changed: () => Promise<unknown>;
}): Allowlist => {
  const { database, tools, now, record } = settings;
  return {
    async list() {
      const hidden = await readHidden(database);
      return tools.map(({ name }) => ({ tool: name, is_public: !hidden.has(name) }));
    },
    async set(tool, is_public) {
      if (!tools.some(({ name }) => name === tool)) throw unknownTool(tool);
      await database.transaction(VISIBILITY_SCOPE, async (within) => {
        const before = { is_public: !(await readHidden(within)).has(tool) };
        if (before.is_public === is_public) return;
        await within.run(ADD_SQL, [tool, is_public ? 1 : 0, now()]);
        await record(within, { action: "tool.list", subject: tool, before, after: { is_public } });
      });
      await settings.changed();
      return { tool, is_public };
    },
  };
};

const unknownTool = (tool: string): AssayError => {
  const message = `Tool '${tool}' does not exist. See 'assay tools'.`;
  return new AssayError({ code: "UNKNOWN_TOOL", message, public: message });
};
