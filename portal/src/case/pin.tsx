import { useState } from "preact/hooks";
import type { CaseResult } from "../../../src/case/format.ts";
import { canBePinned, caseResultOf } from "../../../src/case/pin.ts";
import type { JsonObject, ToolAnswer } from "../api/answer.ts";
import { pinEntries, useCase } from "./case_store.ts";

export interface PinnedAnswer {
  readonly tool: string;
  /** Exactly as they were sent. */
  readonly args: JsonObject;
  readonly answer: ToolAnswer;
  /** Prices at the time of the call; null when unknown. */
  readonly catalog_version?: string | null;
}

const idOf = ({ tool, answer }: PinnedAnswer): string =>
  (answer.request_id ?? `${tool}-${answer.at_ms}`).replace(/[^A-Za-z0-9_-]/g, "-").slice(0, 64);

/** A call as an entry of a case; null where its answer is nothing to keep. */
export const pinnedEntry = (call: PinnedAnswer): CaseResult | null => {
  const { tool, args, answer, catalog_version = null } = call;
  if (answer.status === "error" || !canBePinned(answer.body)) return null;
  return caseResultOf({
    ...{ id: idOf(call), tool, arguments: args, answer: answer.body, catalog_version },
    ...{ request_id: answer.request_id, credits: answer.charged },
    asked_at: new Date(answer.at_ms).toISOString(),
  });
};

/** Keeps a result in the case, with the block that it is of. Nothing is shown where there is nothing to keep. */
export const PinButton = (call: PinnedAnswer) => {
  const open = useCase();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [is_waiting, setWaiting] = useState(false);
  const entry = pinnedEntry(call);
  if (entry === null) return null;
  if (open?.entries.some(({ id }) => id === entry.id))
    return (
      <a class="button pinned" href={open.id === null ? "/app/case" : `/app/case/${open.id}`}>
        In the case
      </a>
    );
  const pin = async (): Promise<void> => {
    if (is_waiting) return;
    setWaiting(true);
    const outcome = await pinEntries([entry]);
    setWaiting(false);
    setRefusal(outcome.kind === "refused" ? outcome.message : null);
  };
  return (
    <>
      <button type="button" onClick={() => void pin()} aria-disabled={is_waiting}>
        Keep in the case
      </button>
      {refusal === null ? null : <span role="alert">{refusal}</span>}
    </>
  );
};
