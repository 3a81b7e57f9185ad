import { hierarchy, treemap, treemapSquarify } from "d3-hierarchy";
import { type Canvas, empty, framed, keys, label, MARGIN, rect, SIZE, TOP, unknownArea } from "../frame.ts";
import { el, type SvgNode } from "../node.ts";
import { percent, usd } from "../numbers.ts";
import { type AnswerJson, byLargest, factAt, firstOf, rowsAt, sizeAt, sum, textAt } from "../read.ts";
import { type Colour, filled } from "../theme.ts";
import { displayName, plural, widthIn } from "../words.ts";

const TILES_MAX = 24;
const HEIGHT = 260;
const UNPRICED_SHOWN = 8;

interface Tile {
  readonly name: string;
  /** USD; null: no price. */
  readonly value: number | null;
  readonly colour: Colour;
}

const tileOf = (row: AnswerJson): Tile => ({
  name: displayName(textAt(row, "symbol") ?? textAt(row, "token_address")),
  value: sizeAt(row, "usd_value"),
  colour: factAt(row, "is_stablecoin") === true ? "neutral_soft" : "up_soft",
});

/** Pool shares, stakes and loans; debts have no tile and appear in the headline. */
const positionTiles = (answer: AnswerJson): readonly Tile[] =>
  rowsAt(answer, "positions")
    .filter((row) => factAt(row, "is_debt") !== true)
    .map((row) => ({ ...tileOf(row), colour: "down_soft" }));

/** Value held beyond the requested rows. */
const beyond = (listed: readonly Tile[], all_usd: number | null): readonly Tile[] => {
  const left = (all_usd ?? 0) - sum(listed.map(({ value }) => value ?? 0));
  // Sums of doubles differ in their last digits.
  return left > (all_usd ?? 0) * 1e-6 ? [{ name: "not listed", value: left, colour: "up_soft" }] : [];
};

interface HoldingTiles {
  readonly title: string;
  readonly tiles: readonly Tile[];
  readonly unpriced: readonly Tile[];
  readonly headline: string;
}

const holdingTiles = (
  answer: AnswerJson,
  rows: string,
  of: { title: string; holdings_usd: string; total_usd: string },
): HoldingTiles => {
  // A holding that stands for other tokens has the tile of its position.
  const listed = rowsAt(answer, rows)
    .filter((row) => sizeAt(row, "position_value_usd") === null)
    .map(tileOf);
  const all = [...listed, ...beyond(listed, sizeAt(answer, of.holdings_usd)), ...positionTiles(answer)];
  const priced = byLargest(
    all.filter(({ value }) => value !== null && value > 0),
    ({ value }) => value,
  );
  const { shown, rest } = firstOf(priced, TILES_MAX);
  const others: Tile = {
    name: plural(rest.length, "other"),
    value: sum(rest.map(({ value }) => value ?? 0)),
    colour: "neutral_soft",
  };
  const unpriced = all.filter(({ value }) => value === null);
  const debt = sum(
    rowsAt(answer, "positions").map((row) => (factAt(row, "is_debt") === true ? (sizeAt(row, "usd_value") ?? 0) : 0)),
  );
  const owed = debt === 0 ? "" : `, ${usd(debt)} owed`;
  const without = unpriced.length === 0 ? "" : `, ${plural(unpriced.length, "row")} without a price`;
  return {
    title: of.title,
    tiles: rest.length === 0 ? shown : [...shown, others],
    unpriced,
    headline: `${usd(sizeAt(answer, of.total_usd))} in ${plural(priced.length, "priced row")}${owed}${without}`,
  };
};

export const holdings = (answer: AnswerJson, canvas: Canvas): SvgNode =>
  drawn(
    canvas,
    holdingTiles(answer, "holdings", {
      title: "Holdings of the wallet",
      holdings_usd: "summary.holdings_value_usd",
      total_usd: "summary.total_value_usd",
    }),
  );

export const portfolio = (answer: AnswerJson, canvas: Canvas): SvgNode =>
  drawn(
    canvas,
    holdingTiles(answer, "top_holdings", {
      title: "The portfolio by value",
      holdings_usd: "holdings_value_usd",
      total_usd: "total_value_usd",
    }),
  );

