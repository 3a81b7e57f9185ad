import { useEffect, useState } from "preact/hooks";
import { Refusal } from "../account/parts.tsx";
import { Password } from "../account/password.tsx";
import { sendRequest, timeOf, words } from "../account/request.ts";
import { setUp } from "../account/session.ts";
import type { ToolAnswer } from "../api/answer.ts";
import { open } from "../navigation.ts";
import { Notice } from "../ui/notice.tsx";
import "../styles/account.css";

/** The token behind the #, which then leaves the address: so it appears neither on the screen nor in the history. */
const takeToken = (): string => {
  const token = location.hash.slice(1);
  if (token !== "") history.replaceState(null, "", location.pathname);
  return token;
};

/** Nothing that a password could be chosen by. */
const Closed = ({ link }: { readonly link: ToolAnswer | null }) => (
  <Notice
    tone={link === null ? "warn" : "bad"}
    title={link === null ? "This page is opened by a set-up link" : "This link does not open"}
  >
    {link?.status === "error" ? link.message : "Ask the operator of this service for one."}{" "}
    <a href="/app/sign-in">Sign in</a>
  </Notice>
);

const SetUp = () => {
  const [token] = useState(takeToken);
  const [link, setLink] = useState<ToolAnswer | null>(null);
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [answer, setAnswer] = useState<ToolAnswer | null>(null);
  const [is_busy, setBusy] = useState(false);
  useEffect(() => {
    if (token !== "") void sendRequest("POST", "/api/session/link", { token }).then(setLink);
  }, [token]);
  const differ = password !== again;
  const choose = async (event: Event) => {
    event.preventDefault();
    if (differ) return;
    setBusy(true);
    const got = await setUp(token, password);
    setBusy(false);
    setAnswer(got);
    if (got.status === "data") open("/app/account");
  };
  if (token === "" || link?.status === "error") return <Closed link={link} />;
  if (link === null) return <p class="waiting">Checking the link…</p>;
  return (
    <section class="door">
      <h1>Choose a password</h1>
      <p>
        You will sign in as <strong>{words(link.body, "name")}</strong>. The link opens once, until{" "}
        {timeOf(words(link.body, "link_until"))} UTC.
      </p>
      <form onSubmit={(event) => void choose(event)}>
        <input
          class="unseen"
          autocomplete="username"
          value={words(link.body, "name")}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <Password
          label="Password, 12 characters or more"
          value={password}
          onInput={setPassword}
          autocomplete="new-password"
        />
        <Password label="The same again" value={again} onInput={setAgain} autocomplete="new-password" />
        {differ && again !== "" ? <p class="quiet">The two are not the same yet.</p> : null}
        <button type="submit" class="button-main" disabled={is_busy || differ}>
          {is_busy ? "Being set…" : "Set the password"}
        </button>
      </form>
      <Refusal answer={answer} />
    </section>
  );
};

export default SetUp;
