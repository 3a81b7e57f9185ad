import { useState } from "preact/hooks";
import { Refusal } from "../account/parts.tsx";
import { Password } from "../account/password.tsx";
import { signedIn, signIn, signOut } from "../account/session.ts";
import type { ToolAnswer } from "../api/answer.ts";
import { hasEnded } from "../api/client.ts";
import { open } from "../navigation.ts";
import type { PageProps } from "../routes.ts";
import { useStore } from "../store.ts";
import { Notice } from "../ui/notice.tsx";
import "../styles/account.css";

/** A page of this service to go on with; nothing else is gone to. */
const onwards = (text: string | null): string =>
  text !== null && /^\/(?:app\/[\w/.:-]*(?:\?[\w%&=.+*-]*)?)?$/.test(text) ? text : "/app/account";

const Present = ({ name }: { readonly name: string }) => (
  <section class="door">
    <h1>Signed in as {name}</h1>
    <p class="buttons">
      <a class="button" href="/app/account">
        Account
      </a>
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
    </p>
  </section>
);

const SignIn = ({ query }: PageProps) => {
  const now = useStore(signedIn);
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [answer, setAnswer] = useState<ToolAnswer | null>(null);
  const [is_busy, setBusy] = useState(false);
  const has_ended = useStore(hasEnded);
  const enter = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    const got = await signIn(name, password);
    setBusy(false);
    setAnswer(got);
    if (got.status === "data") open(onwards(query.get("to")));
  };
  if (now !== null) return <Present name={now.name} />;
  return (
    <section class="door">
      <h1>Sign in</h1>
      {has_ended ? (
        <Notice tone="warn" title="Your session has ended">
          Sign in again to go on.
        </Notice>
      ) : null}
      <form onSubmit={(event) => void enter(event)}>
        <label class="field">
          Name
          <input
            required
            maxLength={100}
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <Password label="Password" value={password} onInput={setPassword} autocomplete="current-password" />
        <button type="submit" class="button-main" disabled={is_busy}>
          {is_busy ? "Signing in…" : "Sign in"}
        </button>
      </form>
      <Refusal answer={answer} />
      <p class="hint">
        No password yet, or forgotten? The operator of this service makes a link by which you choose one. An API key can
        be used without signing in.
      </p>
    </section>
  );
};

export default SignIn;
