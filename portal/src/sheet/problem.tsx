import type { ErrorAnswer } from "../api/answer.ts";
import { takeCredential } from "../api/credential.ts";
import { Notice } from "../ui/notice.tsx";

interface ProblemText {
  readonly title: string;
  readonly todo: string;
}

const BY_CODE: Readonly<Record<string, ProblemText>> = {
  NO_KEY: { title: "A key is needed", todo: "Paste an API key at the top of the page, or sign in." },
  UNREACHABLE: {
    title: "The service did not answer",
    todo: "It may be stopped or starting again. Try again in a moment.",
  },
  ABORTED: {
    title: "You stopped waiting",
    todo: "The service may have finished meanwhile, and charged it: your usage tells.",
  },
  PLAN_LIMIT_REACHED: {
    title: "The credits of this plan are used up",
    todo: "Wait until they are renewed, or ask the operator for more.",
  },
  PRICE_CHANGED: {
    title: "The price has changed",
    todo: "The button shows the new price. Repeat the call to accept it.",
  },
  COVERAGE_INCOMPLETE: {
    title: "The index cannot prove an answer yet",
    todo: "Blocks are still being read. Ask again later, or at a block that is covered.",
  },
  READING: {
    title: "The history of this address is being read",
    todo: "Ask again in some seconds: the message below shows how far it is.",
  },
  NOT_ON_DEMAND: {
    title: "This network is read address by address",
    todo: "Tools about one wallet answer here. Others need a network that is indexed whole.",
  },
  CHECK_INCOMPLETE: { title: "A source that this check needs could not be read", todo: "Ask again in a moment." },
  UPSTREAM_UNAVAILABLE: { title: "A node or another source did not answer", todo: "Ask again in a moment." },
  TIMEOUT: { title: "The answer was not ready in time", todo: "Ask for a shorter time, or try again." },
};

const BY_STATUS: Readonly<Record<number, ProblemText>> = {
  401: { title: "This key is not valid any more", todo: "It was revoked or replaced. Use another one." },
  402: { title: "The credits are used up", todo: "Ask the operator for more." },
  403: { title: "This is not allowed", todo: "Sign in again, or use a key that may do it." },
  404: { title: "Tool not found", todo: "The operator may have hidden it. Reload the page." },
  422: { title: "The question does not fit the tool", todo: "Change what the sentence below names." },
  429: { title: "Too many questions in this minute", todo: "Wait a minute, then ask again." },
  500: { title: "The service failed", todo: "Try again; tell the operator the number of the request." },
  503: { title: "The service cannot answer now", todo: "It is busy, starting or stopping. Try again in a moment." },
};

const OTHER: ProblemText = { title: "No answer", todo: "The message below gives the reason." };

const problemText = ({ code, http_status }: ErrorAnswer): ProblemText =>
  BY_CODE[code] ?? BY_STATUS[http_status] ?? OTHER;

/** Cost of a failed call. */
const chargeOf = ({ charged }: ErrorAnswer): string => {
  if (charged === null) return "Whether it was charged is not known.";
  return charged === 0 ? "Nothing was charged." : `${charged} credits were charged.`;
};

/** Why there is no answer, in a sentence, and what to do. */
export const Problem = ({ answer }: { readonly answer: ErrorAnswer }) => {
  const { title, todo } = problemText(answer);
  return (
    <Notice tone="bad" title={title}>
      {todo} <strong>{chargeOf(answer)}</strong>
      {answer.http_status === 401 ? (
        <button type="button" onClick={() => takeCredential(null)}>
          Forget this key
        </button>
      ) : null}
      <span class="said">
        {answer.message}
        {answer.request_id === null ? "" : ` (request ${answer.request_id})`}
      </span>
    </Notice>
  );
};
