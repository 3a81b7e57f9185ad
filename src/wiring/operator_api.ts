import type { AccountsStore } from "../accounts/open.ts";
import { listenAddress } from "../config/listen_address.ts";
import { OPERATOR, READER } from "../config/operator.ts";
import type { Settings } from "../config/settings.ts";
import { type Log, Secret } from "../lib/log.ts";
import { openOperatorServer } from "../surfaces/operator/server.ts";
import type { OperatorState } from "../surfaces/operator/state.ts";
import type { OperatorToken } from "../surfaces/operator/tokens.ts";

/** The operator API of a configuration, listening; null without a token. */
export const openOperatorApi = async (
  operator: Settings["operator"],
  { accounts, state, log }: { readonly accounts: AccountsStore; readonly state: OperatorState; readonly log: Log },
): Promise<{ readonly url: string; close(): Promise<void> } | null> => {
  const tokens = tokensOf(operator);
  if (tokens.length === 0) return null;
  const server = openOperatorServer({ store: accounts, state, tokens, log });
  return { url: await server.listen(listenAddress(operator.listen)), close: () => server.close() };
};

const tokensOf = ({ token, read_token, tokens }: Settings["operator"]): readonly OperatorToken[] => {
  const one = (name: string, text: string | undefined, may_change: boolean): readonly OperatorToken[] =>
    text === undefined ? [] : [{ name, secret: new Secret(text), may_change }];
  return [
    ...one(OPERATOR, token, true),
    ...Object.entries(tokens).flatMap(([name, text]) => one(name, text, true)),
    ...one(READER, read_token, false),
  ];
};
