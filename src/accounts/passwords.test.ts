import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openPasswords } from "./passwords.ts";

const CHEAP = { N: 1_024, r: 8, p: 1 };

test("stores the cost in the hash, uses a new salt each time, and matches the password however its characters are composed", async () => {
  const passwords = openPasswords(CHEAP);
  const [one, two] = await Promise.all([passwords.hash("Ångström café"), passwords.hash("Ångström café")]);
  expect(one).toMatch(/^scrypt:1024:8:1:[\w-]{22}:[\w-]{43}$/);
  expect(one).not.toBe(two);
  expect(await passwords.isOf("Ångström café".normalize("NFD"), one)).toBe(true);
  expect(await passwords.isOf("Ångström cafe", one)).toBe(false);
  // Another process may make more expensive hashes: each is checked at its own cost.
  expect(await openPasswords({ ...CHEAP, N: 2_048 }).isOf("Ångström café", one)).toBe(true);
});

test("costs what the documentation states by default, and leaves the event loop free", async () => {
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
  }, 5);
  const hash = await openPasswords().hash("a password of some length");
  clearInterval(ticking);
  expect(hash).toMatch(/^scrypt:131072:8:1:/);
  expect(turns).toBeGreaterThan(5);
});

test("takes as long for an unknown user as for a known one", async () => {
  const passwords = openPasswords({ N: 2 ** 12, r: 8, p: 1 });
  const kept = await passwords.hash("a password of some length");
  const time = async (of: string | null) => {
    const started = performance.now();
    expect(await passwords.isOf("a guess of some length", of)).toBe(false);
    return performance.now() - started;
  };
  const rounds = { known: [] as number[], unknown: [] as number[] };
  for (let round = 0; round < 9; round += 1) {
    rounds.known.push(await time(kept));
    rounds.unknown.push(await time(null));
  }
  const least = (times: readonly number[]) => Math.min(...times);
  // CPU time alone, independent of the machine's load: within half of each other.
  expect(least(rounds.unknown) / least(rounds.known)).toBeGreaterThan(0.5);
  expect(least(rounds.unknown) / least(rounds.known)).toBeLessThan(2);
});

test("rejects more than 34 at a time, and answers the waiting ones", async () => {
  const passwords = openPasswords(CHEAP);
  const asked = Array.from({ length: 60 }, () => passwords.hash("a password of some length"));
  const settled = await Promise.allSettled(asked);
  // Two run, 32 wait.
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(34);
  expect(settled.at(-1)).toMatchObject({ reason: { code: "SIGN_IN_BUSY", retryable: true } });
  await sleep(1);
  expect(await passwords.hash("again, some time later")).toMatch(/^scrypt:/);
});
