/** Lines of `doctor` about the Universal Resolver of a network. */
import { PROBE_NAME, type UniversalProbe } from "../domain/address/names/probe_universal.ts";

const RESULTS: Readonly<Record<UniversalProbe["status"], string>> = {
  works: `${PROBE_NAME} resolves through it`,
  registry_only: `${PROBE_NAME} resolves as by the registry alone`,
  another_address: `${PROBE_NAME} leads to an address that is not the test's`,
  no_address: `${PROBE_NAME} has no address there`,
  unanswered: "it does not answer",
};

export const nameLine = ({ resolver, status }: UniversalProbe): string =>
  `  names: Universal Resolver 0x${resolver}: ${RESULTS[status]}`;

/** Advice; empty when names resolve as they should. */
export const nameAdvice = (network: string, { resolver, status }: UniversalProbe): string[] =>
  status === "works"
    ? []
    : [
        `${network}: the Universal Resolver 0x${resolver} fails its test (${RESULTS[status]}). Check networks.${network}.ens.universal_resolver; null resolves names by the registry alone`,
      ];
