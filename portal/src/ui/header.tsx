import { useState } from "preact/hooks";
import { remaining } from "../api/client.ts";
import { credential, takeCredential } from "../api/credential.ts";
import { useStore } from "../store.ts";
import { nextTheme, theme } from "../theme.ts";
import { Find } from "./find.tsx";
import { KeyForm } from "./key_form.tsx";

/** Pages that the header leads to. */
const PLACES = [
  { path: "/", name: "Search" },
  { path: "/app/tools", name: "Tools" },
  { path: "/app/graph", name: "Graph" },
  { path: "/app/case", name: "Cases" },
  { path: "/app/watches", name: "Watches" },
];

/** The credential and its remaining credits, with a field to paste or forget a key. */
const CreditStatus = () => {
  const now = useStore(credential);
  const left = useStore(remaining);
  const [is_open, setOpen] = useState(false);
  if (now === null)
    return (
      <div class="standing">
        <a href="/app/sign-in">Sign in</a>
        <button type="button" aria-expanded={is_open} onClick={() => setOpen(!is_open)}>
          Use a key
        </button>
        {is_open ? (
          <div class="drop">
            <KeyForm onDone={() => setOpen(false)} />
          </div>
        ) : null}
      </div>
    );
  return (
    <div class="standing">
      {left === null ? null : (
        <span class="credits" title="Credits that are left on the plan">
          {left.toLocaleString("en-US")} credits
        </span>
      )}
      {now.kind === "key" ? (
        <button type="button" onClick={() => takeCredential(null)}>
          Forget the key
        </button>
      ) : (
        <a href="/app/account">{now.name}</a>
      )}
    </div>
  );
};

const ThemeSwitch = () => {
  const now = useStore(theme);
  return (
    <button type="button" class="theme" onClick={nextTheme} aria-label={`Colours: ${now}. Change`}>
      {{ system: "◐", light: "☀", dark: "☾" }[now]}
    </button>
  );
};

export const Header = ({ path }: { readonly path: string }) => (
  <header class="top">
    <a class="brand" href="/">
      <img src="/assets/icon.svg" alt="" width="20" height="20" />
      Assay
    </a>
    <nav aria-label="Pages">
      {PLACES.map((place) => (
        <a key={place.path} href={place.path} aria-current={place.path === path ? "page" : undefined}>
          {place.name}
        </a>
      ))}
      <a href="/docs/index.html">Docs</a>
    </nav>
    {path === "/" ? null : <Find />}
    <CreditStatus />
    <ThemeSwitch />
  </header>
);
