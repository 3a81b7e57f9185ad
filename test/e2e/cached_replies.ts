import type { TestService, ToolReply } from "./served_world.ts";

export interface CachedReplies {
  /** Like `ask`, but caches the answers of the process: for tests of answers, not of calls. */
  readonly told: (tool: string, args: Readonly<Record<string, unknown>>) => Promise<ToolReply>;
}

/** A stage with cached answers. Its world must not change. */
export const remembering = <S extends TestService>(stage: S): S & CachedReplies => {
  const known = new Map<string, Promise<ToolReply>>();
  const told: CachedReplies["told"] = async (tool, args) => {
    const question = JSON.stringify([tool, args]);
    const asking = known.get(question) ?? stage.ask(tool, args);
    known.set(question, asking);
    const asked = await asking;
    // Copies keep tests from seeing each other's changes.
    return { ...asked, body: structuredClone(asked.body) };
  };
  return { ...stage, told };
};
