import type { Hex } from "../../../lib/bytes.ts";
import type { HeadlineReading } from "./case.ts";
import type { HeadlineEvidence } from "./evidence.ts";
import { isStill, netOf } from "./nets.ts";
import { KINDS } from "./types.ts";

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

const larger = new WeakMap<HeadlineReading, Map<Hex, readonly Hex[]>>();

/** Plain accounts that received more of one of the actor's tokens than the actor. Found once for an actor. */
export const largerReceivers = (reading: HeadlineReading, actor: Hex): readonly Hex[] => {
  const known = larger.get(reading) ?? new Map<Hex, readonly Hex[]>();
  larger.set(reading, known);
  const { received } = netOf(reading.nets, actor);
  const found =
    known.get(actor) ??
    uninvolvedParties(reading).filter(
      (party) =>
        party !== actor &&
        netOf(reading.nets, party).received.some((got) =>
          received.some(({ token, amount }) => token === got.token && got.token_id === null && amount < got.amount),
        ),
    );
  known.set(actor, found);
  return found;
};

/** Payouts to thousands have no single actor. */
const CANDIDATES_MAX = 64;

/** Possible actors, the most likely first. */
export const candidatesOf = (reading: HeadlineReading, evidence: readonly HeadlineEvidence[]): readonly Hex[] => {
  if (reading.account !== null) return [reading.account.address];
  // A vote names its voter first.
  const told = evidence.flatMap(({ actor, type, names }) => actor ?? (type === "vote" ? (names[0] ?? []) : []));
  const called = reading.recipient === null ? [] : [reading.recipient];
  const paid = netOf(reading.nets, reading.sender);
  const is_paid_out = paid.given.length === 0 && evidence.some(({ type }) => KINDS[type].flow === "gets");
  const others =
    isStill(paid) ||
    is_paid_out ||
    evidence.some(({ type }) => type === "bridge_in" || type === "swap") ||
    reading.name(reading.sender)?.role === "relayer" ||
    (reading.recipient !== null && reading.name(reading.recipient)?.role === "bridge")
      ? uninvolvedParties(reading)
      : [];
  return [...new Set([reading.sender, ...called, ...told, ...others])].slice(0, CANDIDATES_MAX);
};
