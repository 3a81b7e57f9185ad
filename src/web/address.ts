import ipaddr from "ipaddr.js";

/** All of IPv6 that IANA has given out for unicast; mapped, translated and local forms lie outside it. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Public by number, but answered by the machine's own cloud (Azure's wire server). */
const CLOUD_HOSTS: readonly string[] = ["168.63.129.16"];

/** True for an address of the public internet: unicast, given out, and not another way to write a local one. */
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
