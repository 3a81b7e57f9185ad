import { useState } from "preact/hooks";
import { networks } from "../api/client.ts";
import { pageAddress } from "../entity/page_address.ts";
import { recognise } from "../entity/recognise.ts";
import { waysOf } from "../entity/ways.ts";
import { open } from "../navigation.ts";
import { SearchInput } from "../search/search_input.tsx";

/** Opens what a text can only be; where it can be several things, the search shows them. */
const find = async (text: string): Promise<void> => {
  const found = recognise(text);
  const ways = found === null ? [] : waysOf(found, await networks().catch(() => []));
  const [only] = ways;
  const is_clear = only !== undefined && ways.every(({ network }) => network === only.network);
  open(is_clear ? pageAddress(only) : `/?q=${encodeURIComponent(text)}`);
};

/** The one box, small, on every page. */
export const Find = () => {
  const [text, setText] = useState("");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (text.trim() === "") return;
    setText("");
    void find(text.trim());
  };
  return (
    <search>
      <form class="find" onSubmit={submit}>
        <SearchInput
          id="find"
          label="Address, transaction, token or name"
          placeholder="Address, hash, token, name"
          value={text}
          onValue={setText}
        />
      </form>
    </search>
  );
};
