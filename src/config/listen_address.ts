import { BlockList, isIP } from "node:net";
import { AssayError } from "../lib/errors.ts";

/** Host (IPv6 without brackets) and port of the setting `listen`. Throws `AssayError` CONFIG. */
export const listenAddress = (listen: string): { readonly host: string; readonly port: number } => {
  const at = listen.lastIndexOf(":");
  const host = listen.slice(0, at).replace(/^\[|\]$/g, "");
  const port = Number(listen.slice(at + 1));
  if (at < 1 || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new AssayError({ code: "CONFIG", message: `listen must be host:port, not '${listen}'` });
  }
  return { host, port };
};

/** The name in `listen` as a `Host` header has it; none when it stands for every address. */
export const listenName = (listen: string): readonly string[] => {
  const { host } = listenAddress(listen);
  if (host === "0.0.0.0" || /^[0:]+$/.test(host)) return [];
  return [host.includes(":") ? `[${host}]` : host.toLowerCase()];
};

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8);
LOOPBACK.addAddress("::1", "ipv6");

/** Whether only programs of this machine reach the address of `listen`. A name other than `localhost` may belong to any machine. */
export const isOwnMachine = (listen: string): boolean => {
  const { host } = listenAddress(listen);
  const version = isIP(host);
  return version === 0 ? host.toLowerCase() === "localhost" : LOOPBACK.check(host, version === 4 ? "ipv4" : "ipv6");
};
