import { createServer } from "node:net";
import { listenAddress } from "../config/listen_address.ts";
import type { Settings } from "../config/settings.ts";
import { AssayError, messageOf } from "../lib/errors.ts";

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there: stop it",
  EACCES: "only root may listen there: take a port from 1024 on",
  EADDRNOTAVAIL: "this machine has no such address: correct it",
};

const tryPort = (address: { readonly host: string; readonly port: number }): Promise<Error | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", resolve);
    server.listen(address, () => server.close(() => resolve(null)));
  });

interface PortSetting {
  readonly setting: string;
  readonly text: string;
  readonly variable: string;
}

/**
 * Looks before anything is opened whether this process can listen where the configuration says.
 * @throws AssayError CONFIG naming the setting and the address
 */
export const checkPorts = async ({ listen, operator }: Settings): Promise<void> => {
  const has_operator =
    operator.token !== undefined || operator.read_token !== undefined || Object.keys(operator.tokens).length > 0;
  const wanted: readonly PortSetting[] = [
    { setting: "listen", text: listen, variable: "ASSAY_LISTEN" },
    ...(has_operator
      ? [{ setting: "operator.listen", text: operator.listen, variable: "ASSAY_OPERATOR__LISTEN" }]
      : []),
  ];
  for (const { setting, text, variable } of wanted) {
    const fault = await tryPort(listenAddress(text));
    if (fault === null) continue;
    const reason = "code" in fault ? REASONS[String(fault.code)] : undefined;
    throw new AssayError({
      code: "CONFIG",
      message: `cannot listen on ${text}: ${reason ?? messageOf(fault)}, or set another '${setting}' (${variable}=127.0.0.1:0 picks a free port)`,
    });
  }
};
