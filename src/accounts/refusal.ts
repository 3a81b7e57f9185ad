import { AssayError } from "../lib/errors.ts";

/** A rejection by the accounts, with a message that the caller may read. */
export const refusal = (code: string, message: string): AssayError =>
  new AssayError({ code, message, public: message });

export const unknownAccount = (id: string): AssayError => refusal("UNKNOWN_ACCOUNT", `Account '${id}' does not exist.`);
