import { useState } from "preact/hooks";
import { takeCredential } from "../api/credential.ts";

/** Takes an API key for this tab. */
export const KeyForm = ({ onDone }: { readonly onDone: () => void }) => {
  const [text, setText] = useState("");
  const take = (event: Event) => {
    event.preventDefault();
    if (text.trim() === "") return;
    takeCredential({ kind: "key", secret: text.trim() });
    onDone();
  };
  return (
    <form class="key-form" onSubmit={take}>
      <label>
        API key
        <input
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button-main">
        Use it
      </button>
      <p class="hint">It stays in this tab and is gone when the tab is closed.</p>
    </form>
  );
};
