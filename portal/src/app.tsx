import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type PageLocation, pageLocation } from "./navigation.ts";
import { type PageProps, type PageRoute, routeFor } from "./routes.ts";
import { useStore } from "./store.ts";
import { Header } from "./ui/header.tsx";
import { Notice } from "./ui/notice.tsx";

type LoadedPage =
  | { readonly kind: "page"; readonly route: PageRoute; readonly Page: ComponentType<PageProps> }
  | { readonly kind: "failed"; readonly route: PageRoute };

/** The page of a route; the previous page stays visible until it has loaded. */
const usePage = (route: PageRoute): LoadedPage | null => {
  const [loaded, setLoaded] = useState<LoadedPage | null>(null);
  useEffect(() => {
    let is_wanted = true;
    route.load().then(
      ({ default: Page }) => is_wanted && setLoaded({ kind: "page", route, Page }),
      () => is_wanted && setLoaded({ kind: "failed", route }),
    );
    return () => {
      is_wanted = false;
    };
  }, [route]);
  return loaded;
};

const Outlet = ({ at }: { readonly at: PageLocation }) => {
  const { route, params } = routeFor(at.path);
  const loaded = usePage(route);
  if (loaded === null || loaded.route !== route) return <p class="waiting">Opening…</p>;
  if (loaded.kind === "failed")
    return (
      <Notice tone="bad" title="This part of the page could not be loaded">
        The service may have been stopped or replaced by a newer one.{" "}
        <a href={at.path + at.query} target="_self" rel="external">
          Load the page again
        </a>
      </Notice>
    );
  return <loaded.Page key={at.path} params={params} query={new URLSearchParams(at.query)} />;
};

/** Header and the page that is open. */
export const App = () => {
  const at = useStore(pageLocation);
  const main = useRef<HTMLElement>(null);
  const is_first = useRef(true);
  useEffect(() => {
    if (!is_first.current) main.current?.focus({ preventScroll: true });
    is_first.current = false;
  }, [at.path]);
  return (
    <>
      <a class="skip" href="#main">
        To the content
      </a>
      <Header path={at.path} />
      <main id="main" tabIndex={-1} ref={main}>
        <Outlet at={at} />
      </main>
    </>
  );
};
