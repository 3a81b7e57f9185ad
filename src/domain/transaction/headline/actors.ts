import type { Hex } from "../../../lib/bytes.ts";
import type { HeadlineReading } from "./case.ts";
import type { HeadlineEvidence } from "./evidence.ts";
import { isStill, netOf } from "./nets.ts";

const uninvolved = new WeakMap<HeadlineReading, readonly Hex[]>();

/** Parties that look like plain accounts: not called, without logs and without a name. Found once for a reading. */
export const uninvolvedParties = (reading: HeadlineReading): readonly Hex[] => {
  const known = uninvolved.get(reading);
  if (known !== undefined) return known;
  const found = [...reading.nets.keys()].filter(
    (party) =>
      party !== reading.sender &&
      party !== reading.recipient &&
      !reading.emitters.has(party) &&
      !reading.tokens.has(party) &&
      (reading.name(party) === null || reading.name(party)?.role === "relayer"),
  );
  uninvolved.set(reading, found);
  return found;
};

/** Payouts to thousands have no single actor. */
const CANDIDATES_MAX = 64;

/** Possible actors, the most likely first. */
export const candidatesOf = (reading: HeadlineReading, evidence: readonly HeadlineEvidence[]): readonly Hex[] => {
  if (reading.account !== null) return [reading.account.address];
  const told = evidence.flatMap(({ actor }) => (actor === null ? [] : [actor]));
  const called = reading.recipient === null ? [] : [reading.recipient];
  const others =
    isStill(netOf(reading.nets, reading.sender)) ||
    evidence.some(({ type }) => type === "bridge_in" || type === "swap") ||
    reading.name(reading.sender)?.role === "relayer" ||
    (reading.recipient !== null && reading.name(reading.recipient)?.role === "bridge")
      ? uninvolvedParties(reading)
      : [];
  return [...new Set([reading.sender, ...called, ...told, ...others])].slice(0, CANDIDATES_MAX);
};
