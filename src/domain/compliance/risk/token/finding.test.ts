import { expect, test } from "vitest";
import { CLEAN, OWNER, used } from "../../../../../test/clean_token.ts";
import { hex } from "../../../../lib/bytes.ts";
import type { Power } from "../../../token/powers/power.ts";
import { byTrial } from "./finding.ts";

const [LOCK, UNLOCK] = ["dd467064", "a69df4b5"].map((selector) => hex(selector));
const call = (selector = LOCK, types = "uint256") => ({ at: CLEAN.token, selector: selector ?? hex(""), types });
const POWER: Power = {
  ...{ kind: "stops_transfers", percent: null, by: call(), after: null, names_pool: false, caller: OWNER, wait: null },
};
const facts = {
  ...CLEAN,
  ...used("stops_transfers", "eoa"),
  signatures: new Map([
    [LOCK ?? hex(""), "lock(uint256)"],
    [UNLOCK ?? hex(""), "unlock()"],
  ]),
};
const said = (more: Partial<Power>): string =>
  byTrial(facts, { ...POWER, ...more }).ref.replace(/ called by [^,]+,/, " called by THEM,");

test("evidence of a power names function, caller, effect and the time between them", () => {
  expect(said({})).toBe(
    "powers/evm@2: lock(uint256), called by THEM, stopped the transfers of all holders at block 100",
  );
  expect(said({ wait: { blocks: 1, days: 0, is_before_call: false } })).toBe(
    "powers/evm@2: lock(uint256), called by THEM, stopped the transfers of all holders 1 block later at block 100",
  );
  const sequel = { kind: "takes_ownership", by: call(UNLOCK, ""), after: call() } as const;
  expect(said({ ...sequel, wait: { blocks: 300, days: 0, is_before_call: true } })).toBe(
    "powers/evm@2: unlock() after lock(uint256) 300 blocks later, called by THEM, made the caller the owner at block 100",
  );
  expect(said({ ...sequel, after: null, wait: { blocks: 301, days: 400, is_before_call: true } })).toBe(
    "powers/evm@2: unlock() 400 days later, called by THEM, made the caller the owner at block 100",
  );
});
