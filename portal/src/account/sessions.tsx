import { useState } from "preact/hooks";
import type { ToolAnswer } from "../api/answer.ts";
import { Notice } from "../ui/notice.tsx";
import { Refusal, Section, Sure, Table } from "./parts.tsx";
import { Password } from "./password.tsx";
import { rowsOf, sendRequest, timeOf, useAccountQuery, words } from "./request.ts";
import { changePassword } from "./session.ts";

const ChangePassword = ({ onChanged }: { readonly onChanged: () => void }) => {
  const [present, setPresent] = useState("");
  const [next, setNext] = useState("");
  const [answer, setAnswer] = useState<ToolAnswer | null>(null);
  const change = async (event: Event) => {
    event.preventDefault();
    const got = await changePassword(present, next);
    setAnswer(got);
    if (got.status === "error") return;
    setPresent("");
    setNext("");
    onChanged();
  };
  return (
    <form class="make" onSubmit={(event) => void change(event)}>
      <Password label="Present password" value={present} onInput={setPresent} autocomplete="current-password" />
      <Password label="New password" value={next} onInput={setNext} autocomplete="new-password" />
      <button type="submit">Change the password</button>
      <Refusal answer={answer} />
      {answer?.status === "data" ? (
        <Notice tone="good" title="The password was changed">
          All other sessions have ended.
        </Notice>
      ) : null}
    </form>
  );
};

const BROWSERS = ["Edg", "OPR", "Firefox", "Chrome", "Safari"];
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Mac OS X", "CrOS", "Linux"];

/** A user agent in two words; unchanged when unknown. */
const browserOf = (agent: string): string => {
  const named = (list: readonly string[]) => list.find((one) => agent.includes(one));
  const [browser, system] = [named(BROWSERS)?.replace("Edg", "Edge").replace("OPR", "Opera"), named(SYSTEMS)];
  return browser === undefined ? agent.slice(0, 40) : `${browser}${system === undefined ? "" : `, ${system}`}`;
};

/** Where the user is signed in. */
export const SessionList = () => {
  const { answer, again } = useAccountQuery("/api/session/list");
  const [refused, setRefused] = useState<ToolAnswer | null>(null);
  const end = async (id: string) => {
    const got = await sendRequest("POST", `/api/session/list/${encodeURIComponent(id)}/end`, {});
    setRefused(got);
    again();
  };
  return (
    <Section title="Sessions and password">
      <Refusal answer={refused ?? answer} />
      <Table
        label="Open sessions"
        rows={answer === null ? [] : rowsOf(answer.body, "sessions")}
        keyOf={(one) => words(one, "id")}
        empty="Loading…"
        columns={[
          { head: "Since (UTC)", cell: (one) => timeOf(words(one, "created_at")) },
          { head: "Last seen", cell: (one) => timeOf(words(one, "seen_at")) },
          { head: "From", cell: (one) => words(one, "address") },
          { head: "Browser", cell: (one) => browserOf(words(one, "agent")) },
          {
            head: "Change",
            cell: (one) =>
              one.is_this === true ? (
                <span class="quiet">this one</span>
              ) : (
                <Sure name="End" question="It ends at once." onSure={() => void end(words(one, "id"))} />
              ),
          },
        ]}
      />
      <ChangePassword onChanged={again} />
    </Section>
  );
};
