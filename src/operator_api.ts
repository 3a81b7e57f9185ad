import type { AccountsStore } from "./accounts/open.ts";
import type { Settings } from "./config.ts";
import { type Log, Secret } from "./lib/log.ts";
import { listenAddress } from "./listen_address.ts";
import { openOperatorServer } from "./surfaces/operator/server.ts";

/** Name of `operator.token` in the audit trail. */
const OPERATOR = "operator";

/** The operator API of a configuration, listening; null when it has no token. */
export const openOperatorApi = async (
  { listen, token, tokens }: Settings["operator"],
  { accounts, log }: { readonly accounts: AccountsStore; readonly log: Log },
): Promise<{ readonly url: string; close(): Promise<void> } | null> => {
  const named = { ...tokens, ...(token === undefined ? {} : { [OPERATOR]: token }) };
  const secrets = Object.fromEntries(Object.entries(named).map(([name, text]) => [name, new Secret(text)]));
  if (Object.keys(secrets).length === 0) return null;
  const server = openOperatorServer({ store: accounts, tokens: secrets, log });
  return { url: await server.listen(listenAddress(listen)), close: () => server.close() };
};
