/** Attributes of a span: Assay's own names, numbers and ids. Never text of a caller, a chain or a node, and no secret. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

export interface TraceSpan {
  note(facts: SpanFacts): void;
}

/** A span within a request. */
export interface TraceStep {
  /** Low cardinality: names the operation, never its object. */
  readonly name: string;
  /** `client`: a request to something outside this process. */
  readonly kind: "internal" | "client";
  readonly facts: SpanFacts;
}

/** The span of a whole request. */
export interface RequestSpan extends TraceSpan {
  /** Runs `work` within the request: all steps that it starts, at any depth and time, become child spans. */
  within(work: () => void): void;
  end(): void;
}

/** Records the spans of requests. */
export interface RequestTracer {
  /**
   * Starts the span of a request; null when the request is not sampled.
   * @param traceparent the caller's (W3C Trace Context), used only for its ids.
   */
  request(name: string, traceparent: string | undefined): RequestSpan | null;
  /** Runs `work` as a step of the current request, if any. For an error it records the code, not the message. */
  step<T>(step: TraceStep, work: (span: TraceSpan) => Promise<T>): Promise<T>;
}
