import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import type { StoredRiskRule } from "../accounts/risk_rules.ts";
import { addressIn } from "../chains/networks/from_config.ts";
import type { Settings } from "../config/settings.ts";
import { CATEGORIES } from "../domain/compliance/risk/model.ts";
import { type Operator, SILENT_OPERATOR } from "../domain/operator.ts";
import { readBoundedFile } from "../lib/bounded_file.ts";
import { type DomainList, readDomainList } from "../lib/domain_list.ts";
import { AssayError } from "../lib/errors.ts";
import { FILE_BOUNDS } from "../lib/json_bounds.ts";
import { nearest } from "../lib/nearest.ts";
import type { RiskRule } from "../lib/risk_rule.ts";
import { iso } from "../lib/time.ts";
import { openSources, type Sources } from "../sources/index.ts";
import { guardedWeb, type OwnOrigin } from "../web/guarded.ts";
import type { PhishingList } from "../web/phishing.ts";
import type { Web } from "../web/web.ts";
import type { EnabledNetwork } from "./enabled_network.ts";

const webOf = ({ web }: Settings, own_origins: readonly OwnOrigin[]): Web | null =>
  web.enabled || own_origins.length > 0 ? guardedWeb({ own_origins, own_only: !web.enabled }) : null;

const VERSION_CHARACTERS = 12;

/** A list from the operator's settings. Its version is the beginning of the file's SHA-256. */
const openPhishingList = ({ id, file }: Settings["web"]["phishing_lists"][number]): PhishingList => {
  const fault = (what: string) =>
    new AssayError({
      code: "CONFIG",
      message: `web.phishing_lists: ${file} ${what}`,
      public: `the list ${id} ${what}`,
    });
  let text: string;
  let domains: DomainList | null;
  try {
    text = readBoundedFile(file, FILE_BOUNDS.length_max);
    domains = readDomainList(text);
  } catch {
    throw fault("could not be read");
  }
  if (domains === null) throw fault("has no domain");
  const version = createHash("sha256").update(text).digest("hex").slice(0, VERSION_CHARACTERS);
  return { id, version, updated_at: iso(Math.floor(statSync(file).mtimeMs / 1000)), ...domains };
};

const sitesOf = ({ web }: Settings, networks: readonly EnabledNetwork[]): Operator["sites"] => ({
  of_tokens: new Map(
    web.token_sites.flatMap(({ network: id, token_address, website_url }) => {
      const enabled = networks.find(({ network }) => network.id === id);
      // No call can name a token of a network that is not enabled.
      return enabled === undefined
        ? []
        : [[`${id}:${addressIn(enabled.network, token_address)}`, website_url] as const];
    }),
  ),
  phishing_lists: web.phishing_lists.map(openPhishingList),
  rdap_server: web.rdap_server,
});

/** Sourcify needs open web access: the operator's own origins do not lead there. */
const sourcesOf = (settings: Settings, networks: readonly EnabledNetwork[], web: Web | null): Sources => {
  const { folder, sourcify } = settings.sources;
  return openSources({
    folder,
    projects: networks.flatMap(({ network, project }) =>
      project === undefined ? [] : [{ folder: project, chain_id: network.chain_id }],
    ),
    sourcify: web === null || !settings.web.enabled ? null : { web, origin: sourcify.replace(/\/+$/, "") },
  });
};

export const RISK_CATEGORIES: readonly string[] = CATEGORIES.map(({ category }) => category);

/** @throws `AssayError` CONFIG */
const rulesOf = ({ risk_rules }: Settings): readonly RiskRule[] => {
  const stray = risk_rules.find(({ category }) => !RISK_CATEGORIES.includes(category));
  if (stray === undefined) return risk_rules;
  const guess = nearest(stray.category, RISK_CATEGORIES);
  throw new AssayError({
    code: "CONFIG",
    message: `risk_rules: there is no category '${stray.category}'; ${guess === null ? `the categories are ${RISK_CATEGORIES.join(", ")}` : `did you mean '${guess}'?`}`,
    public: "a rule names an unknown category",
  });
};

/**
 * The rules of the file, then those of the portal. All apply: a rule only adds a finding, so none can weaken another. A
 * rule of a category that an earlier release had never applies.
 */
const readerOf =
  (of_file: readonly RiskRule[], readStored: OperatorOptions["readStoredRules"]): Operator["readRiskRules"] =>
  async () => [
    ...of_file.map((rule) => ({ ...rule, source: "file" as const })),
    ...(await readStored())
      .filter(({ rule }) => RISK_CATEGORIES.includes(rule.category))
      .map(({ rule }) => ({ ...rule, source: "portal" as const })),
  ];

/** Inputs of the operator's capabilities: the settings and the parts of this process. */
export interface OperatorOptions {
  readonly networks: readonly EnabledNetwork[];
  readonly own_origins?: readonly OwnOrigin[];
  /** The rules of the portal that are in force now. */
  readonly readStoredRules: () => Promise<readonly Pick<StoredRiskRule, "rule">[]>;
}

/**
 * Capabilities and data that the settings give the tools.
 * @throws `AssayError` CONFIG for an invalid list or rule
 */
export const operatorOf = (
  settings: Settings,
  { networks, own_origins = [], readStoredRules }: OperatorOptions,
): Operator => {
  const web = webOf(settings, own_origins);
  return {
    ...SILENT_OPERATOR,
    web,
    sites: sitesOf(settings, networks),
    sources: sourcesOf(settings, networks, web),
    sanctions: { max_age_hours: settings.sanctions_max_age_hours, now_ms: Date.now },
    readRiskRules: readerOf(rulesOf(settings), readStoredRules),
  };
};
