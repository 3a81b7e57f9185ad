/** The Content-Security-Policy of each kind of document that the service sends or writes. */

const NO_EMBEDDING = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The portal: its own files and requests to this service. Scripts and styles are never inline, and no page frames it. */
export const PORTAL_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The pages of the documentation: their own files and requests to this service. */
export const DOCS_CSP = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; ${NO_EMBEDDING}`;

/** An SVG document contains its own style. It loads and runs nothing, wherever it is opened. */
export const SVG_CSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
