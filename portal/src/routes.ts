/** Pages by path. Each is a separate chunk, loaded when it is first opened. */
import type { ComponentType } from "preact";

export interface PageProps {
  /** Parts of the path by their names in the pattern, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Everything behind the `?`: as-of block and every other parameter. */
  readonly query: URLSearchParams;
}

export interface PageRoute {
  /** `:name` stands for one part of the path. */
  readonly path: string;
  readonly load: () => Promise<{ readonly default: ComponentType<PageProps> }>;
}

const routes: readonly PageRoute[] = [
  { path: "/", load: () => import("./pages/home.tsx") },
  { path: "/app/graph", load: () => import("./pages/graph.tsx") },
  { path: "/app/case", load: () => import("./pages/case.tsx") },
  { path: "/app/case/:id", load: () => import("./pages/case.tsx") },
  { path: "/app/profits", load: () => import("./pages/profits.tsx") },
  { path: "/app/watches", load: () => import("./pages/watches.tsx") },
  { path: "/app/wallet/:network/:address", load: () => import("./pages/wallet.tsx") },
  { path: "/app/token/:network/:address", load: () => import("./pages/token.tsx") },
  { path: "/app/transaction/:network/:hash", load: () => import("./pages/transaction.tsx") },
  { path: "/app/contract/:network/:address", load: () => import("./pages/contract.tsx") },
  { path: "/app/report/wallet/:network/:address", load: () => import("./pages/report.tsx") },
  { path: "/app/report/transaction/:network/:hash", load: () => import("./pages/report.tsx") },
  { path: "/app/name/:name", load: () => import("./pages/name.tsx") },
  { path: "/app/tools", load: () => import("./pages/tools.tsx") },
  { path: "/app/tools/:name", load: () => import("./pages/tool.tsx") },
  { path: "/app/sign-in", load: () => import("./pages/sign_in.tsx") },
  { path: "/app/authorize", load: () => import("./pages/authorize.tsx") },
  { path: "/app/set-up", load: () => import("./pages/set_up.tsx") },
  { path: "/app/account", load: () => import("./pages/account.tsx") },
  { path: "/app/operator", load: () => import("./pages/operator.tsx") },
];

const missing: PageRoute = { path: "*", load: () => import("./pages/missing.tsx") };

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a sign of percent that encodes nothing
  }
};

/** Parameters of a path by the names of a pattern; null when it does not match. */
const paramsOf = (pattern: string, path: string): Readonly<Record<string, string>> | null => {
  const wanted = pattern.split("/");
  const given = path.replace(/(?<=.)\/$/, "").split("/");
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? "";
    if (part.startsWith(":") && value !== "") params[part.slice(1)] = decoded(value);
    else if (part !== value) return null;
  }
  return params;
};

export const routeFor = (path: string): { readonly route: PageRoute; readonly params: PageProps["params"] } => {
  for (const route of routes) {
    const params = paramsOf(route.path, path);
    if (params !== null) return { route, params };
  }
  return { route: missing, params: {} };
};
