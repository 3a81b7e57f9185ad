import { AssayError } from "../lib/errors.ts";

/** What the accounts refuse, in words that whoever asked may read. */
export const refusal = (code: string, message: string): AssayError =>
  new AssayError({ code, message, public: message });

export const unknownAccount = (id: string): AssayError => refusal("UNKNOWN_ACCOUNT", `Account '${id}' does not exist.`);
