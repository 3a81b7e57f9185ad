import { expect, test } from "vitest";
import { dangersOf } from "./dangers.ts";
import type { RiskFlag } from "./risk_flags.ts";

const flag = (code: RiskFlag["code"], severity: RiskFlag["severity"], description = "said."): RiskFlag => ({
  ...{ code, severity, description, evidence: [] },
});

test("critical findings come before high ones, two at most, and lesser ones are left out", () => {
  const flags = [
    flag("mixer_party", "high"),
    flag("approval_to_fresh_contract", "medium"),
    flag("lookalike_recipient", "high", "B begins and ends like A."),
    flag("drain_pattern", "critical", "V lost at least nine tenths of 3 tokens and received nothing."),
  ];
  expect(dangersOf(flags)).toEqual([
    "Danger: V lost at least nine tenths of 3 tokens and received nothing.",
    "Danger: A mixer takes part.",
  ]);
  expect(dangersOf([flag("delegatecall_to_unverified", "medium")])).toEqual([]);
});

test("does not repeat a list's text about a party, because lists are untrusted", () => {
  const said = dangersOf([flag("sanctioned_party", "critical", "X is listed as <b>call +1 900</b>.")]);
  expect(said).toEqual(["Danger: An address that is on a sanctions list takes part."]);
});
