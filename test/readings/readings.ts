/** Recorded transactions in the form that the reading takes: by the product's own code, without an engine. */
import type { Network } from "../../src/chains/chain.ts";
import { actionsOf } from "../../src/domain/transaction/actions/index.ts";
import { approvalsOf } from "../../src/domain/transaction/decoding/approvals.ts";
import { movementsOf } from "../../src/domain/transaction/decoding/movements.ts";
import { dollarsOf, endsOf, type HeadlineCase } from "../../src/domain/transaction/headline/case.ts";
import { protocolAt } from "../../src/domain/transaction/headline/names.ts";
import { decimalsOn, recorded } from "./recorded.ts";

interface ReadingAnswer {
  readonly network: Network;
  readonly hash: string;
  readonly told: HeadlineCase;
}

export const readings = (): readonly ReadingAnswer[] =>
  recorded().map(({ network, hash, mined }) => {
    const { transaction, trace } = mined;
    const { wrapped_native } = network;
    const movements = movementsOf(transaction, network);
    const approvals = approvalsOf(transaction, trace);
    const scene = { transaction, movements, approvals, authorizations: [], pools: new Map(), wrapped_native };
    const name: HeadlineCase["name"] = (address) => protocolAt(network.id, address, null);
    const decimals = decimalsOn(network.id);
    return {
      network,
      hash,
      told: {
        ...{
          transaction,
          movements,
          actions: actionsOf(scene),
          wrapped_native,
          name,
          is_dollar: dollarsOf(network),
          decimals,
          usd: () => null,
        },
        ...endsOf(transaction),
      },
    };
  });
