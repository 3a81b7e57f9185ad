/** Networks on demand as accounts use them: the addresses that each follows. */
import type { Chain } from "../chains/chain.ts";
import type { Settings } from "../config/settings.ts";
import type { Hex } from "../lib/bytes.ts";
import { DAY_S } from "../lib/time.ts";
import type { FactsStore } from "../store/open.ts";
import { type FollowedProgress, readProgress } from "../store/subjects/progress.ts";
import { readUse, writeWishes } from "../store/subjects/records.ts";
import type { FollowContext, FollowWish } from "../surfaces/rest/account/followed_operations.ts";
import type { EnabledNetwork } from "./enabled_network.ts";
import { addressNamed, badField } from "./read_networks.ts";
import type { SubjectCalls } from "./subject_calls.ts";

interface FollowOptions {
  readonly facts: Pick<FactsStore, "engine" | "writer">;
  /** Always the current networks. */
  readonly enabled: readonly EnabledNetwork[];
  readonly chain: (network: string) => Chain;
  readonly settings: Pick<Settings, "on_demand">;
  readonly subjects: Pick<SubjectCalls, "follow">;
}

export const followContext = ({ facts, enabled, chain, settings, subjects }: FollowOptions): FollowContext => {
  const networks = (): readonly string[] =>
    enabled.flatMap(({ network, index }) => (index === "on_demand" ? [network.id] : []));
  const shown = (network: string, { subject, asked_by: _, ...progress }: FollowedProgress) => ({
    network,
    address: chain(network).formatAddress(subject),
    ...progress,
  });
  const subjectsOf = ({ network, addresses }: FollowWish): readonly Hex[] => {
    const known = networks();
    if (!known.includes(network))
      throw badField(`'${network}' is not read on demand here; these networks are: ${known.join(", ")}.`);
    return addresses.map((address) => addressNamed(address, chain(network)));
  };
  return {
    networks,
    async list(account_id) {
      const lists = networks().map(async (network) =>
        (await readProgress(facts.engine, network))
          .filter(({ asked_by }) => asked_by === account_id)
          .map((one) => shown(network, one)),
      );
      return (await Promise.all(lists)).flat();
    },
    async limits(account_id) {
      const { addresses_per_account, requests_per_day } = settings.on_demand;
      const use = await readUse(facts.engine, account_id, Math.floor(Date.now() / 1_000) - DAY_S);
      return {
        addresses: use.subjects,
        addresses_max: addresses_per_account,
        requests_today: use.requests,
        requests_per_day,
      };
    },
    async follow(wish) {
      const { network, account_id } = wish;
      const wanted = new Set(subjectsOf(wish));
      await subjects.follow(network, [...wanted], { account: account_id });
      const progress = await readProgress(facts.engine, network);
      return progress.filter(({ subject }) => wanted.has(subject)).map((one) => shown(network, one));
    },
    async leave(wish) {
      const { network, account_id } = wish;
      const wanted = new Set(subjectsOf(wish));
      const own = (await readProgress(facts.engine, network)).filter(({ asked_by }) => asked_by === account_id);
      const ended = own.map(({ subject }) => subject).filter((subject) => wanted.has(subject));
      if (ended.length < wanted.size) throw badField("Some of these addresses are not followed by this account.");
      await writeWishes(facts.writer, network, { subjects: ended, wish: "untrack", asked_by: account_id });
    },
  };
};
