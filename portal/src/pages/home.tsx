import { useEffect, useState } from "preact/hooks";
import type { ListedNetwork } from "../api/client.ts";
import { type Entity, KIND_NAMES, pageAddress, shortId } from "../entity/page_address.ts";
import { type RecognisedText, recognise } from "../entity/recognise.ts";
import { SymbolSearch } from "../entity/symbol_search.tsx";
import { forgetVisits, pinned, recent } from "../entity/visits.ts";
import { waysOf } from "../entity/ways.ts";
import { open, setQuery } from "../navigation.ts";
import type { PageProps } from "../routes.ts";
import { SearchInput } from "../search/search_input.tsx";
import { useStore } from "../store.ts";
import { useNetworks } from "../ui/networks.tsx";
import { Strange } from "../ui/strange.tsx";

const WHAT: Readonly<Record<RecognisedText["kind"], string>> = {
  address: "An address",
  transaction: "A transaction",
  name: "A name",
  symbol: "Perhaps a token's symbol",
};

const Ways = ({ found, networks }: { readonly found: RecognisedText; readonly networks: readonly ListedNetwork[] }) => {
  const ways = waysOf(found, networks);
  const nameOf = (id: string) => networks.find((network) => network.id === id)?.name ?? id;
  if (found.kind === "symbol") return <SymbolSearch key={found.text} symbol={found.text} />;
  return (
    <div class="found">
      <p class="quiet">
        {WHAT[found.kind]}
        {ways.length === 0 ? " of a family of networks that this service does not have." : ". Open it as:"}
      </p>
      <ul class="plain choices">
        {ways.map((way, at) => (
          <li key={pageAddress(way)}>
            <a class={at === 0 ? "button button-main" : "button"} href={pageAddress(way)}>
              {KIND_NAMES[way.kind]}
              {way.network === "" ? "" : ` on ${nameOf(way.network)}`}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
};

const Entities = ({ title, list }: { readonly title: string; readonly list: readonly Entity[] }) =>
  list.length === 0 ? null : (
    <section class="visits">
      <h2>{title}</h2>
      <ul class="plain">
        {list.map((entity) => (
          <li key={pageAddress(entity)}>
            <a href={pageAddress(entity)} title={entity.id}>
              <span class="visit-kind">{KIND_NAMES[entity.kind]}</span>
              <span class={entity.kind === "name" ? undefined : "mono"}>
                <Strange text={shortId(entity.id)} />
              </span>
              <span class="quiet">{entity.network}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );

const Home = ({ query }: PageProps) => {
  const [text, setText] = useState(query.get("q") ?? "");
  const networks = useNetworks();
  const [pins, visits] = [useStore(pinned), useStore(recent)];
  const found = recognise(text);
  useEffect(() => {
    document.title = "Assay";
  }, []);
  const write = (next: string) => {
    setText(next);
    setQuery({ q: next });
  };
  const first = found === null ? undefined : waysOf(found, networks ?? [])[0];
  const submit = (event: Event) => {
    event.preventDefault();
    if (first !== undefined) open(pageAddress(first));
  };
  return (
    <div class="home">
      <h1>What do you want to look at?</h1>
      <search>
        <form class="box" onSubmit={submit}>
          <label for="box">Address, transaction, token or name, of any network</label>
          <SearchInput
            id="box"
            label="Address, transaction, token or name, of any network"
            placeholder="0x…, T…, a Solana address, alice.eth, USDC, Binance"
            value={text}
            onValue={write}
          />
        </form>
      </search>
      <div aria-live="polite">
        {found === null ? (
          <p class="quiet">
            {text.trim() === ""
              ? `Answers come from blocks of ${networks?.map(({ name }) => name).join(", ") ?? "…"}.`
              : "This is no whole address, hash, name or symbol."}
          </p>
        ) : (
          <Ways found={found} networks={networks ?? []} />
        )}
      </div>
      <div class="lists">
        <Entities title="Pinned" list={pins} />
        <Entities title="Lately" list={visits} />
      </div>
      {visits.length === 0 ? null : (
        <button type="button" class="small" onClick={forgetVisits}>
          Clear history
        </button>
      )}
    </div>
  );
};

export default Home;
