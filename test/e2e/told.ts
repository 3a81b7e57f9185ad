import type { Asked, Stage } from "./stage.ts";

export interface Told {
  /** As `ask`, but what any file of the process asked before is not asked again: for who looks at an answer, not at asking. */
  readonly told: (tool: string, args: Readonly<Record<string, unknown>>) => Promise<Asked>;
}

/** A stage that knows its answers. Its world must stand still. */
export const remembering = <S extends Stage>(stage: S): S & Told => {
  const known = new Map<string, Promise<Asked>>();
  const told: Told["told"] = async (tool, args) => {
    const question = JSON.stringify([tool, args]);
    const asking = known.get(question) ?? stage.ask(tool, args);
    known.set(question, asking);
    const asked = await asking;
    // Nobody sees what another one changes.
    return { ...asked, body: structuredClone(asked.body) };
  };
  return { ...stage, told };
};
