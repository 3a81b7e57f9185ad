import { scaleLinear } from "d3-scale";
import { isRecord } from "../../lib/record.ts";
import { levels, times } from "../axes.ts";
import { type Canvas, empty, framed, hatchOf, keys, label, line, MARGIN, rect, SIZE, TOP } from "../frame.ts";
import { el, type SvgChild, type SvgNode } from "../node.ts";
import { percent, usd } from "../numbers.ts";
import { type AnswerJson, at, numberAt, rowsAt, sizeAt, textAt, timeAt } from "../read.ts";
import { filled, stroked } from "../theme.ts";
import { displayName, displayText } from "../words.ts";

const CANDLES = 190;
const CHANGES = 128;
const VOLUME = 54;

interface Candle {
  readonly from: number;
  readonly to: number;
  /** Null: no price in this stretch. */
  readonly prices: {
    readonly open: number;
    readonly high: number;
    readonly low: number;
    readonly close: number;
  } | null;
}

const candleOf = (row: AnswerJson): readonly Candle[] => {
  const [from, to] = [timeAt(row, "from"), timeAt(row, "to")];
  if (from === null || to === null || to <= from) return [];
  const [open, high, low, close] = ["open", "high", "low", "close"].map((name) => sizeAt(row, `${name}_usd`));
  const is_known = open != null && high != null && low != null && close != null;
  return [{ from, to, prices: is_known ? { open, high, low, close } : null }];
};

/** Candles of hourly prices where the answer has some, changes by window, and what was bought and sold. */
export const market = (answer: AnswerJson, canvas: Canvas): SvgNode => {
  const symbol = displayName(textAt(answer, "token.symbol") ?? textAt(answer, "token.address"));
  const timeframe = displayText(textAt(answer, "timeframe") ?? "");
  const title = `Market of ${symbol}, ${timeframe}`;
  const candles = rowsAt(answer, "price.candles").flatMap(candleOf);
  const price = sizeAt(answer, "price.usd");
  const confidence = displayText(textAt(answer, "price.confidence") ?? "unknown");
  const volume = usd(sizeAt(answer, "volume.usd"));
  const headline = `${usd(price)} (confidence ${confidence}); volume ${volume}; liquidity ${usd(sizeAt(answer, "liquidity.total_usd"))}`;
  const has_candles = candles.some(({ prices }) => prices !== null);
  const changes = changesOf(answer);
  if (!has_candles && changes.length === 0) return empty(canvas, title, headline);
  const tops = { changes: TOP + (has_candles ? CANDLES + 40 : 6) };
  const bottom = tops.changes + CHANGES + VOLUME;
  const told = changes.map(([name, change]) => `${percent(change)} in ${name}`).join(", ");
  return framed(canvas, bottom + 30, {
    words: { title, headline, description: `${headline}. Price: ${told}.` },
    content: [
      has_candles ? candlePanel(canvas, candles) : null,
      changeBars(canvas, changes, tops.changes),
      volumeBar(canvas, answer, tops.changes + CHANGES + 6),
      keys(
        canvas,
        [
          { text: "▲ up, bought", colour: "up" },
          { text: "▼ down, sold", colour: "down" },
          ...(changes.some(([, change]) => change === null) || candles.some(({ prices }) => prices === null)
            ? [{ text: "not known", colour: "unknown" } as const]
            : []),
        ],
        { x: MARGIN, y: bottom + 18 },
      ),
    ],
  });
};

const changesOf = (answer: AnswerJson): readonly (readonly [string, number | null])[] => {
  const changes = at(answer, "price.change_percent");
  return isRecord(changes)
    ? Object.keys(changes)
        .slice(0, 8)
        .map((name) => [displayText(name), numberAt(changes, name)])
    : [];
};

const candlePanel = (canvas: Canvas, candles: readonly Candle[]): SvgChild => {
  const [left, right] = [MARGIN + 60, canvas.width - MARGIN];
  const known = candles.flatMap(({ prices }) => prices ?? []);
  const [low, high] = [Math.min(...known.map((one) => one.low)), Math.max(...known.map((one) => one.high))];
  const room = high > low ? (high - low) * 0.06 : high * 0.05 || 1;
  const y = scaleLinear([low - room, high + room], [TOP + CANDLES, TOP]);
  const [from, to] = [Math.min(...candles.map((one) => one.from)), Math.max(...candles.map((one) => one.to))];
  const x = scaleLinear([from, to], [left, right]);
  return [
    ...times(x, { from_ms: from, to_ms: to, left, right, top: TOP, bottom: TOP + CANDLES }),
    ...levels(y, { left, right, from: low - room, to: high + room, unit: "usd", count: 5 }),
    ...candles.map((one) => candle(canvas, one, { x, y })),
  ];
};

