import type { Hex } from "../lib/bytes.ts";

/** A proxy shape, as `knowledge/proxies.yaml` describes it and `proxies.gen.ts` lists it. */

/** A piece of a pattern over runtime code. */
export type CodePiece =
  | { readonly bytes: Hex }
  /** That many bytes of any value. */
  | { readonly any: number }
  /** That many bytes of an address, without the zero bytes that it begins with. */
  | { readonly address: "implementation" | "admin"; readonly length: number }
  /** A PUSH of the implementation, of 20 bytes or as many as are left without leading zero bytes. */
  | { readonly push: "implementation" }
  /** A jump target, less the bytes that a shorter PUSH before it saves. */
  | { readonly jump: number };

interface CodeMatch {
  readonly way: "code";
  readonly pieces: readonly CodePiece[];
  /** Null where the code has the implementation's address. */
  readonly implementation_slot: Hex | null;
}

interface SlotMatch {
  readonly way: "slot";
  readonly slot: Hex;
  /** The slot names a contract, whose function with this selector names the implementation. */
  readonly then_call: Hex | null;
}

export interface CallMatch {
  readonly way: "call";
  readonly selector: Hex;
  readonly returns: "address" | "addresses";
  /** Slot that must hold the same address. */
  readonly same_in_slot: Hex | null;
  readonly code_bytes_max: number | null;
  /** The proxy's own code must push the selectors: otherwise the answer is the implementation's. */
  readonly in_own_code: boolean;
  /** Another function, and the number that it must return. */
  readonly where: { readonly selector: Hex; readonly returns: bigint } | null;
}

export interface ProxyShape {
  readonly id: string;
  /** The word that answers use; null where they have none. */
  readonly kind: "eip1967" | "beacon" | "minimal" | "eip1822" | "safe" | "diamond" | null;
  /** Whether its code can be replaced; `by_admin`: if it names an administrator, or its code has a function for it. */
  readonly upgrade: "never" | "by_admin" | "always";
  /** Selector of a function that names the administrator. */
  readonly admin_call: Hex | null;
  /** Evidence that the contract is a proxy, as answers state it. */
  readonly evidence: string;
  readonly found_by: CodeMatch | SlotMatch | CallMatch;
}
