/** What may stand on a span: names, numbers and ids of ours. Never what a caller, a chain or a node wrote, and no secret. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

export interface Span {
  note(facts: SpanFacts): void;
}

/** One piece of the work of a request. */
export interface Step {
  /** Few different ones: what is done, never to what. */
  readonly name: string;
  /** `client`: something outside this process is asked. */
  readonly kind: "internal" | "client";
  readonly facts: SpanFacts;
}

/** The span of a whole request. */
export interface RequestSpan extends Span {
  /** Runs `work` inside the request: steps that it begins, however deep and however late, are parts of it. */
  within(work: () => void): void;
  end(): void;
}

/** Where the work of requests is recorded. */
export interface Tracing {
  /**
   * Begins the span of a request; null when this one is not recorded.
   * @param traceparent the caller's (W3C Trace Context), taken for the ids alone.
   */
  request(name: string, traceparent: string | undefined): RequestSpan | null;
  /** Runs `work` as a step of the request under way, if there is one. Of a throw the code is recorded, not the words. */
  step<T>(step: Step, work: (span: Span) => Promise<T>): Promise<T>;
}
