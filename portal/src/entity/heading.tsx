import { useEffect, useState } from "preact/hooks";
import { useStore } from "../store.ts";
import { useNetworks } from "../ui/networks.tsx";
import { Strange } from "../ui/strange.tsx";
import {
  ADDRESS_KINDS,
  type Entity,
  graphAddress,
  KIND_NAMES,
  pageAddress,
  shortId,
  watchAddress,
} from "./page_address.ts";
import { isPinned, noteVisit, pinned, togglePin } from "./visits.ts";

const Copy = ({ text }: { readonly text: string }) => {
  const [is_done, setDone] = useState(false);
  const copy = () => void navigator.clipboard?.writeText(text).then(() => setDone(true));
  return (
    <button type="button" class="small" onClick={copy}>
      {is_done ? "Copied" : "Copy"}
    </button>
  );
};

const Pin = ({ entity }: { readonly entity: Entity }) => {
  const list = useStore(pinned);
  const is_pinned = isPinned(list, entity);
  return (
    <button type="button" class="small" aria-pressed={is_pinned} onClick={() => togglePin(entity)}>
      {is_pinned ? "★ Pinned" : "☆ Pin"}
    </button>
  );
};

/** The same address as a wallet, a token, a contract; and on every network where it can be. */
const Ways = ({ entity }: { readonly entity: Entity }) => {
  const list = useNetworks() ?? [];
  const family = list.find(({ id }) => id === entity.network)?.family;
  const like = list.filter((one) => one.family === family);
  return (
    <div class="ways">
      {ADDRESS_KINDS.includes(entity.kind) ? (
        <nav class="tabs" aria-label="Looked at as">
          {ADDRESS_KINDS.map((kind) => (
            <a
              key={kind}
              href={pageAddress({ ...entity, kind })}
              aria-current={kind === entity.kind ? "page" : undefined}
            >
              {KIND_NAMES[kind]}
            </a>
          ))}
        </nav>
      ) : null}
      {like.length > 1 ? (
        <nav class="tabs" aria-label="Network">
          {like.map(({ id, name }) => (
            <a
              key={id}
              href={pageAddress({ ...entity, network: id })}
              aria-current={id === entity.network ? "page" : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
      ) : null}
    </div>
  );
};

/** Subject of the page. */
export const Heading = ({ entity }: { readonly entity: Entity }) => {
  const name = useNetworks()?.find(({ id }) => id === entity.network)?.name ?? entity.network;
  const { kind, network, id } = entity;
  useEffect(() => {
    document.title = `${KIND_NAMES[kind]} ${shortId(id)} · Assay`;
    noteVisit({ kind, network, id });
  }, [kind, network, id]);
  return (
    <header class="entity">
      <p class="kicker">
        {KIND_NAMES[kind]}
        {name === "" ? "" : ` · ${name}`}
      </p>
      <h1 class={kind === "name" ? undefined : "mono"}>
        <Strange text={id} width={100} />
      </h1>
      <div class="entity-acts">
        <Copy text={id} />
        <Pin entity={entity} />
        {ADDRESS_KINDS.includes(kind) ? (
          <>
            <a class="button small" href={watchAddress(entity)}>
              Watch
            </a>
            <a class="button small" href={graphAddress(entity)}>
              Graph
            </a>
          </>
        ) : null}
      </div>
      <Ways entity={entity} />
    </header>
  );
};
