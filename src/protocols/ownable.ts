import { EMPTY } from "../lib/bytes.ts";
import { addressAt, WORD_BYTES } from "../lib/words.ts";
import { NOTHING, type Protocol } from "./protocol.ts";
import { orVoid, topicAddress } from "./topics.ts";

/** current without bytes: ownership was given up. */
export const ownershipTransferred: Protocol = {
  name: "ownership_transferred",
  source: "openzeppelin-contracts Ownable.sol, EIP-173",
  event: "OwnershipTransferred(address,address)",
  decode({ topics, data }) {
    const [, previous, current] = topics;
    if (topics.length !== 3 || data.length !== 0 || !previous || !current) return NOTHING;
    const sides = { previous: orVoid(topicAddress(previous)), current: orVoid(topicAddress(current)) };
    return [{ fact: "ownership", kind: "ownership", ...sides }];
  },
};

export const upgraded: Protocol = {
  name: "upgraded",
  source: "EIP-1967",
  event: "Upgraded(address)",
  decode({ topics, data }) {
    const [, current] = topics;
    if (topics.length !== 2 || data.length !== 0 || !current) return NOTHING;
    return [{ fact: "ownership", kind: "implementation", previous: EMPTY, current: topicAddress(current) }];
  },
};

export const adminChanged: Protocol = {
  name: "admin_changed",
  source: "EIP-1967",
  event: "AdminChanged(address,address)",
  decode({ topics, data }) {
    if (topics.length !== 1 || data.length !== 2 * WORD_BYTES) return NOTHING;
    const sides = { previous: orVoid(addressAt(data, 0)), current: orVoid(addressAt(data, 1)) };
    return [{ fact: "ownership", kind: "admin", ...sides }];
  },
};

export const beaconUpgraded: Protocol = {
  name: "beacon_upgraded",
  source: "EIP-1967",
  event: "BeaconUpgraded(address)",
  decode({ topics, data }) {
    const [, current] = topics;
    if (topics.length !== 2 || data.length !== 0 || !current) return NOTHING;
    return [{ fact: "ownership", kind: "beacon", previous: EMPTY, current: topicAddress(current) }];
  },
};
