import { type Canvas, empty, framed, label, MARGIN, rect, SIZE, TOP } from "../frame.ts";
import { el, type SvgNode } from "../node.ts";
import { type AnswerJson, at, sum } from "../read.ts";
import { filled } from "../theme.ts";
import { plural } from "../words.ts";

const TITLE = "When the wallet acts, UTC";
const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
const DAY_NAMES = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;
const HOURS = 24;
const ROW = 24;
const BARS = 44;

/** Counts, when all of them are there. */
const countsAt = (answer: AnswerJson, path: string, length: number): readonly number[] | null => {
  const found = at(answer, path);
  if (!Array.isArray(found) || found.length !== length) return null;
  return found.every((count) => Number.isSafeInteger(count) && count >= 0) ? found : null;
};

const peakOf = (counts: readonly number[]): number => counts.indexOf(Math.max(...counts));

/** Hours across, weekdays down: the area of a square is the count; sums of hours above, of days at the right. */
export const patterns = (answer: AnswerJson, canvas: Canvas): SvgNode | null => {
  const hours = countsAt(answer, "cadence.hour_of_day_utc", HOURS);
  const days = countsAt(answer, "cadence.day_of_week", DAYS.length);
  const week = countsAt(answer, "cadence.hour_of_week_utc", HOURS * DAYS.length);
  if (hours === null || days === null) return null;
  const count = sum(hours);
  if (count === 0) return empty(canvas, TITLE, "The wallet sent no transaction of its own.");
  const [hour, weekday] = [peakOf(hours), peakOf(days)];
  const busiest = `most at ${clock(hour)} (${hours[hour]}) and on ${DAY_NAMES[weekday]}s (${days[weekday]})`;
  const headline = `${plural(count, "own transaction")}, ${busiest}`;
  const left = MARGIN + 40;
  const cell = (canvas.width - left - MARGIN - 64) / HOURS;
  const grid = { left, cell, top: TOP + BARS };
  return framed(canvas, TOP + BARS + DAYS.length * ROW + 30, {
    words: {
      title: TITLE,
      headline,
      description: `${headline}. By weekday: ${DAY_NAMES.map((name, i) => `${name} ${days[i]}`).join(", ")}.`,
    },
    content: [
      ...hourBars(hours, grid),
      ...dayBars(days, grid, canvas),
      ...(week === null ? [] : squares(week, grid)),
      week === null
        ? label("This answer does not tell hours of each day.", {
            x: left,
            y: TOP + BARS + 90,
            colour: "muted",
            width: HOURS * cell,
          })
        : null,
    ],
  });
};

const clock = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

interface HoursGrid {
  readonly left: number;
  readonly cell: number;
  readonly top: number;
}

const hourBars = (hours: readonly number[], { left, cell, top }: HoursGrid): readonly (SvgNode | null)[] => {
  const most = Math.max(...hours);
  const bottom = top + DAYS.length * ROW;
  return hours.flatMap((count, hour) => {
    const height = (count / most) * (BARS - 18);
    const middle = left + (hour + 0.5) * cell;
    return [
      rect({ x: left + hour * cell + 1, y: top - 4 - height, width: cell - 2, height }, filled("neutral")),
      count === 0 || cell < 18
        ? null
        : label(count.toLocaleString("en-US"), {
            x: middle,
            y: top - 8 - height,
            size: SIZE.small,
            anchor: "middle",
            width: cell,
          }),
      hour % (cell < 16 ? 6 : 3) === 0
        ? label(clock(hour), { x: middle, y: bottom + 16, size: SIZE.small, anchor: "middle", colour: "muted" })
        : null,
    ];
  });
};

const dayBars = (
  days: readonly number[],
  { left, cell, top }: HoursGrid,
  canvas: Canvas,
): readonly (SvgNode | null)[] => {
  const most = Math.max(...days);
  const from = left + HOURS * cell + 6;
  return days.flatMap((count, i) => {
    const middle = top + (i + 0.5) * ROW;
    const width = (count / most) * 26;
    return [
      label(DAYS[i] ?? "", { x: MARGIN, y: middle + 4, size: SIZE.small, colour: "muted" }),
      rect({ x: from, y: middle - 6, width, height: 12 }, filled("neutral")),
      label(count.toLocaleString("en-US"), {
        x: from + width + 4,
        y: middle + 4,
        size: SIZE.small,
        width: canvas.width - MARGIN - from - width - 4,
      }),
    ];
  });
};

const squares = (week: readonly number[], { left, cell, top }: HoursGrid): readonly SvgNode[] => {
  const most = Math.max(...week);
  const room = Math.min(cell, ROW);
  return week.map((count, i) => {
    const [weekday, hour] = [Math.floor(i / HOURS), i % HOURS];
    const place = { x: left + hour * cell, y: top + weekday * ROW };
    const ground = rect(
      { x: place.x + 1, y: place.y + 1, width: cell - 2, height: ROW - 2 },
      { ...filled("neutral_soft"), rx: 2 },
    );
    if (count === 0) return ground;
    const side = Math.max(4, Math.sqrt(count / most) * (room - 4));
    const square = { x: place.x + (cell - side) / 2, y: place.y + (ROW - side) / 2, width: side, height: side };
    return el(
      "g",
      {},
      el("title", {}, `${DAY_NAMES[weekday]} ${clock(hour)}: ${count.toLocaleString("en-US")}`),
      ground,
      rect(square, { ...filled("up"), rx: 2 }),
    );
  });
};
