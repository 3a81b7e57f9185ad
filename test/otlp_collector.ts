import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as OTLP/JSON writes it (opentelemetry-proto, trace.proto). */
interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status?: { readonly code?: number; readonly message?: string };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

export interface CollectedSpan extends Omit<WireSpan, "attributes"> {
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Behaviour of a collector: 200, 500, or no answer at all. */
type Manner = "take" | "refuse" | "hang";

export interface OtlpCollector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Every body as received. */
  readonly text: () => string;
  /** `POST /path` of every request. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const spansOf = (body: string): CollectedSpan[] => {
  // ExportTraceServiceRequest in its JSON form.
  const { resourceSpans } = JSON.parse(body) as {
    readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[] }[];
  };
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map((span) => ({
      ...span,
      attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
    }));
};

/** A receiver of OTLP over HTTP, limited to JSON traces. */
export const openCollector = async (manner: Manner = "take"): Promise<OtlpCollector> => {
  const bodies: string[] = [];
  const spans: CollectedSpan[] = [];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (manner === "hang") return;
      if (manner === "refuse") return response.writeHead(500).end("the collector's own words");
      const body = Buffer.concat(chunks).toString();
      bodies.push(body);
      spans.push(...spansOf(body));
      return response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on TCP has an address of this shape.
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, spans, text: () => bodies.join("\n"), asked, close };
};

/** The spans of one trace as a tree of names, in the order of their names. */
export type SpanTree = readonly (string | readonly [string, SpanTree])[];

export const treeOf = (spans: readonly CollectedSpan[], parent: string | undefined): SpanTree =>
  spans
    .filter(({ parentSpanId }) => (parentSpanId ?? "") === (parent ?? ""))
    .map(({ name, spanId }) => {
      const children = treeOf(spans, spanId);
      return children.length === 0 ? name : ([name, children] as const);
    })
    .sort((a, b) => (String(a) < String(b) ? -1 : 1));
