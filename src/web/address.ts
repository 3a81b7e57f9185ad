import ipaddr from "ipaddr.js";

/** The IPv6 range that IANA allocates to unicast; excludes mapped, translated and local forms. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Public addresses that the machine's own cloud answers (Azure WireServer). */
const CLOUD_HOSTS: readonly string[] = ["168.63.129.16"];

/** True for an allocated unicast address of the public internet, and not for another spelling of a local one. */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address) || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  if (parsed instanceof ipaddr.IPv6) return parsed.match(GLOBAL_IPV6);
  return ipaddr.IPv4.isValidFourPartDecimal(address) && !CLOUD_HOSTS.includes(address);
};

/** True when two texts are one address (`::1` and `0:0:0:0:0:0:0:1`). */
export const isSameAddress = (a: string, b: string): boolean =>
  ipaddr.isValid(a) &&
  ipaddr.isValid(b) &&
  ipaddr.process(a).toNormalizedString() === ipaddr.process(b).toNormalizedString();