interface CandleScales {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

const candle = (canvas: Canvas, { from, to, prices }: Candle, { x, y }: CandleScales): SvgNode => {
  const [left, right] = [x(from), x(to)];
  const width = Math.max(2, Math.min(14, (right - left) * 0.64));
  const middle = (left + right) / 2;
  if (prices === null) {
    const place = { x: left + 1, y: TOP, width: Math.max(1, right - left - 2), height: CANDLES };
    return rect(place, { fill: hatchOf(canvas), "fill-opacity": 0.5 });
  }
  const { open, high, low, close } = prices;
  const is_up = close >= open;
  const [top, bottom] = [y(Math.max(open, close)), y(Math.min(open, close))];
  const colour = is_up ? "up" : "down";
  const body = { x: middle - width / 2, y: top, width, height: Math.max(1.5, bottom - top) };
  return el(
    "g",
    {},
    el("title", {}, `open ${usd(open)}, high ${usd(high)}, low ${usd(low)}, close ${usd(close)}`),
    el("line", { x1: middle, y1: y(high), x2: middle, y2: y(low), ...stroked(colour, 1.4) }),
    // Hollow when it rose, filled when it fell: readable without colour.
    rect(body, is_up ? filled("paper") : filled(colour)),
    rect(body, stroked(colour, 1.4)),
  );
};

const changeBars = (canvas: Canvas, changes: readonly (readonly [string, number | null])[], top: number): SvgChild => {
  if (changes.length === 0) return null;
  const [left, right] = [MARGIN, canvas.width - MARGIN];
  const column = (right - left) / changes.length;
  const most = Math.max(1e-9, ...changes.map(([, change]) => Math.abs(change ?? 0)));
  const zero = top + CHANGES / 2 - 4;
  const reach = CHANGES / 2 - 30;
  return [
    label("Change of the price", { x: left, y: top + 4, bold: true }),
    line(left, zero, { x2: right, y2: zero, colour: "axis" }),
    ...changes.map(([name, change], i) => {
      const x = left + (i + 0.5) * column;
      const width = Math.min(46, column * 0.5);
      const height = change === null ? 14 : Math.max(1, (Math.abs(change) / most) * reach);
      const is_loss = (change ?? 0) < 0;
      const place = { x: x - width / 2, y: is_loss ? zero : zero - height, width, height };
      const sign = (change ?? 0) > 0 ? "+" : "";
      return el(
        "g",
        {},
        change === null
          ? rect(place, { fill: hatchOf(canvas), "fill-opacity": 0.7 })
          : rect(place, filled(is_loss ? "down" : "up")),
        label(`${sign}${percent(change)}`, {
          x,
          y: is_loss ? zero + height + 14 : zero - height - 5,
          size: SIZE.small,
          anchor: "middle",
          width: column,
        }),
        label(name, { x, y: top + CHANGES - 10, size: SIZE.small, anchor: "middle", colour: "muted" }),
      );
    }),
  ];
};

const volumeBar = (canvas: Canvas, answer: AnswerJson, top: number): SvgChild => {
  const [buy, sell] = [sizeAt(answer, "volume.buy_usd"), sizeAt(answer, "volume.sell_usd")];
  const [left, room] = [MARGIN, canvas.width - 2 * MARGIN];
  const title = label("Volume", { x: left, y: top + 4, bold: true });
  if (buy === null || sell === null || buy + sell === 0) {
    const says = buy === null || sell === null ? "unknown" : "no trade";
    return [title, label(says, { x: left, y: top + 24, colour: "muted" })];
  }
  const split = (buy / (buy + sell)) * room;
  return [
    title,
    rect({ x: left, y: top + 12, width: split, height: 12 }, filled("up")),
    rect({ x: left + split, y: top + 12, width: room - split, height: 12 }, filled("down")),
    label(`▲ ${usd(buy)} bought`, { x: left, y: top + 40, size: SIZE.small, width: room / 2 }),
    label(`▼ ${usd(sell)} sold`, { x: left + room, y: top + 40, size: SIZE.small, anchor: "end", width: room / 2 }),
  ];
};
