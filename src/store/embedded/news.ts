/** Messages of the engine to its parent process. */
export type EngineNews =
  | { readonly kind: "ready" }
  /** Another engine lives on this directory. */
  | { readonly kind: "owned"; readonly message: string }
  | { readonly kind: "failed"; readonly message: string };
