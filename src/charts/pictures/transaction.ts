import { type Canvas, framed, hatchOf, keys, label, line, MARGIN, rect, SIZE, TOP } from "../frame.ts";
import { el, type SvgChild, type SvgNode } from "../node.ts";
import { amount, signedAmount, signedUsd, usd } from "../numbers.ts";
import { type AnswerJson, byLargest, factAt, firstOf, numberAt, rowsAt, sizeAt, textAt } from "../read.ts";
import { filled } from "../theme.ts";
import { displayName, plural, worded } from "../words.ts";

const TITLE = "Effects of the transaction";
const ROW = 22;
const CALLS_MAX = 24;
const CHANGES_MAX = 14;
const DEPTH_MAX = 10;

interface BalanceChange {
  readonly who: string;
  readonly what: string;
  readonly amount: number | null;
  readonly usd: number | null;
}

const changeOf = (row: AnswerJson): BalanceChange => {
  const value = numberAt(row, "amount");
  const symbol = displayName(textAt(row, "symbol") ?? textAt(row, "token"), "a token");
  const id = textAt(row, "token_id");
  return {
    who: displayName(textAt(row, "label") ?? textAt(row, "address")),
    what: `${signedAmount(value)} ${symbol}${id === null ? "" : ` #${displayName(id)}`}`,
    amount: value,
    usd: numberAt(row, "usd_value"),
  };
};

/** Balance changes as bars to both sides of zero, and the calls in the order in which they were made. */
export const transaction = (answer: AnswerJson, canvas: Canvas): SvgNode => {
  const changes = rowsAt(answer, "asset_changes").map(changeOf);
  const calls = rowsAt(answer, "internal_calls");
  const shownChanges = firstOf(
    byLargest(changes, (change) => (change.usd === null ? null : Math.abs(change.usd))),
    CHANGES_MAX,
  );
  const shownCalls = firstOf(calls, CALLS_MAX);
  const status = worded(textAt(answer, "status") ?? "unknown");
  const category = worded(textAt(answer, "category") ?? "transaction");
  const value = usd(sizeAt(answer, "headline.usd_value"));
  const fee = usd(sizeAt(answer, "fee.usd"));
  const headline = `${category}, ${status}; worth ${value}; fee ${fee}; ${plural(calls.length, "internal call")}`;
  const told = shownChanges.shown
    .slice(0, 5)
    .map(({ who, what, usd: worth }) => `${who} ${what} (${signedUsd(worth)})`);
  const tops = { changes: TOP + 20, calls: TOP + 44 + rowsOf(shownChanges) * ROW };
  const bottom = tops.calls + 20 + (1 + rowsOf(shownCalls)) * ROW;
  return framed(canvas, bottom + 30, {
    words: {
      title: TITLE,
      headline,
      description: `${headline}. Balance changes: ${told.join("; ") || "none"}.`,
    },
    content: [
      label("Balance changes", { x: MARGIN, y: TOP + 10, bold: true }),
      changes.length === 0
        ? label("None that is known.", { x: MARGIN, y: tops.changes + 16, colour: "muted" })
        : changeRows(canvas, shownChanges, tops.changes),
      label("Calls", { x: MARGIN, y: tops.calls + 12, bold: true }),
      callRows(canvas, { answer, ...shownCalls }, tops.calls + 20),
      keys(
        canvas,
        [
          { text: "+ received", colour: "up" },
          { text: "\u2212 gave", colour: "down" },
          ...(changes.some((change) => change.usd === null) ? [{ text: "no price", colour: "unknown" } as const] : []),
        ],
        { x: MARGIN, y: bottom + 18 },
      ),
    ],
  });
};

const rowsOf = ({ shown, rest }: { shown: readonly unknown[]; rest: readonly unknown[] }): number =>
  Math.max(1, shown.length + (rest.length === 0 ? 0 : 1));

