import { Followed } from "../account/followed.tsx";
import { Keys } from "../account/keys.tsx";
import { Ledger } from "../account/ledger.tsx";
import { Members } from "../account/members.tsx";
import { Bar, Refusal } from "../account/parts.tsx";
import { formatNumber, numberOf, rowsOf, useAccountQuery, words } from "../account/request.ts";
import { restoring, signedIn, signOut } from "../account/session.ts";
import { SessionList } from "../account/sessions.tsx";
import { Usage } from "../account/usage.tsx";
import { textOf } from "../api/answer.ts";
import { hasEnded } from "../api/client.ts";
import { credential } from "../api/credential.ts";
import { open } from "../navigation.ts";
import { useStore } from "../store.ts";
import { Notice } from "../ui/notice.tsx";
import "../styles/account.css";

/** Plan of the account and remaining credits of this month. */
const Plan = () => {
  const { answer } = useAccountQuery("/api/account");
  if (answer === null) return <p class="waiting">The account is being read…</p>;
  if (answer.status === "error") return <Refusal answer={answer} />;
  const { body } = answer;
  const [quota, used] = [numberOf(body, "credits_quota") ?? 0, numberOf(body, "credits_used") ?? 0];
  return (
    <dl class="figures">
      <div>
        <dt>Plan</dt>
        <dd>{words(body, "plan")}</dd>
      </div>
      <div>
        <dt>Credits left</dt>
        <dd>
          {formatNumber(numberOf(body, "credits_remaining"))} <small>of {formatNumber(quota)}</small>
          <Bar part={quota - used} whole={quota} />
          <small>renewed {words(body, "resets_at").slice(0, 10)}</small>
        </dd>
      </div>
      <div>
        <dt>Calls a minute</dt>
        <dd>
          {formatNumber(numberOf(body, "calls_per_minute"))} <small>with each key</small>
        </dd>
      </div>
      <div>
        <dt>Keys</dt>
        <dd>
          {formatNumber(numberOf(body, "keys"))} <small>of {formatNumber(numberOf(body, "keys_max"))}</small>
        </dd>
      </div>
    </dl>
  );
};

/** Usage with keys shown by their first characters, assistants and users by name. */
const NamedUsage = () => {
  const who = useStore(signedIn);
  const { answer } = useAccountQuery("/api/account/keys");
  const keys = answer === null ? [] : rowsOf(answer.body, "keys");
  const named = new Map(keys.map((key) => [words(key, "id"), textOf(key.client_name) ?? `${words(key, "prefix")}…`]));
  if (who !== null) named.set(who.user_id, `${who.name}, signed in`);
  return <Usage path="/api/account/usage" named={named} />;
};

/** Shown without a session and without a key. */
const SignedOut = () => {
  const has_ended = useStore(hasEnded);
  return (
    <Notice
      tone={has_ended ? "warn" : "quiet"}
      title={has_ended ? "Your session has ended" : "Sign in to see your account"}
    >
      <a href="/app/sign-in?to=/app/account">Sign in</a>, or use a key of the account.
    </Notice>
  );
};

const Account = () => {
  const by = useStore(credential);
  const who = useStore(signedIn);
  const is_waiting = useStore(restoring);
  if (by === null) return is_waiting ? <p class="waiting">Opening…</p> : <SignedOut />;
  const leave = async () => {
    await signOut();
    open("/app/sign-in");
  };
  const is_account = by.kind === "key" || who?.account_id !== null;
  return (
    <div class="sheets">
      <div class="sheet-head">
        <h1>
          Account{who === null ? "" : ` of ${who.name}${who.role === null ? "" : `, ${who.role.replace("_", " ")}`}`}
        </h1>
        {who === null ? null : (
          <span class="buttons">
            {who.is_operator ? (
              <a class="button" href="/app/operator">
                Operator
              </a>
            ) : null}
            <button type="button" onClick={() => void leave()}>
              Sign out
            </button>
          </span>
        )}
      </div>
      {is_account ? (
        <>
          <Plan />
          <NamedUsage />
          <Followed />
          <Keys rights={who?.rights ?? null} />
          {who?.rights.includes("users:manage") === true ? <Members /> : null}
          <Ledger />
        </>
      ) : (
        <p class="quiet">This user belongs to no account, and calls no tools.</p>
      )}
      {by.kind === "session" ? <SessionList /> : null}
    </div>
  );
};

export default Account;
