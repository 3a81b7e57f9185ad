import { isRecord } from "../../lib/record.ts";
import { type Canvas, empty, framed, label, MARGIN, rect, SIZE, TOP } from "../frame.ts";
import { el, type SvgChild, type SvgNode } from "../node.ts";
import { usd } from "../numbers.ts";
import { type AnswerJson, at, rowsAt, sizeAt, textAt } from "../read.ts";
import { filled } from "../theme.ts";
import { type CheckVerdict, verdictKeys, verdictSymbol } from "../verdict_symbols.ts";
import { displayText, plural, worded } from "../words.ts";
import { flagWords } from "./flag_words.ts";

const TITLE = "Checks of the token";
const ROW = 22;
const GAUGE = 34;
/** True speaks for the token. */
const GOOD: ReadonlySet<string> = new Set(["is_verified", "trusted_token"]);
/** A figure, and no finding. */
const FIGURES: ReadonlySet<string> = new Set(["top10_percent", "creator_percent", "lp_burned_percent"]);
/** Checks that exist on one family of networks only. */
const ONLY_ON: Readonly<Record<string, string>> = { caller_pays_energy: "tron" };
/** Authorities: an address or an object when an account has them, else null. */
const POWERS: ReadonlySet<string> = new Set([
  "mint_authority",
  "freeze_authority",
  "permanent_delegate",
  "transfer_fee",
  "transfer_hook",
  "balance_mutable_authority",
]);
interface RiskCheck {
  readonly name: string;
  readonly verdict: CheckVerdict;
}

const verdictOf = (name: string, value: unknown, family: string | null): CheckVerdict => {
  if ((ONLY_ON[name] ?? family) !== family) return "not_applicable";
  if (POWERS.has(name)) return value === null ? "passed" : value === undefined ? "unknown" : "failed";
  if (typeof value !== "boolean") return "unknown";
  return value === GOOD.has(name) ? "passed" : "failed";
};

/** Checks that do not apply, because the power that they concern does not exist. */
const PREMISES: Readonly<Record<string, string>> = {
  is_upgradeable: "is_proxy",
  anti_whale_modifiable: "anti_whale",
};

const ORDER: readonly CheckVerdict[] = ["failed", "unknown", "passed", "not_applicable"];

export const checksOf = (answer: AnswerJson): readonly RiskCheck[] => {
  const flags = at(answer, "security_flags");
  if (!isRecord(flags)) return [];
  const family = textAt(answer, "network");
  const checks = Object.entries(flags)
    .filter(([name]) => !FIGURES.has(name))
    .map(([name, value]): RiskCheck => {
      const premise = PREMISES[name];
      const is_moot = premise !== undefined && flags[premise] === false && value === false;
      const verdict = is_moot ? "not_applicable" : verdictOf(name, value, family);
      return {
        name: flagWords(name, verdict),
        verdict,
      };
    });
  return ORDER.flatMap((verdict) => checks.filter((check) => check.verdict === verdict));
};

/** Every check with its sign: what failed first, what is unknown next. */
export const tokenRisk = (answer: AnswerJson, canvas: Canvas): SvgNode => {
  const checks = checksOf(answer);
  if (checks.length === 0) return empty(canvas, TITLE, "This answer has no checks.");
  const counts = ORDER.map((verdict) => {
    const count = checks.filter((check) => check.verdict === verdict).length;
    return `${count} ${verdict === "not_applicable" ? "not applicable" : verdict}`;
  });
  const score = sizeAt(answer, "risk_overview.security_score");
  const level = worded(textAt(answer, "risk_overview.risk_level") ?? "unknown");
  const liquidity = `${usd(sizeAt(answer, "liquidity.total_usd"))} of liquidity`;
  const headline = `Risk ${level}; ${counts.join(", ")}; ${liquidity}`;
  const failed = checks.filter(({ verdict }) => verdict === "failed").map(({ name }) => name);
  const alerts = rowsAt(answer, "alerts").map(
    (row) => `${displayText(textAt(row, "title") ?? "")} (${worded(textAt(row, "severity") ?? "")})`,
  );
  const columns = Math.max(1, Math.floor((canvas.width - 2 * MARGIN) / 215));
  const rows = Math.ceil(checks.length / columns);
  return framed(canvas, TOP + GAUGE + rows * ROW + 40, {
    words: {
      title: TITLE,
      headline,
      description: `${headline}. Security score ${score ?? "unknown"} of 100. Failed: ${failed.join(", ") || "none"}. Alerts: ${plural(alerts.length, "alert")}${alerts.length === 0 ? "" : `: ${alerts.join(", ")}`}.`,
    },
    content: [
      scoreLine(canvas, score),
      checks.map((check, i) => {
        const width = (canvas.width - 2 * MARGIN) / columns;
        const x = MARGIN + Math.floor(i / rows) * width;
        return line(canvas, check, { x, y: TOP + GAUGE + (i % rows) * ROW, width });
      }),
      verdictKeys(canvas, ORDER, { x: MARGIN, y: TOP + GAUGE + rows * ROW + 24 }),
    ],
  });
};

const scoreLine = (canvas: Canvas, score: number | null): SvgChild => {
  const room = canvas.width - 2 * MARGIN - 190;
  const text = score === null ? "security score unknown" : `security score ${Math.round(score * 10) / 10} of 100`;
  return [
    label(text, { x: MARGIN, y: TOP + 15, bold: true, width: 184 }),
    rect({ x: MARGIN + 190, y: TOP + 5, width: room, height: 12 }, filled("neutral_soft")),
    score === null
      ? null
      : rect({ x: MARGIN + 190, y: TOP + 5, width: (room * Math.min(100, score)) / 100, height: 12 }, filled("up")),
  ];
};

const line = (canvas: Canvas, { name, verdict }: RiskCheck, at: { x: number; y: number; width: number }): SvgNode =>
  el(
    "g",
    {},
    verdictSymbol(canvas, verdict, { x: at.x, y: at.y, size: 16 }),
    label(name, {
      x: at.x + 23,
      y: at.y + 12,
      width: at.width - 30,
      size: SIZE.text,
      bold: verdict === "failed",
      colour: verdict === "failed" || verdict === "unknown" ? "ink" : "muted",
    }),
  );
