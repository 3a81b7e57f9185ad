import { type Canvas, empty, framed, label, MARGIN, rect, SIZE, TOP } from "../frame.ts";
import { el, type SvgChild, type SvgNode } from "../node.ts";
import { usd } from "../numbers.ts";
import { type AnswerJson, rowsAt, sizeAt, textAt } from "../read.ts";
import { filled } from "../theme.ts";
import { CHECK_ORDER, checksOf, type TokenCheck } from "../token_checks.ts";
import { verdictKeys, verdictSymbol } from "../verdict_symbols.ts";
import { displayText, plural, worded } from "../words.ts";

const TITLE = "Checks of the token";
const ROW = 22;
const GAUGE = 34;

/** Every check with its sign: what failed first, what is unknown next. */
export const tokenRisk = (answer: AnswerJson, canvas: Canvas): SvgNode => {
  const checks = checksOf(answer);
  if (checks.length === 0) return empty(canvas, TITLE, "This answer has no checks.");
  const counts = CHECK_ORDER.map((verdict) => {
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
      verdictKeys(canvas, CHECK_ORDER, { x: MARGIN, y: TOP + GAUGE + rows * ROW + 24 }),
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

const line = (canvas: Canvas, { name, verdict }: TokenCheck, at: { x: number; y: number; width: number }): SvgNode =>
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
