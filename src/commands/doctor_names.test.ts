import { expect, test } from "vitest";
import { hex } from "../lib/bytes.ts";
import { nameAdvice, nameLine } from "./doctor_names.ts";

const resolver = hex("ee".repeat(20));

test("A Universal Resolver that passes its test is named and needs nothing", () => {
  expect(nameLine({ resolver, status: "works" })).toBe(
    `  names: Universal Resolver 0x${resolver}: ur.gtest.eth resolves through it`,
  );
  expect(nameAdvice("ethereum", { resolver, status: "works" })).toEqual([]);
});

test("Every other result is advice that names the setting", () => {
  for (const status of ["registry_only", "another_address", "no_address", "unanswered"] as const) {
    const [advice = ""] = nameAdvice("ethereum", { resolver, status });
    expect(advice).toContain("networks.ethereum.ens.universal_resolver");
    expect(advice).toContain(`0x${resolver}`);
  }
});
