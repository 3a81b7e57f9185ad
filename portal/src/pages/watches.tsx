import { useEffect } from "preact/hooks";
import { Section } from "../account/parts.tsx";
import { rowsOf, useAccountQuery, words } from "../account/request.ts";
import { restoring, signedIn } from "../account/session.ts";
import { fieldsOf, type JsonObject } from "../api/answer.ts";
import { credential } from "../api/credential.ts";
import type { PageProps } from "../routes.ts";
import { useStore } from "../store.ts";
import { Notice } from "../ui/notice.tsx";
import { Events } from "../watch/events.tsx";
import { RuleForm } from "../watch/rule_form.tsx";
import { Rules } from "../watch/rules.tsx";
import "../styles/account.css";
import "../styles/graph.css";

const REASONS: Readonly<Record<string, string>> = {
  credits: "The account's credits cover no further event.",
  price: "Events have no price now.",
  storage: "Too many events wait for their receivers.",
};

/** Why all rules are suspended. */
const Suspended = ({ quota }: { readonly quota: JsonObject }) => {
  const because = words(quota, "paused_because");
  if (because === "") return null;
  return (
    <Notice tone="warn" title="The account's rules are suspended">
      {REASONS[because] ?? because} They resume by themselves.
    </Notice>
  );
};

const Watching = ({ query }: Pick<PageProps, "query">) => {
  const { answer, again } = useAccountQuery("/api/watch/rules");
  const user = useStore(signedIn);
  // The rights of a key are unknown to the page: the service judges.
  const may_manage = user === null || user.rights.includes("watch:manage");
  if (answer === null) return <p class="waiting">Reading the rules…</p>;
  if (answer.status === "error")
    return (
      <Notice tone={answer.http_status === 404 ? "quiet" : "bad"} title="Watches cannot be shown">
        {answer.message}
      </Notice>
    );
  const rules = rowsOf(answer.body, "rules");
  return (
    <>
      <Suspended quota={fieldsOf(answer.body.standing)} />
      {may_manage ? (
        <Section title="New watch">
          <RuleForm query={query} onMade={again} />
        </Section>
      ) : null}
      <Section title="Rules">
        <Rules rules={rules} may_manage={may_manage} onChanged={again} />
      </Section>
      <Events rules={rules} may_manage={may_manage} />
    </>
  );
};

/** Watch rules of the account, their events and deliveries. */
const Watches = ({ query }: PageProps) => {
  const by = useStore(credential);
  const is_waiting = useStore(restoring);
  useEffect(() => {
    document.title = "Watches · Assay";
  }, []);
  return (
    <div class="sheets">
      <h1>Watches</h1>
      {by !== null ? (
        <Watching query={query} />
      ) : is_waiting ? (
        <p class="waiting">Opening…</p>
      ) : (
        <Notice tone="quiet" title="Sign in to watch addresses">
          <a href="/app/sign-in?to=/app/watches">Sign in</a>, or use a key with <code>watch:read</code> or{" "}
          <code>watch:manage</code>.
        </Notice>
      )}
    </div>
  );
};

export default Watches;
