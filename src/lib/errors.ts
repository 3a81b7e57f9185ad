/**
 * A failed dependency or an expected rejection, thrown.
 * Callers may see `public`; `message` and `cause` never leave the process.
 */
export class AssayError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly public: string;

  constructor(facts: { code: string; message: string; public?: string; retryable?: boolean; cause?: unknown }) {
    super(facts.message, { cause: facts.cause });
    this.name = "AssayError";
    this.code = facts.code;
    this.retryable = facts.retryable ?? false;
    this.public = facts.public ?? "The service could not answer.";
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The code of a system or database error, such as `ENOENT`; null when the error has none. */
export const codeOf = (error: unknown): string | null =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
