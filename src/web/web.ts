/** A request to a host outside this process. */
export interface WebRequest {
  /** Absolute, http or https. Its author is not trusted. */
  readonly url: string;
  /** Defaults to GET. */
  readonly method?: "GET" | "POST";
  /** Only with POST, which is never redirected. */
  readonly body?: string;
  /** Sent to the first origin only: a redirect elsewhere does not carry them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Accepts a host with an untrusted certificate; `tls.is_valid` is then false. Defaults to false. */
  readonly takes_any_certificate?: boolean;
  /** Refuses plain http, also after a redirect, except at this process's own origins. Defaults to false. */
  readonly needs_tls?: boolean;
  readonly signal: AbortSignal;
}

/** Certificate of the last host; times in ISO 8601. */
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
  /** Every address that redirected, in order. */
  readonly redirects: readonly string[];
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded body, up to the fetcher's cap. */
  readonly body: Uint8Array;
  /** True when the cap cut the body. */
  readonly is_cut: boolean;
  /** Null over http. */
  readonly tls: TlsFacts | null;
  readonly elapsed_ms: number;
}

/**
 * A request without an answer. `disabled`: the operator disabled outside requests. `refused`: the address is not
 * allowed. `unreachable`: the host sent no valid answer in time.
 */
export interface WebFailure {
  readonly kind: "disabled" | "refused" | "unreachable";
  /** Written by Assay, without text from the host. */
  readonly reason: string;
  readonly redirects: readonly string[];
}

/** The only outside fetcher of this process. Returns failures as values and throws only when the caller's own signal aborts. */
export interface Web {
  fetch(request: WebRequest): Promise<WebAnswer | WebFailure>;
}
