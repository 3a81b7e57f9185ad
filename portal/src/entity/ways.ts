import type { ListedNetwork } from "../api/client.ts";
import type { Entity } from "./page_address.ts";
import type { RecognisedText } from "./recognise.ts";

/** Everything that a recognised text can be opened as here, most likely first; empty for a symbol, which needs a request. */
export const waysOf = (found: RecognisedText, networks: readonly ListedNetwork[]): readonly Entity[] => {
  if (found.kind === "name") return [{ kind: "name", network: "", id: found.text }];
  if (found.kind === "symbol") return [];
  const on = found.families.flatMap((family) => networks.filter((network) => network.family === family));
  if (found.kind === "transaction") return on.map(({ id }) => ({ kind: "transaction", network: id, id: found.text }));
  return on.flatMap(({ id }) =>
    (["wallet", "token", "contract"] as const).map((kind) => ({ kind, network: id, id: found.text })),
  );
};
