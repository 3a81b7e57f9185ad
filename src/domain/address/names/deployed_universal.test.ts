import { expect, test } from "vitest";
import { hex } from "../../../lib/bytes.ts";
import { deployedUniversal } from "./deployed_universal.ts";

const RESOLVER = hex("ee".repeat(20));
const DEPLOYED_AT = 100;

test("is the contract from its deployment on, read once, and none before", async () => {
  const read: (number | undefined)[] = [];
  const chain = {
    account: async (_: unknown, __: AbortSignal, at?: number) => {
      read.push(at);
      return { code: new Uint8Array((at ?? 0) >= DEPLOYED_AT ? 1 : 0), balance: 0n, nonce: 0 };
    },
  };
  // Only the code is read of an account.
  const found = (at: number) =>
    deployedUniversal(chain as unknown as Parameters<typeof deployedUniversal>[0], RESOLVER, {
      ...{ at, signal: AbortSignal.timeout(1_000) },
    });
  expect(await found(99)).toBeNull();
  expect(await found(120)).toBe(RESOLVER);
  expect(await found(130)).toBe(RESOLVER);
  expect(await found(110)).toBe(RESOLVER);
  expect(await found(99)).toBeNull();
  expect(read).toEqual([99, 120, 110, 99]);
});