const changeRows = (
  canvas: Canvas,
  { shown, rest }: { shown: readonly BalanceChange[]; rest: readonly BalanceChange[] },
  top: number,
): SvgChild => {
  const left = MARGIN + Math.min(180, canvas.width * 0.3);
  const right = canvas.width - MARGIN - Math.min(230, canvas.width * 0.36);
  const zero = (left + right) / 2;
  const most = Math.max(1e-12, ...shown.map((change) => Math.abs(change.usd ?? 0)));
  const long = (value: number): number => (Math.abs(value) / most) * ((right - left) / 2 - 6);
  return [
    line(zero, top, { x2: zero, y2: top + shown.length * ROW, colour: "axis" }),
    ...shown.map((change, i) => {
      const y = top + i * ROW;
      const is_loss = (change.usd ?? change.amount ?? 0) < 0;
      const width = change.usd === null ? 26 : Math.max(1.5, long(change.usd));
      const place = { x: is_loss ? zero - width : zero, y: y + 4, width, height: ROW - 8 };
      return el(
        "g",
        {},
        label(change.who, { x: MARGIN, y: y + 15, width: left - MARGIN - 8 }),
        change.usd === null
          ? rect(place, { fill: hatchOf(canvas), "fill-opacity": 0.7 })
          : rect(place, filled(is_loss ? "down" : "up")),
        label(`${change.what} · ${change.usd === null ? "no price" : signedUsd(change.usd)}`, {
          x: right + 6,
          y: y + 15,
          size: SIZE.small,
          width: canvas.width - MARGIN - right - 6,
        }),
      );
    }),
    rest.length === 0
      ? null
      : label(plural(rest.length, "more change"), { x: MARGIN, y: top + shown.length * ROW + 15, colour: "muted" }),
  ];
};

interface CallList {
  readonly answer: AnswerJson;
  readonly shown: readonly AnswerJson[];
  readonly rest: readonly AnswerJson[];
}

const callRows = (canvas: Canvas, { answer, shown, rest }: CallList, top: number): SvgChild => {
  const method = displayName(textAt(answer, "method.name") ?? textAt(answer, "method.selector"), "call");
  const to = displayName(textAt(answer, "to.label") ?? textAt(answer, "to.address"), "a new contract");
  const labels = new Map(rowsAt(answer, "asset_changes").map((row) => [textAt(row, "address"), textAt(row, "label")]));
  const rows = shown.map((row): CallRow => {
    const address = textAt(row, "to");
    const value = sizeAt(row, "value");
    const paid = value === null || value === 0 ? "" : `, ${amount(value)} paid along`;
    const ended = factAt(row, "succeeded");
    return {
      depth: Math.min(DEPTH_MAX, Math.max(1, Math.round(sizeAt(row, "depth") ?? 1))),
      kind: worded(textAt(row, "kind") ?? "call"),
      text: `${displayName(labels.get(address) ?? address, "a new contract")}.${displayName(textAt(row, "method"), "?")}${paid}`,
      is_failed: ended === false,
    };
  });
  const is_failed = textAt(answer, "status") === "failed";
  const all: readonly CallRow[] = [{ depth: 0, kind: "call", text: `${to}.${method}`, is_failed }, ...rows];
  const untold = factAt(answer, "metadata.coverage.traces") === false ? "Inner calls are not known: no traces." : null;
  return [
    ...all.map((row, i) => callRow(canvas, row, { y: top + i * ROW, parent: parentOf(all, i) })),
    label(rest.length === 0 ? (untold ?? "") : plural(rest.length, "more call"), {
      x: MARGIN,
      y: top + all.length * ROW + 15,
      colour: "muted",
    }),
  ];
};

interface CallRow {
  readonly depth: number;
  readonly kind: string;
  readonly text: string;
  readonly is_failed: boolean;
}

/** Number of rows to its caller. */
const parentOf = (rows: readonly CallRow[], i: number): number => {
  const depth = rows[i]?.depth ?? 0;
  for (let above = i - 1; above >= 0; above -= 1) if ((rows[above]?.depth ?? 0) < depth) return i - above;
  return 0;
};

const STEP = 20;

const callRow = (canvas: Canvas, row: CallRow, { y, parent }: { y: number; parent: number }): SvgNode => {
  const step = Math.min(STEP, (canvas.width * 0.3) / DEPTH_MAX);
  const x = MARGIN + row.depth * step;
  const middle = y + ROW / 2;
  const kind = 78;
  return el(
    "g",
    {},
    parent === 0
      ? null
      : line(x - step + 5, middle - parent * ROW + 6, { x2: x - step + 5, y2: middle, colour: "axis" }),
    parent === 0 ? null : line(x - step + 5, middle, { x2: x, y2: middle, colour: "axis" }),
    rect(
      { x: x + 2, y: y + 3, width: kind, height: ROW - 6 },
      { ...filled(row.is_failed ? "down_soft" : "neutral_soft"), rx: 3 },
    ),
    label(row.kind, { x: x + 2 + kind / 2, y: y + 15, size: SIZE.small, anchor: "middle", width: kind - 6 }),
    label(`${row.is_failed ? "✕ reverted: " : ""}${row.text}`, {
      x: x + kind + 10,
      y: y + 15,
      width: canvas.width - MARGIN - x - kind - 10,
    }),
  );
};
