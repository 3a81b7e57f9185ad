/** The URL is the state of the page, so a shared link shows the same. */
import { createStore } from "./store.ts";

export interface PageLocation {
  readonly path: string;
  readonly query: string;
}

const here = (): PageLocation => ({ path: location.pathname, query: location.search });

export const pageLocation = createStore<PageLocation>(here());

addEventListener("popstate", () => pageLocation.set(here()));

/** Opens a page of this service; its beginning is in sight and has the focus. */
export const open = (to: string): void => {
  if (to !== location.pathname + location.search) history.pushState(null, "", to);
  pageLocation.set(here());
  scrollTo(0, 0);
};

/** Changes query parameters of the current page; null removes one. */
export const setQuery = (changes: Readonly<Record<string, string | null>>): void => {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes))
    if (value === null || value === "") query.delete(name);
    else query.set(name, value);
  const text = query.toString();
  history.replaceState(null, "", location.pathname + (text === "" ? "" : `?${text}`));
  pageLocation.set(here());
};

/** A click that the page answers itself: no other key is held, and the link stays in this tab and on this service. */
const isPlain = (event: MouseEvent, link: HTMLAnchorElement): boolean =>
  event.button === 0 &&
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) &&
  link.target === "" &&
  !link.hasAttribute("download") &&
  link.origin === location.origin &&
  (link.pathname === "/" || link.pathname.startsWith("/app/"));

/** Opens links between pages without a reload. */
export const followLinks = (): void => {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || event.defaultPrevented || !isPlain(event, link)) return;
    if (link.hash !== "" && link.pathname === location.pathname) return;
    event.preventDefault();
    open(link.pathname + link.search);
  });
};
