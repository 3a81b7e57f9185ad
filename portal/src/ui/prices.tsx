import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { type Catalog, type CatalogRead, catalog, hasEnded, isCatalog } from "../api/client.ts";
import { credential } from "../api/credential.ts";
import { Problem } from "../sheet/problem.tsx";
import { useStore } from "../store.ts";
import { KeyForm } from "./key_form.tsx";
import { Notice } from "./notice.tsx";

export interface PricesContext {
  readonly prices: Catalog;
  /** Replaces the prices. */
  readonly onPrices: () => void;
}

/** Shown without a credential. */
const SignedOut = () => {
  const has_ended = useStore(hasEnded);
  return (
    <Notice tone="warn" title={has_ended ? "Your session has ended" : "Questions need a key"}>
      Prices and answers are those of an account. <a href="/app/sign-in">Sign in</a>, or paste one of its API keys;{" "}
      <code>./assay up</code> prints one for the demo.
      <KeyForm onDone={() => undefined} />
    </Notice>
  );
};

/** Content that needs the tools and their prices; shows a problem if they are unavailable. */
export const WithPrices = ({ children }: { readonly children: (priced: PricesContext) => ComponentChildren }) => {
  const by = useStore(credential);
  const [read, setRead] = useState<CatalogRead | null>(null);
  const onPrices = useCallback(() => void catalog().then(setRead), []);
  useEffect(() => {
    let is_wanted = true;
    void catalog().then((result) => is_wanted && setRead(result));
    return () => {
      is_wanted = false;
    };
  }, [by]);
  if (by === null) return <SignedOut />;
  if (read === null) return <p class="waiting">Reading the prices…</p>;
  if (!isCatalog(read))
    return (
      <>
        <Problem answer={read} />
        <button type="button" onClick={() => void catalog(true).then(setRead)}>
          Try again
        </button>
      </>
    );
  return <>{children({ prices: read, onPrices })}</>;
};
