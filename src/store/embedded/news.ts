/** What the engine tells the process that started it. */
export type EngineNews =
  | { readonly kind: "ready" }
  /** Another engine lives on this directory. */
  | { readonly kind: "owned"; readonly message: string }
  | { readonly kind: "failed"; readonly message: string };
