import type { FastifyInstance, FastifyRequest } from "fastify";

interface TableRow {
  readonly pattern: RegExp;
  readonly methods: string[];
}

/** The path of a request, also when the request line contains the whole address. */
export const pathOf = (request: Pick<FastifyRequest, "raw">): string =>
  (request.raw.url ?? "").replace(/^https?:\/\/[^/]*/i, "").split("?", 1)[0] ?? "";

const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replace(/[.]/g, "\\.").replace(/:\w+/g, "[^/]+").replace(/\*$/, ".*")}$`);

/** Paths and their methods, collected while routes are added to an app: a request to another path or method is refused before its route. */
export class RouteTable {
  readonly #rows = new Map<string, TableRow>();

  /** Collects every route that is added to `app` from now on. */
  collect(app: FastifyInstance): void {
    app.addHook("onRoute", ({ url, method }) => {
      const row = this.#rows.get(url) ?? { pattern: patternOf(url), methods: [] };
      row.methods.push(...[method].flat());
      this.#rows.set(url, row);
    });
  }

  /** The methods of a path, as the header `Allow` lists them; null for an unknown path. */
  allowOf(path: string): string | null {
    // A route of exactly this path goes before one with a parameter, as in the router.
    const exact = this.#rows.get(path);
    const rows = exact === undefined ? [...this.#rows.values()].filter(({ pattern }) => pattern.test(path)) : [exact];
    return rows.length === 0 ? null : [...new Set(rows.flatMap(({ methods }) => methods))].join(", ");
  }
}
