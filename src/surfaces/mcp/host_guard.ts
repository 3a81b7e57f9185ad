import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import { valuesOf } from "../http/headers.ts";
import * as refusals from "../refusals.ts";
import type { SurfaceResponse } from "../surface_response.ts";

/** Names, without port, besides those of this machine itself. */
export interface AllowedHosts {
  /** Under which the service may be addressed. */
  readonly hosts: readonly string[];
  /** Of sites whose pages may call. */
  readonly origins: readonly string[];
}

/**
 * Keeps web pages of strangers away from a service in a private network (DNS rebinding): the refusal of a request whose
 * Host or Origin is not on the lists, or null. Programs other than browsers send no Origin.
 */
export const refuseForeignHost = (raw_headers: readonly string[], allowed: AllowedHosts): SurfaceResponse | null => {
  const local = localhostAllowedHostnames();
  const [host, ...more_hosts] = valuesOf(raw_headers, "host");
  if (more_hosts.length > 0 || !validateHostHeader(host, [...local, ...allowed.hosts]).ok)
    return refusals.hostRefused(host ?? "");
  const [origin, ...more_origins] = valuesOf(raw_headers, "origin");
  if (more_origins.length > 0 || !validateOriginHeader(origin, [...local, ...allowed.origins]).ok)
    return refusals.originRefused(origin ?? "");
  return null;
};
