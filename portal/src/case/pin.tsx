import { useEffect, useState } from "preact/hooks";
import type { CaseResult } from "../../../src/case/format.ts";
import { canBePinned, caseResultOf } from "../../../src/case/pin.ts";
import type { JsonObject, ToolAnswer } from "../api/answer.ts";
import { useStore } from "../store.ts";
import { openCase, pinEntries, theCase } from "./case_store.ts";

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
  const file = useStore(openCase);
  const [is_full, setFull] = useState(false);
  useEffect(() => void theCase(), []);
  const entry = pinnedEntry(call);
  if (entry === null) return null;
  if (file?.entries.some(({ id }) => id === entry.id))
    return (
      <a class="button pinned" href="/app/case">
        In the case
      </a>
    );
  const pin = () => void pinEntries([entry]).then((is_kept) => setFull(!is_kept));
  return (
    <button type="button" onClick={pin} disabled={is_full}>
      {is_full ? "The case is full" : "Keep in the case"}
    </button>
  );
};
