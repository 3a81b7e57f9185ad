/** What is asked of the world outside. */
export interface WebRequest {
  /** Absolute, http or https. Whoever chose it is not trusted. */
  readonly url: string;
  /** GET when left out. */
  readonly method?: "GET" | "POST";
  /** Only of a POST, which is never redirected. */
  readonly body?: string;
  /** Sent to the first origin only: a redirect elsewhere does not carry them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Read the answer of a host whose certificate nobody vouches for; `tls.is_valid` then says so. False when left out. */
  readonly takes_any_certificate?: boolean;
  readonly signal: AbortSignal;
}

/** The certificate that the last host showed; times in ISO 8601. */
export interface TlsFacts {
  readonly is_valid: boolean;
  readonly issuer: string | null;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  readonly san_count: number | null;
}

export interface WebAnswer {
  readonly kind: "answer";
  readonly status: number;
  readonly final_url: string;
  /** Every address that was left, in order. */
  readonly redirects: readonly string[];
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded, at most the cap of the fetcher. */
  readonly body: Uint8Array;
  /** True when more than the cap would have come. */
  readonly is_cut: boolean;
  /** Null over http. */
  readonly tls: TlsFacts | null;
  readonly elapsed_ms: number;
}

/**
 * No answer. `disabled`: the operator does not let this process ask the outside world. `refused`: the address may not be
 * asked. `unreachable`: nobody answered in time and form.
 */
export interface WebFailure {
  readonly kind: "disabled" | "refused" | "unreachable";
  /** A sentence of ours, without text of the other side. */
  readonly reason: string;
  readonly redirects: readonly string[];
}

/** The one way out of this process. Failures are values; nothing is thrown but an abort of the caller's own signal. */
export interface Web {
  fetch(request: WebRequest): Promise<WebAnswer | WebFailure>;
}
