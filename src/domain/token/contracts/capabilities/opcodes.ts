import { type Bytes, type Hex, toHex } from "../../../../lib/bytes.ts";
import { selectorsIn } from "../../../address/code/code_scan.ts";

/** Traits of runtime code, read without running it. Pure. */

export interface CodeTraits {
  /** Selectors that the code compares its input with, as hex. */
  readonly selectors: ReadonlySet<Hex>;
  readonly has_selfdestruct: boolean;
  readonly has_delegatecall: boolean;
  /** Calls other contracts and may change state: CALL or DELEGATECALL. */
  readonly has_external_call: boolean;
}

/** Opcodes of the Ethereum yellow paper, appendix H. */
const OP = {
  stop: 0x00,
  jump: 0x56,
  jumpdest: 0x5b,
  push1: 0x60,
  push4: 0x63,
  push32: 0x7f,
  call: 0xf1,
  callcode: 0xf2,
  return: 0xf3,
  delegatecall: 0xf4,
  revert: 0xfd,
  invalid: 0xfe,
  selfdestruct: 0xff,
} as const;

/** Instructions after which nothing runs until a JUMPDEST: constants and metadata follow them. */
const ENDS: ReadonlySet<number> = new Set([OP.stop, OP.jump, OP.return, OP.revert, OP.invalid, OP.selfdestruct]);

/** Traits of the reachable instructions. */
export const traitsOf = (code: Bytes): CodeTraits => {
  const selectors = new Set<Hex>();
  const seen = new Set<number>();
  let is_live = true;
  for (let at = 0; at < code.length; at += 1) {
    const op = code[at] ?? OP.stop;
    if (op === OP.jumpdest) is_live = true;
    if (is_live) {
      seen.add(op);
      if (op === OP.push4) selectors.add(toHex(code.subarray(at + 1, at + 5)));
      if (ENDS.has(op)) is_live = false;
    }
    if (op >= OP.push1 && op <= OP.push32) at += op - OP.push1 + 1;
  }
  // Selectors that are only passed on belong to functions of other contracts.
  const compared = selectorsIn(code).filter((selector) => selectors.has(selector));
  return {
    selectors: new Set(compared),
    has_selfdestruct: seen.has(OP.selfdestruct),
    has_delegatecall: seen.has(OP.delegatecall) || seen.has(OP.callcode),
    has_external_call: seen.has(OP.call) || seen.has(OP.delegatecall) || seen.has(OP.callcode),
  };
};
