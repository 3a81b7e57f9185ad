import { useEffect, useState } from "preact/hooks";
import { useStore } from "../store.ts";
import { usdText } from "../ui/format.ts";
import { useNetworks } from "../ui/networks.tsx";
import { Strange } from "../ui/strange.tsx";
import { Mark } from "./mark.tsx";
import {
  ADDRESS_KINDS,
  type Entity,
  graphAddress,
  KIND_NAMES,
  pageAddress,
  profitsAddress,
  shortId,
  watchAddress,
} from "./page_address.ts";
import type { HeadFacts, HeadFigure, Verdict } from "./summary/model.ts";
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
  if (!ADDRESS_KINDS.includes(entity.kind) && like.length < 2) return null;
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

const Figure = ({ figure }: { readonly figure: HeadFigure }) => (
  <div class="entity-figure">
    <span class="kicker">{figure.title}</span>
    {figure.usd === null ? (
      <strong class="unknown" title={figure.reason ?? "The service does not say why"}>
        unknown
      </strong>
    ) : (
      <strong title={String(figure.usd)}>{usdText(figure.usd)}</strong>
    )}
    {figure.usd === null || figure.note === null ? null : <span class="hint">{figure.note}</span>}
  </div>
);

const SIGNS = { plain: "·", good: "✓", warn: "!", bad: "✕", unknown: "?" } as const;

const VerdictText = ({ verdict }: { readonly verdict: Verdict }) => (
  <p class={`verdict verdict-${verdict.tone}`}>
    <strong>
      <span class={`sign sign-${verdict.tone}`} aria-hidden="true">
        {SIGNS[verdict.tone]}
      </span>{" "}
      {verdict.text}
    </strong>{" "}
    {verdict.reason === null ? null : <Strange text={verdict.reason} width={240} is_marked={false} />}
  </p>
);

/** The name where one is known, else the address or hash itself. */
const Title = ({ entity, facts }: { readonly entity: Entity; readonly facts: HeadFacts }) => {
  const { kind, id } = entity;
  const { name, symbol } = facts;
  if (name === null && symbol === null)
    return (
      <h1 class={kind === "name" ? undefined : "mono"}>
        <Strange text={id} width={100} is_marked={kind === "name"} />
      </h1>
    );
  return (
    <>
      <h1>
        <Strange text={name ?? symbol ?? ""} is_marked={kind === "token"} />
        {name === null || symbol === null ? null : (
          <span class="entity-symbol">
            {" "}
            <Strange text={symbol} width={16} />
          </span>
        )}
      </h1>
      <p class="mono entity-id">{id}</p>
    </>
  );
};

interface HeadingProps {
  readonly entity: Entity;
  /** As far as the answers of the page know it. */
  readonly facts: HeadFacts;
}

/** Subject of the page: its identity, its figure, and the verdict with its reason. */
export const Heading = ({ entity, facts }: HeadingProps) => {
  const name = useNetworks()?.find(({ id }) => id === entity.network)?.name ?? entity.network;
  const { kind, network, id } = entity;
  useEffect(() => {
    document.title = `${KIND_NAMES[kind]} ${shortId(id)} · Assay`;
    noteVisit({ kind, network, id });
  }, [kind, network, id]);
  return (
    <header class="entity">
      <Mark id={id} />
      <div class="entity-name">
        <p class="kicker">{[KIND_NAMES[kind], name, facts.kind ?? ""].filter((word) => word !== "").join(" · ")}</p>
        <Title entity={entity} facts={facts} />
      </div>
      {facts.figure === null ? null : <Figure figure={facts.figure} />}
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
            {kind === "wallet" ? (
              <a class="button small" href={profitsAddress(entity)}>
                Profit
              </a>
            ) : null}
          </>
        ) : null}
      </div>
      {facts.verdict === null ? null : <VerdictText verdict={facts.verdict} />}
      <Ways entity={entity} />
    </header>
  );
};
