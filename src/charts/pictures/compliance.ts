import { type Canvas, empty, framed, label, MARGIN, rect, SIZE, TOP } from "../frame.ts";
import { el, type SvgChild, type SvgNode } from "../node.ts";
import { usd } from "../numbers.ts";
import { type AnswerJson, factAt, firstOf, rowsAt, sizeAt, textAt } from "../read.ts";
import { filled } from "../theme.ts";
import { type CheckVerdict, verdictKeys, verdictSymbol } from "../verdict_symbols.ts";
import { displayName, plural, worded } from "../words.ts";

const TITLE = "Frozen by the issuers of stablecoins?";
const ROW = 24;
const NAMES = 92;
const ASLANT = 24;
const ACROSS_MAX = 24;
const DOWN_MAX = 24;
const WORDS = { passed: "clear", failed: "frozen", unknown: "unknown", not_applicable: "not there" };

interface ComplianceCell {
  readonly coin: string;
  readonly network: string;
  readonly verdict: CheckVerdict;
}

const blacklistCell = (row: AnswerJson): ComplianceCell => {
  const [is_frozen, status] = [factAt(row, "is_blacklisted"), textAt(row, "status")];
  return {
    coin: displayName(textAt(row, "stablecoin")),
    network: displayName(textAt(row, "network")),
    // A check that failed and found it frozen all the same is a finding.
    verdict: is_frozen === true ? "failed" : is_frozen === false && status === "ok" ? "passed" : "unknown",
  };
};

/** Which coin has it frozen now, by network; an answer names only those. */
const frozenKeys = (answer: AnswerJson): ReadonlySet<string> => {
  const last = new Map<string, string>();
  for (const row of rowsAt(answer, "freeze_history").toSorted(byBlock))
    last.set(`${textAt(row, "network")} ${textAt(row, "symbol")}`, textAt(row, "event") ?? "");
  const held = rowsAt(answer, "holdings").filter((row) => factAt(row, "is_frozen") === true);
  return new Set([
    ...[...last].filter(([, event]) => event === "freeze").map(([key]) => key),
    ...held.map((row) => `${textAt(row, "network")} ${textAt(row, "symbol")}`),
  ]);
};

const byBlock = (a: AnswerJson, b: AnswerJson): number =>
  (sizeAt(a, "block_number") ?? 0) - (sizeAt(b, "block_number") ?? 0);

const complianceCells = (answer: AnswerJson): readonly ComplianceCell[] => {
  const frozen = frozenKeys(answer);
  return rowsAt(answer, "checks").map((row): ComplianceCell => {
    const is_frozen = frozen.has(`${textAt(row, "network")} ${textAt(row, "symbol")}`);
    return {
      coin: displayName(textAt(row, "symbol")),
      network: displayName(textAt(row, "network")),
      verdict: is_frozen ? "failed" : textAt(row, "status") === "ok" ? "passed" : "unknown",
    };
  });
};

export const blacklist = (answer: AnswerJson, canvas: Canvas): SvgNode => {
  const cells = rowsAt(answer, "results").map(blacklistCell);
  const found = factAt(answer, "is_blacklisted");
  return matrix(canvas, cells, found === null ? "Unknown" : found ? "Frozen" : "Not frozen");
};

export const compliance = (answer: AnswerJson, canvas: Canvas): SvgNode => {
  const verdict = worded(textAt(answer, "verdict") ?? "unknown");
  const listed = factAt(answer, "sanctions.listed");
  const frozen = usd(sizeAt(answer, "frozen_value_usd"));
  const told = listed === null ? "sanctions unknown" : listed ? "on a sanctions list" : "on no sanctions list";
  return matrix(canvas, complianceCells(answer), `Verdict ${verdict}; ${frozen} frozen; ${told}`);
};

