import { useState } from "preact/hooks";
import { NAMED_ITSELF } from "../account/keys.tsx";
import { Refusal } from "../account/parts.tsx";
import { sendRequest, useAccountQuery, words } from "../account/request.ts";
import { restoring, signedIn } from "../account/session.ts";
import type { JsonObject, ToolAnswer } from "../api/answer.ts";
import type { PageProps } from "../routes.ts";
import { useStore } from "../store.ts";
import { Notice } from "../ui/notice.tsx";
import { Strange } from "../ui/strange.tsx";
import "../styles/account.css";

const PATH = "/api/session/assistant";

/** Where the browser goes after the answer, in plain view. */
const Destination = ({ body }: { readonly body: JsonObject }) => (
  <p>
    Your browser then returns to <strong>{words(body, "return_host")}</strong>
    {body.is_local === true ? ", a program on this computer" : ""}.{" "}
    {body.client_host === null
      ? "The program registered by itself: nothing proves its name."
      : `The program is described at ${words(body, "client_host")}.`}
  </p>
);

interface ChoiceProps {
  readonly body: JsonObject;
  /** The query with which the program opened this page. */
  readonly request: string;
}

/** The program's wish, and the user's answer. */
const Choice = ({ body, request }: ChoiceProps) => {
  const [refused, setRefused] = useState<ToolAnswer | null>(null);
  const [is_busy, setBusy] = useState(false);
  const answer = async (is_allowed: boolean) => {
    setBusy(true);
    const got = await sendRequest("POST", PATH, { request, is_allowed });
    if (got.status === "data") location.assign(words(got.body, "return_to"));
    else setRefused(got);
    setBusy(false);
  };
  return (
    <>
      <p>
        <Strange text={words(body, "client_name")} title={NAMED_ITSELF} /> wants to use Assay for you,{" "}
        {words(body, "user_name")}, and the account <strong>{words(body, "account_name")}</strong>.
      </p>
      <p>If you allow it, the program gets a key with which it may:</p>
      <ul>
        <li>call tools over MCP. Each call costs the account credits.</li>
      </ul>
      <p>It may not manage keys, users or watch rules. You can end the key on the account page at any time.</p>
      <Destination body={body} />
      <p class="buttons">
        <button type="button" class="button-main" disabled={is_busy} onClick={() => void answer(true)}>
          Allow
        </button>
        <button type="button" disabled={is_busy} onClick={() => void answer(false)}>
          Deny
        </button>
      </p>
      <p class="hint">Allow it only if you have just connected this program yourself.</p>
      <Refusal answer={refused} />
    </>
  );
};

/** A request that cannot be allowed. The user decides whether to return to the program with its fault. */
const Fault = ({ body }: { readonly body: JsonObject }) => (
  <>
    <Notice tone="bad" title="The program cannot connect">
      {words(body, "fault")}
    </Notice>
    <p>
      <a href={words(body, "return_to")} rel="noreferrer">
        Return to {words(body, "return_host")}
      </a>
    </p>
  </>
);

const Request = ({ request }: { readonly request: string }) => {
  const { answer } = useAccountQuery(`${PATH}?request=${encodeURIComponent(request)}`);
  if (answer === null) return <p class="quiet">Reading the request…</p>;
  if (answer.status !== "data") return <Refusal answer={answer} />;
  return answer.body.fault === null ? <Choice body={answer.body} request={request} /> : <Fault body={answer.body} />;
};

/** A program asks for a key of the signed-in user's account. */
const Authorize = ({ query }: PageProps) => {
  const now = useStore(signedIn);
  const is_restoring = useStore(restoring);
  const request = query.toString();
  const here = `/app/authorize?${request}`;
  return (
    <section class="door">
      <h1>Connect a program</h1>
      {now === null ? (
        <p>
          {is_restoring ? (
            "Reading your session…"
          ) : (
            <a href={`/app/sign-in?to=${encodeURIComponent(here)}`}>Sign in to go on</a>
          )}
        </p>
      ) : (
        <Request request={request} />
      )}
    </section>
  );
};

export default Authorize;