const drawn = (canvas: Canvas, { title, tiles, unpriced, headline }: HoldingTiles): SvgNode => {
  if (tiles.length === 0 && unpriced.length === 0) return empty(canvas, title, "Nothing of value is held.");
  const room = canvas.width - 2 * MARGIN;
  const aside = unpriced.length === 0 ? 0 : tiles.length === 0 ? room : Math.min(130, room * 0.3);
  const whole = sum(tiles.map(({ value }) => value ?? 0));
  const told = tiles.slice(0, 6).map(({ name, value }) => `${name} ${usd(value)}, ${percent(share(value, whole))}`);
  return framed(canvas, TOP + HEIGHT + 34, {
    words: { title, headline, description: [headline, ...told].join(". ").concat(".") },
    content: [
      ...mapped(tiles, { width: room - aside - (aside === 0 ? 0 : 8), whole }),
      aside === 0 ? null : strip(canvas, unpriced, { x: canvas.width - MARGIN - aside, width: aside }),
      ...keys(canvas, legend(tiles, unpriced), { x: MARGIN, y: TOP + HEIGHT + 22 }),
    ],
  });
};

const legend = (tiles: readonly Tile[], unpriced: readonly Tile[]) => [
  ...(tiles.some(({ colour }) => colour === "up_soft") ? [{ text: "coin or token", colour: "up_soft" } as const] : []),
  ...(tiles.some(({ colour }) => colour === "neutral_soft")
    ? [{ text: "dollar coin, others", colour: "neutral_soft" } as const]
    : []),
  ...(tiles.some(({ colour }) => colour === "down_soft") ? [{ text: "position", colour: "down_soft" } as const] : []),
  ...(unpriced.length === 0 ? [] : [{ text: "no price: size says nothing", colour: "unknown" } as const]),
];

const share = (value: number | null, whole: number): number | null =>
  value === null || whole <= 0 ? null : (100 * value) / whole;

interface TileNode {
  readonly tile: Tile | null;
  readonly children?: readonly TileNode[];
}

const mapped = (tiles: readonly Tile[], { width, whole }: { width: number; whole: number }): readonly SvgNode[] => {
  if (tiles.length === 0) return [];
  const tree = hierarchy<TileNode>({ tile: null, children: tiles.map((tile) => ({ tile })) }, (node) => node.children);
  // Parts of the whole, so that sums of any size stay exact enough.
  const root = tree.sum(({ tile }) => (tile === null ? 0 : (tile.value ?? 0) / whole));
  const laid = treemap<TileNode>().tile(treemapSquarify).size([width, HEIGHT]).paddingInner(2)(root);
  return laid.leaves().flatMap(({ x0, x1, y0, y1, data: { tile } }) => {
    if (tile === null) return [];
    const place = { x: MARGIN + x0, y: TOP + y0, width: x1 - x0, height: y1 - y0 };
    return [tileNode(tile, place, percent(share(tile.value, whole)))];
  });
};

type UnpricedArea = Parameters<typeof unknownArea>[1];

const tileNode = (tile: Tile, place: UnpricedArea, part: string): SvgNode => {
  const room = place.width - 12;
  const fits = (text: string, size: number) => widthIn(text, size) <= room;
  const lines = Math.floor((place.height - 6) / 15);
  const value = usd(tile.value);
  const two = fits(`${value} · ${part}`, SIZE.small) ? [`${value} · ${part}`] : [value, part];
  return el(
    "g",
    {},
    el("title", {}, `${tile.name}: ${value}, ${part}`),
    rect(place, { ...filled(tile.colour), rx: 2 }),
    lines < 1 || room < 16 ? null : label(tile.name, { x: place.x + 6, y: place.y + 16, bold: true, width: room }),
    ...two
      .filter((text, i) => lines > i + 1 && fits(text, SIZE.small))
      .map((text, i) => label(text, { x: place.x + 6, y: place.y + 31 + i * 14, size: SIZE.small })),
  );
};

/** Holdings without a price, stacked: their size has no meaning. */
const strip = (canvas: Canvas, tiles: readonly Tile[], at: { x: number; width: number }): SvgNode => {
  const { shown, rest } = firstOf(tiles, UNPRICED_SHOWN);
  const names = [...shown.map(({ name }) => name), ...(rest.length === 0 ? [] : [plural(rest.length, "other")])];
  const height = Math.min(64, HEIGHT / names.length);
  return el(
    "g",
    {},
    ...names.flatMap((name, i) => {
      const place = { x: at.x, y: TOP + i * height, width: at.width, height: height - 2 };
      const width = Math.min(at.width - 12, widthIn(name, SIZE.text) + 8);
      return [
        unknownArea(canvas, place),
        rect({ x: at.x + 5, y: place.y + place.height / 2 - 9, width, height: 18 }, { ...filled("paper"), rx: 2 }),
        label(name, { x: at.x + 9, y: place.y + place.height / 2 + 4, width: width - 6 }),
      ];
    }),
  );
};
