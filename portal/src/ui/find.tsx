import { networks } from "../api/client.ts";
import { pageAddress } from "../entity/page_address.ts";
import { recognise } from "../entity/recognise.ts";
import { waysOf } from "../entity/ways.ts";
import { open } from "../navigation.ts";

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
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget;
    const text = form instanceof HTMLFormElement ? new FormData(form).get("q") : null;
    if (typeof text !== "string" || text.trim() === "") return;
    if (form instanceof HTMLFormElement) form.reset();
    void find(text.trim());
  };
  return (
    <search>
      <form class="find" onSubmit={submit}>
        <input
          name="q"
          type="search"
          aria-label="Address, transaction, token or name"
          placeholder="Address, hash, token, name"
          autocomplete="off"
          spellcheck={false}
        />
      </form>
    </search>
  );
};