/** The side that has more names lies across: coins of one network are a row, one coin of many networks too. */
const matrix = (canvas: Canvas, cells: readonly ComplianceCell[], finding: string): SvgNode => {
  if (cells.length === 0) return empty(canvas, TITLE, `${finding}. No coin was checked.`);
  const count = (verdict: CheckVerdict) => cells.filter((cell) => cell.verdict === verdict).length;
  const headline = `${finding}; ${count("passed")} clear, ${count("failed")} frozen, ${count("unknown")} unknown`;
  const frozen = cells
    .filter(({ verdict }) => verdict === "failed")
    .map(({ coin, network }) => `${coin} on ${network}`);
  const coins = worstFirst(cells, "coin");
  const networks = worstFirst(cells, "network");
  const is_wide = coins.length >= networks.length;
  const across = firstOf(is_wide ? coins : networks, ACROSS_MAX);
  const down = firstOf(is_wide ? networks : coins, DOWN_MAX);
  const left = [...across.rest, ...down.rest].length;
  // Slanted headings end next to the last column.
  const column = (canvas.width - 2 * MARGIN - NAMES - ASLANT) / across.shown.length;
  const head = column < 64 ? 50 : 24;
  const bottom = TOP + head + down.shown.length * ROW;
  return framed(canvas, bottom + 38, {
    words: { title: TITLE, headline, description: `${headline}. Frozen: ${frozen.slice(0, 12).join(", ") || "none"}.` },
    content: [
      grid(canvas, worstOf(cells, is_wide), {
        across: across.shown,
        down: down.shown,
        column: Math.min(96, column),
        top: TOP + head,
      }),
      verdictKeys(canvas, ["passed", "failed", "unknown", "not_applicable"], {
        x: MARGIN,
        y: bottom + 24,
        words: WORDS,
      }),
      left === 0
        ? null
        : label(`${plural(left, "more name")} without a finding worse than these`, {
            x: MARGIN,
            y: TOP + 4,
            size: SIZE.small,
            colour: "muted",
          }),
    ],
  });
};

const rank = (verdict: CheckVerdict): number => ["failed", "unknown", "passed", "not_applicable"].indexOf(verdict);

/** Names of one side: what is frozen or unknown is never what is left out. */
const worstFirst = (cells: readonly ComplianceCell[], side: "coin" | "network"): readonly string[] => {
  const worst = new Map<string, number>();
  for (const cell of cells) worst.set(cell[side], Math.min(worst.get(cell[side]) ?? 9, rank(cell.verdict)));
  return [...worst.keys()].toSorted((a, b) => (worst.get(a) ?? 9) - (worst.get(b) ?? 9) || (a < b ? -1 : 1));
};

/** Of several contracts of one symbol the worst counts. */
const worstOf = (cells: readonly ComplianceCell[], is_wide: boolean): ReadonlyMap<string, CheckVerdict> => {
  const worst = new Map<string, CheckVerdict>();
  for (const { coin, network, verdict } of cells) {
    const key = is_wide ? `${network} ${coin}` : `${coin} ${network}`;
    const before = worst.get(key);
    if (before === undefined || rank(verdict) < rank(before)) worst.set(key, verdict);
  }
  return worst;
};

interface ComplianceGrid {
  readonly across: readonly string[];
  readonly down: readonly string[];
  readonly column: number;
  readonly top: number;
}

const grid = (
  canvas: Canvas,
  worst: ReadonlyMap<string, CheckVerdict>,
  { across, down, column, top }: ComplianceGrid,
): SvgChild => {
  const left = MARGIN + NAMES;
  return [
    ...across.map((name, i) => heading(name, { x: left + (i + 0.5) * column, y: top - 8, column })),
    ...down.flatMap((name, row) => {
      const y = top + row * ROW;
      const ground = { x: MARGIN, y, width: NAMES + across.length * column, height: ROW };
      return [
        row % 2 === 0 ? rect(ground, { ...filled("neutral_soft"), "fill-opacity": 0.45 }) : null,
        label(name, { x: MARGIN + 4, y: y + 16, width: NAMES - 10 }),
        ...across.map((other, i) =>
          verdictSymbol(canvas, worst.get(`${name} ${other}`) ?? "not_applicable", {
            x: left + (i + 0.5) * column - 8,
            y: y + 4,
            size: 16,
          }),
        ),
      ];
    }),
  ];
};

/** Aslant where columns are narrow. */
const heading = (name: string, { x, y, column }: { x: number; y: number; column: number }): SvgChild => {
  if (column >= 64) return label(name, { x, y, size: SIZE.small, anchor: "middle", width: column - 4 });
  const text = label(name, { x: 0, y: 0, size: SIZE.small, width: 58 });
  return el("g", { transform: `translate(${x.toFixed(1)} ${y + 2}) rotate(-40)` }, text);
};
