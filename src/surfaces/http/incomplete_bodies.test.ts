import { Duplex } from "node:stream";
import { expect, test } from "vitest";
import { IncompleteBodies } from "./incomplete_bodies.ts";

const open = (half_sent_max: number, half_sent_per_address_max: number) => {
  const shed: Duplex[] = [];
  const half_sent = new IncompleteBodies({
    half_sent_max,
    half_sent_per_address_max,
    shed: (socket) => shed.push(socket),
  });
  return { half_sent, shed };
};

test("one more than there may be ends the one that began first, and never one that has come", () => {
  const { half_sent, shed } = open(2, 10);
  const [first, second, third, fourth] = [new Duplex(), new Duplex(), new Duplex(), new Duplex()];
  const hasCome = half_sent.begin(first);
  half_sent.begin(second);
  hasCome();
  half_sent.begin(third);
  expect(shed).toEqual([]);
  half_sent.begin(fourth);
  expect(shed).toEqual([second]);
  expect(half_sent.count).toBe(2);
});

test("one address has its own bound", () => {
  const { half_sent, shed } = open(10, 1);
  const [first, second] = [new Duplex(), new Duplex()];
  half_sent.begin(first);
  const hasCome = half_sent.begin(second);
  expect(shed).toEqual([first]);
  hasCome();
  expect(half_sent.count).toBe(0);
});
