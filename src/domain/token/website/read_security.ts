import { type Dangers, findDangers, inlineScripts, type ScriptText } from "../../../web/dangers.ts";
import { readDomain } from "../../../web/domain.ts";
import type { WebPage } from "../../../web/page.ts";
import type { Web } from "../../../web/web.ts";

/** Maximum number of script files of the page's own domain to read. */
const FILES_READ_MAX = 5;

export interface ReadScripts {
  readonly scripts: readonly ScriptText[];
  readonly unread: number;
}

const registrableOf = (url: string): string | null => {
  const host = new URL(url).hostname;
  return readDomain(host).registrable ?? host;
};

/** Inline scripts and the first files of the same domain, fetched through the same guard and not run. */
export const readScripts = async (
  page: WebPage,
  url: string,
  how: { web: Web; signal: AbortSignal },
): Promise<ReadScripts> => {
  const files = [...new Set(page.scripts.flatMap(({ src }) => (src === null ? [] : [src])))];
  const own = files.filter((src) => registrableOf(src) === registrableOf(url)).slice(0, FILES_READ_MAX);
  const answers = await Promise.all(
    own.map((src) => how.web.fetch({ url: src, takes_any_certificate: true, signal: how.signal })),
  );
  const read = answers.flatMap((answer, at): ScriptText[] =>
    answer.kind === "answer" && answer.status === 200
      ? [{ ref: own[at] ?? "", text: Buffer.from(answer.body).toString("utf8") }]
      : [],
  );
  return { scripts: [...inlineScripts(page.scripts, url), ...read], unread: files.length - read.length };
};

export interface ReadSecurity extends Dangers {
  /** Domains other than the page's own that its forms post to. */
  readonly external_form_targets: readonly string[];
}

/** The page's behaviour towards its visitors, as far as its source shows. */
export const readSecurity = (page: WebPage, url: string, { scripts }: ReadScripts): ReadSecurity => {
  const targets = page.forms.flatMap(({ action }) => (action === null ? [] : [action]));
  const foreign = targets.filter((action) => registrableOf(action) !== registrableOf(url));
  return {
    ...findDangers(page, scripts),
    external_form_targets: [...new Set(foreign.map((action) => new URL(action).hostname))].sort(),
  };
};
